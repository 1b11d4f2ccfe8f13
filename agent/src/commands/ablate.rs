//! `arc3 eval --ablate`: one evaluation an arm, and what they come to.

use std::{fs, io, path::PathBuf};

use super::{
    eval::{Evaluation, Played},
    nets, simulator,
};
use crate::{
    eval::{
        Results,
        ablate::{Ablation, ablation},
        write,
    },
    exit::{Exit, Failure},
    policy::{Kind, Nets},
    settings::Eval,
    talk::{Loudness, print},
};

/// What arms are held against.
const WHOLE: Kind = Kind::Plan;

/// Plays with the whole and with each chosen arm; when none is chosen, with each that leaves out what is there.
///
/// The summary is written last. As long as there is none, arms that a stopped run finished are taken up.
pub(super) async fn run(chosen: &[Kind], settings: Eval, json: bool, loudness: Loudness) -> Result<Exit, Failure> {
    chosen.iter().try_for_each(|arm| simulator::check(*arm, &settings.service))?;
    let nets = chosen.iter().try_fold(nets::open(&settings.nets, WHOLE)?, |nets, arm| nets::check(nets, *arm))?;
    forget_finished(&settings)?;
    let whole = play(&settings, &nets, WHOLE, loudness).await?;
    let Some(whole_results) = whole.results else { return Ok(whole.exit) };
    let (mut arms, mut exit) = (Vec::<Results>::new(), whole.exit);
    let meant = |arm: &Kind| *arm != WHOLE && (chosen.is_empty() || chosen.contains(arm));
    for arm in Kind::ALL.into_iter().filter(|arm| meant(arm) && nets.have(*arm)) {
        if !simulator::can_play(arm, &settings.service) {
            loudness.notice(format_args!("{arm}: left out, since only the built-in games can be tried out"));
            continue;
        }
        let played = play(&settings, &nets, arm, loudness).await?;
        let Some(results) = played.results else { return Ok(played.exit) };
        arms.push(results);
        exit = if played.exit == Exit::Done { exit } else { played.exit };
    }
    let ablation = ablation(&whole_results, &arms)?;
    if exit == Exit::Done {
        write(&ablation, &settings.out)?;
    }
    show(&ablation, &settings, json)?;
    Ok(exit)
}

/// A summary says that the last ablation came to its end: its arms are played anew.
fn forget_finished(settings: &Eval) -> io::Result<()> {
    if settings.out.exists() {
        for arm in Kind::ALL.map(|arm| out(settings, arm)).iter().filter(|arm| arm.exists()) {
            fs::remove_file(arm)?;
        }
        fs::remove_file(&settings.out)?;
    }
    Ok(())
}

async fn play(settings: &Eval, nets: &Nets, arm: Kind, loudness: Loudness) -> Result<Played, Failure> {
    let settings = Eval { policy: arm, out: out(settings, arm), ..settings.clone() };
    let evaluation = Evaluation::prepare(settings, nets.clone(), None, loudness).await?;
    if let Some(results) = evaluation.earlier() {
        loudness.notice(format_args!("{arm}: played before"));
        evaluation.abandon()?;
        return Ok(Played { results: Some(results), exit: Exit::Done });
    }
    loudness.notice(format_args!("{arm}"));
    evaluation.run().await
}

/// Where the result of an arm goes: beside the summary.
fn out(settings: &Eval, arm: Kind) -> PathBuf {
    let name = settings.out.file_stem().unwrap_or_default().to_string_lossy();
    settings.out.with_file_name(format!("{name}-{arm}.json"))
}

fn show(ablation: &Ablation, settings: &Eval, json: bool) -> Result<(), Failure> {
    if json {
        return print(format_args!("{}\n", serde_json::to_string_pretty(ablation)?));
    }
    print(format_args!("{ablation}\nresult  {}\n", settings.out.display()))
}
