//! One request until it has an answer: pacing, cookies, and the table of [`super`] on what is sent again.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use reqwest::{
    Method, RequestBuilder, Response, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, COOKIE, LOCATION},
    redirect,
};
use tokio::time::sleep;
use url::Url;

use super::{
    ClientConfig, ClientError, Endpoint, Loss, LostAnswer, RetryBudget, Setback, Traffic,
    answer::{self, Answer},
    config::is_loopback,
    cookies::Jar,
    pace::Pacer,
    retry::{Tries, retry_after},
};
use crate::ApiKey;

/// Longest accepted body. A thousand layers of 64×64 cells, the most a game can show at once, are about 10 MB.
const BODY_LIMIT: usize = 64 << 20;

/// How long an idle connection is kept; load balancers commonly close theirs after a minute, and a request that meets a
/// closing connection loses its answer.
const IDLE: Duration = Duration::from_secs(20);

/// What sending a request twice would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// No harm, or harm that an error can explain: reads and cards.
    Repeatable,
    /// A second move: RESET and the actions.
    Once,
}

/// A request to be made.
pub(super) struct Call {
    pub(super) effect: Effect,
    pub(super) endpoint: Endpoint,
    pub(super) url: Url,
    /// JSON; a call without a body is a GET.
    pub(super) body: Option<Vec<u8>>,
}

/// What requests that belong together share: cookies and counts.
#[derive(Default)]
pub(super) struct Session(Mutex<(Jar, Traffic)>);

impl Session {
    /// A session that starts with the cookies of this one.
    pub(super) fn branch(&self) -> Session {
        self.with(|jar, _| Session(Mutex::new((jar.clone(), Traffic::default()))))
    }

    pub(super) fn traffic(&self) -> Traffic {
        self.with(|_, traffic| *traffic)
    }

    pub(super) fn count(&self, change: impl FnOnce(&mut Traffic)) {
        self.with(|_, traffic| change(traffic));
    }

    fn with<T>(&self, use_it: impl FnOnce(&mut Jar, &mut Traffic) -> T) -> T {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (jar, traffic) = &mut *state;
        use_it(jar, traffic)
    }
}

/// The connection pool, the pace and the patience that all plays of a client share.
pub(super) struct Transport {
    http: reqwest::Client,
    base: Url,
    timeout: Duration,
    pacer: Pacer,
    pub(super) budget: RetryBudget,
}

/// How one try of a call ended.
enum Outcome {
    Answered(Answer),
    Again(Setback),
    Lost(Loss),
}

impl Transport {
    pub(super) fn new(config: &ClientConfig) -> Result<Transport, ClientError> {
        let base = config.base_url.clone();
        if !matches!(base.scheme(), "http" | "https") || !base.has_host() {
            return Err(ClientError::BaseUrl { found: base.to_string() });
        }
        let builder = reqwest::Client::builder()
            .user_agent(concat!("arc3/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(config.timeout / 3)
            .timeout(config.timeout)
            .pool_idle_timeout(IDLE)
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never());
        let builder = if is_loopback(&base) { builder.no_proxy() } else { builder };
        let http = builder.build().map_err(|error| ClientError::Setup(causes(&error)))?;
        Ok(Transport { http, base, timeout: config.timeout, pacer: Pacer::new(config.pace), budget: config.retry })
    }

    /// A call to the route with these segments.
    pub(super) fn call(&self, effect: Effect, segments: &[&str], body: Option<Vec<u8>>) -> Call {
        let mut url = self.base.clone();
        url.set_query(None);
        url.set_fragment(None);
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().extend(segments);
        }
        let method = if body.is_some() { "POST" } else { "GET" };
        let endpoint = Endpoint { method, route: url.path().to_owned() };
        Call { effect, endpoint, url, body }
    }

    /// Makes a call, again and again as far as its effect and the budget allow.
    ///
    /// # Errors
    /// [`ClientError::Lost`] for a call that may have been acted on and must not be repeated.
    pub(super) async fn exchange(
        &self,
        call: &Call,
        key: Option<&ApiKey>,
        session: &Session,
        budget: &RetryBudget,
    ) -> Result<Answer, ClientError> {
        let mut tries = Tries::new(budget);
        let mut lost_before = None;
        loop {
            let setback = match self.attempt(call, key, session).await {
                Outcome::Answered(answer) => return Ok(Answer { lost_before, ..answer }),
                Outcome::Lost(loss) if call.effect == Effect::Once => {
                    let endpoint = call.endpoint.clone();
                    return Err(ClientError::Lost(LostAnswer { endpoint, loss }.into()));
                }
                Outcome::Lost(loss) => {
                    lost_before = Some(loss.clone());
                    Setback::Lost(loss)
                }
                Outcome::Again(setback) => setback,
            };
            let Some(pause) = tries.failed(asked_pause(&setback)) else {
                return Err(gave_up(call, &tries, setback, lost_before));
            };
            tracing::warn!(endpoint = %call.endpoint, %setback, seconds = pause.as_secs_f64(), "trying again");
            self.back_off(&setback, pause).await;
            session.count(|traffic| {
                traffic.retries += 1;
                traffic.backed_off += pause;
            });
        }
    }

