//! The nets that the planner may ask, from their checkpoints.

use std::{path::Path, sync::Arc};

use solver::solve::Solver;
use world_model::net::{Adaptation, Net};

use crate::{
    exit::Failure,
    policy::{Kind, Nets, Part, Solving},
    settings::Checkpoints,
};

/// Reads what was named, once for all plays.
///
/// # Errors
/// A file holds no such net, or the policy leaves out one that was not named.
pub(super) fn open(named: &Checkpoints, policy: Kind) -> Result<Nets, Failure> {
    let imagination = named.solver.as_deref().map(solving).transpose()?.map(|it| Arc::new(it) as _);
    let foresight = named.net.as_deref().map(foreseeing).transpose()?.map(Arc::new);
    check(Nets { imagination, foresight }, policy)
}

/// The same nets, if the policy can be played with them.
pub(super) fn check(nets: Nets, policy: Kind) -> Result<Nets, Failure> {
    if nets.have(policy) {
        return Ok(nets);
    }
    let flag = if policy == Kind::PlanWithout(Part::Solver) { "--solver" } else { "--net" };
    Err(Failure::new(format!("{policy} leaves out what is not there"))
        .hint(format!("name a checkpoint with {flag} FILE")))
}

fn solving(path: &Path) -> Result<Solving, Failure> {
    let doing = || format!("{} holds no net that can imagine how levels are solved", path.display());
    let hint = "`arc3 pretrain --config configs/solver/tiny.toml --data FOLDER` makes one";
    let solver = Solver::open(path, None).map_err(|error| Failure::from(error).context(doing()).hint(hint))?;
    Solving::new(solver).map_err(|error| Failure::from(error).context(doing()).hint(hint))
}

/// The net of a checkpoint, which learns less from each action than where nobody waits for it: that is most of what an
/// action costs. Plays copy it, which is tried here.
fn foreseeing(path: &Path) -> Result<Net, Failure> {
    let how = Adaptation { steps: 1, ..Adaptation::default() };
    let net = Net::open(path, 0).and_then(|net| net.adapting(how, 0)?.afresh(0));
    net.map_err(|error| {
        Failure::from(error)
            .context(format!("{} holds no net that foresees frames", path.display()))
            .hint("`arc3 pretrain --config configs/world_model/slot_mamba.toml --data RECORDINGS` makes one")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(named: &Checkpoints, policy: Kind) -> String {
        open(named, policy).unwrap_err().to_string()
    }

    #[test]
    fn a_file_that_holds_no_net_is_an_error_that_says_how_to_make_one() {
        let file = Some(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into());
        for (solver, net, config) in
            [(file.clone(), None, "solver/tiny.toml"), (None, file, "world_model/slot_mamba.toml")]
        {
            let error = error(&Checkpoints { solver, net }, Kind::Plan);
            assert!(error.contains("Cargo.toml holds no net") && error.contains(config), "{error}");
        }
        let missing = Checkpoints { solver: Some("no/such.safetensors".into()), net: None };
        assert!(error(&missing, Kind::Plan).contains("no/such.safetensors holds no net"));
    }

    #[test]
    fn no_arm_leaves_out_what_is_not_there() {
        for (part, flag) in [(Part::Solver, "--solver"), (Part::Net, "--net")] {
            let error = error(&Checkpoints::default(), Kind::PlanWithout(part));
            assert!(error.contains("leaves out what is not there") && error.contains(flag), "{error}");
        }
        assert!(open(&Checkpoints::default(), Kind::PlanWithout(Part::Rules)).is_ok());
    }
}
