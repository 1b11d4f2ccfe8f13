//! What every title of the catalog must hold.

use games::{catalog, prover::Proof};

#[test]
fn every_level_is_solved_in_the_number_of_actions_written_down() {
    for entry in catalog() {
        let proofs: Result<Vec<Proof>, _> = entry.prove().into_iter().collect();
        let proofs = proofs.unwrap_or_else(|error| panic!("{}: {error}", entry.about.stem));
        let optimal: Vec<u32> = proofs.iter().map(Proof::optimal).collect();
        assert_eq!(optimal, entry.about.optimal, "{}: proven (left) is not what is written (right)", entry.about.stem);
    }
}
