//! What every title of the catalog must hold.

use std::collections::BTreeSet;

use games::{Entry, Variant, catalog, engine::Family, prover::Proof};

fn proofs(entry: &Entry) -> Vec<Proof> {
    let proofs: Result<_, _> = entry.prove().into_iter().collect();
    proofs.unwrap_or_else(|error| panic!("{}: {error}", entry.about.stem))
}

#[test]
fn every_level_is_solved_in_the_number_of_actions_written_down_and_keeps_the_contract() {
    for entry in catalog() {
        let stem = entry.about.stem;
        let proofs = proofs(entry);
        let optimal: Vec<u32> = proofs.iter().map(Proof::optimal).collect();
        assert_eq!(optimal, entry.about.optimal, "{stem}: proven (left) is not what is written (right)");
        entry.check(&proofs).unwrap_or_else(|violation| panic!("{stem}: {violation}"));
    }
}

#[test]
fn every_seed_gives_another_game_that_can_be_solved() {
    for entry in catalog() {
        let open = |seed| entry.open(Variant { seed }).unwrap_or_else(|error| panic!("{}: {error}", entry.about.stem));
        let ids: BTreeSet<_> = (0..3).map(|seed| open(seed).id).collect();
        assert_eq!(ids.len(), 3, "{}: seeds share a game id", entry.about.stem);
    }
}

#[test]
fn the_catalog_is_in_order_and_well_formed() {
    assert!(catalog().is_sorted_by_key(|entry| entry.about.stem));
    for about in catalog().iter().map(|entry| entry.about) {
        let (letter, digits) = about.stem.split_at(1);
        assert!(letter.chars().all(|c| c.is_ascii_lowercase()) && digits.chars().all(|c| c.is_ascii_digit()));
        assert_eq!(digits.len(), 3, "{}", about.stem);
        assert!((5..=8).contains(&about.optimal.len()), "{} has {} levels", about.stem, about.optimal.len());
        assert!(!about.families.is_empty(), "{} teaches nothing", about.stem);
    }
}

#[test]
fn between_them_the_titles_teach_every_family() {
    let taught: BTreeSet<Family> = catalog().iter().flat_map(|entry| entry.about.families).copied().collect();
    let missing: Vec<Family> = Family::ALL.into_iter().filter(|family| !taught.contains(family)).collect();
    assert!(missing.is_empty(), "no title teaches {missing:?}");
}
