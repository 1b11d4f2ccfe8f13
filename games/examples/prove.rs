//! Proves titles and prints what their `About` has to say: `cargo run -p games --example prove [STEM…]`.

use std::{process::ExitCode, time::Instant};

fn main() -> ExitCode {
    let stems: Vec<String> = std::env::args().skip(1).collect();
    let chosen =
        games::catalog().iter().filter(|entry| stems.is_empty() || stems.iter().any(|stem| stem == entry.about.stem));
    let failures = chosen.filter(|entry| !report(entry)).count();
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[expect(clippy::print_stdout, reason = "printing is what it is for")]
fn report(entry: &games::Entry) -> bool {
    let start = Instant::now();
    println!("{} {}", entry.about.stem, entry.about.title);
    let mut optimal = Vec::new();
    for (level, proof) in (1..).zip(entry.prove()) {
        optimal.push(proof.as_ref().map_or(0, games::prover::Proof::optimal));
        match proof {
            Ok(proof) => {
                let solution: Vec<String> = proof.solution.iter().map(ToString::to_string).collect();
                println!(
                    "  level {level}: {} actions, {} states: {}",
                    solution.len(),
                    proof.states,
                    solution.join(", ")
                );
            }
            Err(error) => println!("  level {level}: {error}"),
        }
    }
    println!("  optimal: &{optimal:?},  ({:.1?})", start.elapsed());
    optimal == entry.about.optimal
}