    /// Waits before the next try. Everybody waits when the service is overrun.
    async fn back_off(&self, setback: &Setback, pause: Duration) {
        if matches!(setback, Setback::Busy { status: StatusCode::TOO_MANY_REQUESTS, .. }) {
            self.pacer.hold(pause);
        }
        sleep(pause).await;
    }

    async fn attempt(&self, call: &Call, key: Option<&ApiKey>, session: &Session) -> Outcome {
        let paced = self.pacer.turn().await;
        session.count(|traffic| {
            traffic.requests += 1;
            traffic.paced += paced;
            traffic.sent_bytes += call.body.as_ref().map_or(0, Vec::len) as u64;
        });
        match self.request(call, key, session).send().await {
            Ok(response) => self.receive(call, key, session, response).await,
            Err(error) if error.is_connect() => Outcome::Again(Setback::NoConnection(causes(&error))),
            Err(error) => Outcome::Lost(self.loss(&error)),
        }
    }

    fn request(&self, call: &Call, key: Option<&ApiKey>, session: &Session) -> RequestBuilder {
        let method = if call.body.is_some() { Method::POST } else { Method::GET };
        let mut request = self.http.request(method, call.url.clone()).header(ACCEPT, "application/json");
        if let Some(key) = key {
            request = request.header("X-API-Key", key.expose());
        }
        if let Some(cookies) = session.with(|jar, _| jar.header(&call.url)) {
            request = request.header(COOKIE, cookies);
        }
        match &call.body {
            Some(body) => request.header(CONTENT_TYPE, "application/json").body(body.clone()),
            None => request,
        }
    }

    /// Reads an answer to its end and decides what it stands for.
    async fn receive(&self, call: &Call, key: Option<&ApiKey>, session: &Session, response: Response) -> Outcome {
        session.with(|jar, _| jar.keep(&call.url, response.headers()));
        let (status, retry_after) = (response.status(), retry_after(response.headers(), Timestamp::now()));
        let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let (body, end) = read_body(response).await;
        session.count(|traffic| traffic.received_bytes += body.len() as u64);
        if is_transient(status, call.effect) {
            return Outcome::Again(Setback::Busy { status, retry_after });
        }
        let (endpoint, key, lost_before) = (call.endpoint.clone(), key.cloned(), None);
        let answer = Answer { endpoint, status, location, body, key, lost_before };
        match end {
            _ if status.is_client_error() || status.is_redirection() => Outcome::Answered(answer),
            BodyEnd::Broken(error) => Outcome::Lost(self.loss(&error)),
            BodyEnd::TooLong => {
                let problem = format!("longer than {BODY_LIMIT} bytes");
                Outcome::Lost(Loss::Unreadable(answer.unreadable("a body of the protocol", &problem).into()))
            }
            BodyEnd::Complete if status.is_server_error() && call.effect == Effect::Once => {
                Outcome::Lost(Loss::Failed { status, excerpt: answer.excerpt() })
            }
            BodyEnd::Complete => Outcome::Answered(answer),
        }
    }

    fn loss(&self, error: &reqwest::Error) -> Loss {
        if error.is_timeout() { Loss::TimedOut(self.timeout) } else { Loss::Disconnected(causes(error)) }
    }
}

/// Whether a status says that the request may be sent again. A 502 or 504 comes from a gateway that had passed it on.
fn is_transient(status: StatusCode, effect: Effect) -> bool {
    match status {
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => true,
        StatusCode::BAD_GATEWAY | StatusCode::GATEWAY_TIMEOUT => effect == Effect::Repeatable,
        _ => false,
    }
}

fn asked_pause(setback: &Setback) -> Option<Duration> {
    match setback {
        Setback::Busy { retry_after, .. } => *retry_after,
        Setback::NoConnection(_) | Setback::Lost(_) => None,
    }
}

fn gave_up(call: &Call, tries: &Tries<'_>, last: Setback, before: Option<Loss>) -> ClientError {
    let told_by_itself = matches!(last, Setback::Lost(_));
    let (attempts, elapsed) = (tries.failures(), tries.elapsed());
    let error = ClientError::GaveUp { endpoint: call.endpoint.clone(), attempts, elapsed, last };
    match before {
        Some(earlier) if !told_by_itself => ClientError::AfterLoss { lost: earlier, then: error.into() },
        _ => error,
    }
}

/// How a body ended.
enum BodyEnd {
    Complete,
    Broken(reqwest::Error),
    TooLong,
}

/// Reads a body as far as it goes.
async fn read_body(mut response: Response) -> (Vec<u8>, BodyEnd) {
    let mut body = Vec::new();
    if response.content_length().is_some_and(|length| length > BODY_LIMIT as u64) {
        return (body, BodyEnd::TooLong);
    }
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) if body.len() + chunk.len() > BODY_LIMIT => return (body, BodyEnd::TooLong),
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return (body, BodyEnd::Complete),
            Err(error) => return (body, BodyEnd::Broken(error)),
        }
    }
}

/// The innermost cause of an error; the outer ones repeat the URL and say "error sending request".
fn causes(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    answer::excerpt(cause.to_string().as_bytes(), None)
}
