//! The routes: each takes a request apart, asks the arcade, and puts the answer together.

use std::{sync::Arc, time::Instant};

use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, State, rejection::PathRejection},
    http::{Method, Uri, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use env_client::{ActionId, CardId, scorecard::Scorecard, wire::GameInfo};
use serde::Serialize;
use uuid::Uuid;

use super::{
    Offer, Refusal,
    arcade::Arcade,
    request::{Body, Caller, CloseBody, CommandBody, OpenBody},
};

/// The arcade as handlers see it.
pub(super) type Shared = Arc<Arcade>;

/// Every route of the protocol over one arcade.
pub(super) fn router(arcade: Shared) -> Router {
    let body = DefaultBodyLimit::max(arcade.limits().body);
    commands(Router::new())
        .route("/api/healthcheck", get("okay"))
        .route("/api/games", get(games))
        .route("/api/games/anonkey", get(anonymous_key))
        .route("/api/games/{game}", get(game))
        .route("/api/scorecard/open", post(open).get(no_card))
        .route("/api/scorecard/close", post(close).get(no_card))
        .route("/api/scorecard/{card}", get(summary))
        .route("/api/scorecard/{card}/{game}", get(counters))
        .fallback(no_route)
        .method_not_allowed_fallback(wrong_method)
        .layer(body)
        .with_state(arcade)
}

/// `RESET` and `ACTION1` to `ACTION7`.
fn commands(router: Router<Shared>) -> Router<Shared> {
    let ids = ActionId::ALL.into_iter().map(Some);
    std::iter::once(None).chain(ids).fold(router, |router, id| {
        let name = id.map_or_else(|| "RESET".to_owned(), |id| id.to_string());
        let handler = move |State(arcade): State<Shared>, Caller(key): Caller, body: Body| async move {
            let body: CommandBody = body.parse_with("game_id")?;
            arcade.command(&key, &body, id, Instant::now()).map(json)
        };
        router.route(&format!("/api/cmd/{name}"), post(handler))
    })
}

async fn games(State(arcade): State<Shared>) -> Response {
    let games: Vec<&GameInfo> = arcade.games().iter().map(Offer::info).collect();
    Json(games).into_response()
}

async fn game(State(arcade): State<Shared>, path: Segments<String>) -> Result<Json<GameInfo>, Refusal> {
    let name = segments(path)?;
    let game = arcade.game(&name).ok_or(Refusal::NoSuchGame(name))?;
    Ok(Json(game.info().clone()))
}

/// A key of one's own for whoever has none. The live service hands out such keys; any key is good here.
async fn anonymous_key() -> Json<AnonymousKey> {
    Json(AnonymousKey { api_key: Uuid::new_v4().to_string() })
}

#[derive(Serialize)]
struct AnonymousKey {
    api_key: String,
}

async fn open(State(arcade): State<Shared>, Caller(key): Caller, body: Body) -> Result<Json<Opened>, Refusal> {
    let body: OpenBody = body.parse()?;
    let card_id = arcade.open(key, body, Instant::now())?;
    Ok(Json(Opened { card_id }))
}

#[derive(Serialize)]
struct Opened {
    card_id: CardId,
}

async fn close(State(arcade): State<Shared>, Caller(key): Caller, body: Body) -> Result<Json<Scorecard>, Refusal> {
    let body: CloseBody = body.parse_with("card_id")?;
    let card = body.card_id.ok_or(Refusal::Missing("card_id"))?;
    arcade.close(&key, &card, Instant::now()).map(Json)
}

async fn summary(
    State(arcade): State<Shared>,
    Caller(key): Caller,
    path: Segments<String>,
) -> Result<Json<Scorecard>, Refusal> {
    arcade.summary(&key, &segments(path)?, Instant::now()).map(Json)
}

async fn counters(
    State(arcade): State<Shared>,
    Caller(key): Caller,
    path: Segments<(String, String)>,
) -> Result<Response, Refusal> {
    let (card, game) = segments(path)?;
    arcade.counters(&key, &card, &game, Instant::now()).map(json)
}

/// The official server takes the last part of a GET of these routes for a card.
async fn no_card(uri: Uri) -> Refusal {
    Refusal::CardNotFound(uri.path().rsplit('/').next().unwrap_or_default().to_owned())
}

async fn no_route(uri: Uri) -> Refusal {
    Refusal::NoRoute(uri.path().to_owned())
}

async fn wrong_method(method: Method, uri: Uri) -> Refusal {
    Refusal::Method { route: uri.path().to_owned(), method: method.to_string() }
}

/// The variable parts of a path, unless they are no text.
type Segments<T> = Result<Path<T>, PathRejection>;

fn segments<T>(path: Segments<T>) -> Result<T, Refusal> {
    path.map(|Path(parts)| parts).map_err(|rejection| Refusal::Invalid(rejection.body_text()))
}

fn json(body: impl Into<Bytes>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], body.into()).into_response()
}
