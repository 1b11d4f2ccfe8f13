//! Which of a service's games are meant.

use env_client::{GameId, wire::GameInfo};

use crate::exit::Failure;

/// The word for every game.
const ALL: &str = "all";

/// Names at least this near to a typed one are suggested; 1 is the same word, 0 nothing in common.
const NEAR: f64 = 0.7;

/// A game that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its id on this service.
    pub id: GameId,
    /// What people call it, where the service tells.
    pub title: Option<String>,
    /// Human actions by level, where the service tells.
    pub baselines: Vec<u32>,
}

impl Offer {
    /// A listed game, unless its id is none.
    fn read(info: &GameInfo) -> Option<Offer> {
        match info.game_id.parse() {
            Ok(id) => {
                let baselines = info.baseline_actions.clone().unwrap_or_default();
                Some(Offer { id, title: info.title.clone(), baselines })
            }
            Err(error) => {
                tracing::warn!(%error, "a listed game is left out");
                None
            }
        }
    }
}

/// The games with these ids, stems or titles, in the order of the listing; every one for `all` or no word at all.
///
/// # Errors
/// A word that means none of them, with what was perhaps meant.
pub fn select(listing: &[GameInfo], words: &[String]) -> Result<Vec<Offer>, Failure> {
    let offers: Vec<Offer> = listing.iter().filter_map(Offer::read).collect();
    if offers.is_empty() {
        return Err(Failure::new("the service offers no games").hint("look at its folder of games, or at the key"));
    }
    if words.is_empty() || words.iter().any(|word| word == ALL) {
        return Ok(offers);
    }
    let mut chosen = vec![false; offers.len()];
    for word in words {
        let at = find(&offers, word).ok_or_else(|| unknown(&offers, word))?;
        chosen[at] = true;
    }
    Ok(offers.into_iter().zip(chosen).filter_map(|(offer, chosen)| chosen.then_some(offer)).collect())
}

/// The game with this id, else the first one with this stem, as services find it, else the first one with this title.
fn find(offers: &[Offer], word: &str) -> Option<usize> {
    let exact = offers.iter().position(|offer| offer.id.as_str() == word);
    let stem = || offers.iter().position(|offer| offer.id.stem() == word);
    let titled = |offer: &Offer| offer.title.as_ref().is_some_and(|title| title.eq_ignore_ascii_case(word));
    exact.or_else(stem).or_else(|| offers.iter().position(titled))
}

fn unknown(offers: &[Offer], word: &str) -> Failure {
    let word_lower = word.to_lowercase();
    let typed = word_lower.split('-').next().unwrap_or_default();
    let nearness = |name: &str| strsim::jaro_winkler(typed, &name.to_lowercase());
    let best = |offer: &Offer| offer.title.as_deref().map_or(0.0, nearness).max(nearness(offer.id.stem()));
    let mut near: Vec<(f64, &str)> =
        offers.iter().map(|offer| (best(offer), offer.id.stem())).filter(|(near, _)| *near >= NEAR).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.dedup();
    let names: Vec<&str> = near.iter().take(3).map(|(_, stem)| *stem).collect();
    let hint = match names.as_slice() {
        [] => "`arc3 games`, with the same --server or --online, lists what there is".to_owned(),
        names => format!("did you mean {}? `arc3 games` lists what there is", names.join(" or ")),
    };
    Failure::new(format!("the service has no game '{word}'")).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listing() -> Vec<GameInfo> {
        let info = |id: &str| GameInfo {
            game_id: id.to_owned(),
            title: (id == "door").then(|| "Vault".to_owned()),
            ..GameInfo::default()
        };
        ["push-1", "slide-2", "slide-1", "door", "not a name"].map(info).to_vec()
    }

    fn chosen(words: &[&str]) -> Result<Vec<String>, String> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let offers = select(&listing(), &words).map_err(|failure| failure.to_string())?;
        Ok(offers.iter().map(|offer| offer.id.to_string()).collect())
    }

    #[test]
    fn ids_and_stems_choose_in_the_order_of_the_listing() {
        assert_eq!(chosen(&["door", "push"]).unwrap(), ["push-1", "door"]);
        assert_eq!(chosen(&["slide"]).unwrap(), ["slide-2"], "the first of several versions, as services do");
        assert_eq!(chosen(&["slide-1", "slide-1"]).unwrap(), ["slide-1"]);
        assert_eq!(chosen(&["vault"]).unwrap(), ["door"], "by its title");
        assert_eq!(chosen(&[]).unwrap(), chosen(&["all"]).unwrap());
        assert_eq!(chosen(&[]).unwrap().len(), 4, "a name that is no id is left out");
    }

    #[test]
    fn an_unknown_game_is_told_what_was_perhaps_meant() {
        insta::assert_snapshot!(chosen(&["door", "slid"]).unwrap_err(), @r"
        error: the service has no game 'slid'
          hint: did you mean slide? `arc3 games` lists what there is
        ");
        assert!(chosen(&["zzz"]).unwrap_err().contains("`arc3 games`, with the same --server or --online"));
    }
}
