//! `arc3 games`

use env_client::wire::GameInfo;

use super::{connect::reach, embedded};
use crate::{
    cli::{GamesArgs, ServiceArgs},
    exit::{Exit, Failure},
    settings::{Environment, Service, Target},
    table::{Align, Table},
    talk::{Loudness, print},
};

pub(super) async fn run(args: &GamesArgs, environment: &Environment, loudness: Loudness) -> Result<Exit, Failure> {
    let service = Service::resolve(args.service.clone(), ServiceArgs::default(), environment)?;
    let games = match service.target {
        Target::Embedded => embedded::options(&[], 0)?.games.iter().map(|game| game.info().clone()).collect(),
        Target::Server(_) | Target::Online(_) => {
            let client = reach(&service, loudness).await?;
            client.games().await.map_err(|error| Failure::from(error).context("cannot list the games"))?
        }
    };
    if args.json {
        print(format_args!("{:#}\n", serde_json::json!(games)))?;
    } else {
        print(table(&games))?;
    }
    Ok(Exit::Done)
}

fn table(games: &[GameInfo]) -> Table {
    let mut table = Table::new(&[("game", Align::Left), ("title", Align::Left), ("tags", Align::Left)]);
    for game in games {
        let title = game.title.clone().unwrap_or_default();
        table.row([game.game_id.clone(), title, game.tags.as_deref().unwrap_or_default().join(", ")]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_a_table() {
        let games = [
            GameInfo {
                game_id: "ab01-9607627b".to_owned(),
                title: Some("Boxes".to_owned()),
                tags: Some(vec!["keyboard".to_owned(), "click".to_owned()]),
                ..GameInfo::default()
            },
            GameInfo { game_id: "cd02".to_owned(), ..GameInfo::default() },
        ];
        insta::assert_snapshot!(table(&games), @r"
        game           title  tags
        ab01-9607627b  Boxes  keyboard, click
        cd02
        ");
    }
}
