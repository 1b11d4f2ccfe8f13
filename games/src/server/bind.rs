//! From options to a listening server, and to its end.

use std::{
    fmt, io,
    net::{Ipv4Addr, SocketAddr, SocketAddrV4},
    sync::Arc,
    time::{Duration, Instant},
};

use axum::serve::ListenerExt;
use tokio::{net::TcpListener, sync::oneshot, time};

use super::{Options, arcade::Arcade, routes};

/// Where to listen unless told otherwise: the loopback, on the toolkit's port.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 8001));

/// How often forgotten cards and plays are looked for. Expired ones are refused at once; this only frees their memory.
const SWEEP: Duration = Duration::from_mins(1);

/// How long requests in flight may take to finish once the server is told to stop.
const GRACE: Duration = Duration::from_secs(2);

/// A server that holds its address but does not answer yet.
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
    arcade: Arc<Arcade>,
}

/// Takes an address; port 0 takes any free one.
pub async fn bind(address: SocketAddr, options: Options) -> io::Result<Bound> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    Ok(Bound { listener, address, arcade: Arc::new(Arcade::new(options)) })
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bound").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Bound {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its base URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Answers until `shutdown` is over, then finishes the requests in flight.
    pub async fn serve(self, shutdown: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let listener = self.listener.tap_io(|connection| {
            // Answers are small and awaited; a connection that refuses the option is merely slower.
            let _ = connection.set_nodelay(true);
        });
        let (stopping, stopped) = oneshot::channel();
        let signal = async move {
            shutdown.await;
            let _ = stopping.send(());
        };
        let server = axum::serve(listener, routes::router(Arc::clone(&self.arcade))).with_graceful_shutdown(signal);
        tokio::select! {
            result = server => result,
            () = grace(stopped) => Ok(()),
            () = sweep(&self.arcade) => Ok(()),
        }
    }
}

/// Over a while after the server began to stop.
async fn grace(stopped: oneshot::Receiver<()>) {
    let _ = stopped.await;
    time::sleep(GRACE).await;
}

/// Never over.
async fn sweep(arcade: &Arcade) {
    let mut interval = time::interval(SWEEP);
    loop {
        interval.tick().await;
        arcade.sweep(Instant::now());
    }
}

/// A server in a task of its own; dropping it stops the server.
#[derive(Debug)]
pub struct Running {
    url: String,
    _stop: oneshot::Sender<()>,
}

impl Running {
    /// Its base URL.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// Serves on a free port of the loopback until the returned handle is dropped. Needs a tokio runtime.
pub async fn spawn(options: Options) -> io::Result<Running> {
    let bound = bind((Ipv4Addr::LOCALHOST, 0).into(), options).await?;
    let url = bound.url();
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(bound.serve(async {
        let _ = stopped.await;
    }));
    Ok(Running { url, _stop: stop })
}
