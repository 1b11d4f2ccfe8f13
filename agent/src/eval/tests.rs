use env_client::scorecard::{EnvironmentScore, RunScore, Scorecard};

use super::*;
use crate::{
    episode::Stop,
    tally::{DecisionTimes, Tally},
};

fn settings() -> Settings {
    Settings {
        nets: crate::settings::Checkpoints::default(),
        policy: "explore".to_owned(),
        service: "embedded".to_owned(),
        games: vec!["door".to_owned(), "push".to_owned()],
        seeds: "0..2".parse().unwrap(),
        budgets: "5,20".parse().unwrap(),
    }
}

/// A play of a game of three levels with human actions 2, 3 and 9, of which two were solved.
fn record(game: &str, seed: u64) -> Record {
    Record {
        game: game.to_owned(),
        id: format!("{game}-1").parse().unwrap(),
        seed,
        stop: Stop::Budget,
        counts: Tally {
            actions: 20,
            resets: 1,
            levels_completed: 2,
            win_levels: 3,
            completed_at: vec![2, 8],
            ..Tally::default()
        },
        baselines: Vec::new(),
        measured: PlayMeasured {
            guid: Some(format!("{game}-{seed}").parse().unwrap()),
            decisions: DecisionTimes { count: 20, median_ms: 0.25, p99_ms: 1.5, max_ms: 2.0 },
            ..PlayMeasured::default()
        },
    }
}

/// RHAE of [`record`]: level 1 at human pace, level 2 at half of it: (1·100 + 2·25) / 6.
const SCORE: f64 = 25.0;

fn closed(seed: u64, score: f64) -> ClosedCard {
    let run = |game: &str| RunScore {
        guid: Some(format!("{game}-{seed}")),
        score,
        actions: 20,
        level_baseline_actions: Some(vec![2, 3, 9]),
        ..RunScore::default()
    };
    let game = |game: &str| EnvironmentScore {
        id: format!("{game}-1"),
        actions: if game == "never" { 0 } else { 20 },
        score,
        runs: vec![run(game)],
        ..EnvironmentScore::default()
    };
    let environments = ["door", "push", "never"].map(game).to_vec();
    ClosedCard {
        seed,
        scorecard: Scorecard { card_id: format!("card-{seed}"), score, environments, ..Scorecard::default() },
    }
}

fn whole() -> Results {
    let records = vec![record("push", 1), record("door", 0), record("door", 1), record("push", 0)];
    assemble(settings(), None, records, vec![closed(1, SCORE), closed(0, SCORE)])
}

#[test]
fn results_come_in_the_order_of_seeds_and_games_whatever_finished_first() {
    let results = whole();
    let order: Vec<_> = results.plays.iter().map(|play| (play.seed, play.game.as_str())).collect();
    assert_eq!(order, [(0, "door"), (0, "push"), (1, "door"), (1, "push")]);
    assert_eq!(results.cards.iter().map(|card| card.seed).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(results.disagreements().count(), 0);
}

#[test]
fn a_budget_is_a_checkpoint_of_one_play() {
    let results = whole();
    // After 5 actions level 1 alone was solved, at human pace: 1·100 / 6.
    let at = &results.plays[0].checkpoints;
    assert_eq!((at[0].actions, at[0].levels_completed, at[1].actions, at[1].levels_completed), (5, 1, 20, 2));
    assert!((at[0].score - 100.0 / 6.0).abs() < 1e-12 && (at[1].score - SCORE).abs() < 1e-12);
    let totals = &results.totals;
    assert_eq!((totals[0].levels_completed, totals[1].levels_completed, totals[1].levels), (4, 8, 12));
    assert!((totals[1].rhae - SCORE).abs() < 1e-12);
}

#[test]
fn a_score_that_the_service_has_otherwise_is_told() {
    let results = assemble(settings(), None, vec![record("door", 0)], vec![closed(0, SCORE + 1e-6)]);
    assert_eq!(results.disagreements().count(), 1);
    assert!(print::Readable(&results).to_string().contains("WARNING: the service's score differs from ours in 1 of 1"));
    assert!(print::disagreements(&results).unwrap().contains("door seed 0: ours 25, the service's 25.000001"));
    let near = assemble(settings(), None, vec![record("door", 0)], vec![closed(0, SCORE + 1e-10)]);
    assert_eq!(near.disagreements().count(), 0);
}

#[test]
fn a_play_whose_scorecard_was_lost_is_judged_by_the_baselines_of_another() {
    let results = assemble(settings(), None, vec![record("door", 0), record("door", 1)], vec![closed(1, SCORE)]);
    assert_eq!(results.plays[0].service_score, None);
    assert!((results.plays[0].score - SCORE).abs() < 1e-12);
    let without = assemble(settings(), None, vec![record("door", 0)], Vec::new());
    assert!(without.plays[0].score.abs() < 1e-12);
    assert_eq!(without.plays[0].levels.len(), 3, "the levels are told even where no score is");
}

#[test]
fn a_result_is_readable() {
    insta::assert_snapshot!(print::Readable(&whole()).to_string().replace(crate::VERSION, "VERSION"), @r"
    explore on embedded, competition rules, arc3 VERSION

    game  seed  levels  actions  RHAE %  ended   median ms  p99 ms
    door     0     2/3       20   25.00  budget      0.250   1.500
    push     0     2/3       20   25.00  budget      0.250   1.500
    door     1     2/3       20   25.00  budget      0.250   1.500
    push     1     2/3       20   25.00  budget      0.250   1.500

    levels, as actions/human actions and score %
    door            1: 2/2 100.00  2: 6/3 25.00  3: 12/9
    push            1: 2/2 100.00  2: 6/3 25.00  3: 12/9
    door seed 1     1: 2/2 100.00  2: 6/3 25.00  3: 12/9
    push seed 1     1: 2/2 100.00  2: 6/3 25.00  3: 12/9

    budget  plays  won  levels  actions  RHAE %
         5      4    0    4/12       20   16.67
        20      4    0    8/12       80   25.00

    scorecard of seed 0: 25.00 % over its 3 games, 2 of them played
    scorecard of seed 1: 25.00 % over its 3 games, 2 of them played
    the service's score equals ours in all 4 plays it scored
    ");
}

#[test]
fn results_survive_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/result.json");
    write(&whole(), &path).unwrap();
    assert_eq!(read(&path).unwrap(), whole());
    let older = std::fs::read_to_string(&path).unwrap().replace("\"format\": 1", "\"format\": 0");
    std::fs::write(&path, older).unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("has format 0, expected 1"));
    std::fs::write(&path, "{}").unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("is no result of `arc3 eval`"));
}

fn part(index: u32, records: Vec<Record>, cards: Vec<ClosedCard>) -> (String, Results) {
    (format!("{index}.json"), assemble(settings(), Some(format!("{index}/2")), records, cards))
}

#[test]
fn parts_make_the_whole_in_any_order() {
    let first = part(0, vec![record("door", 0), record("door", 1)], vec![closed(0, SCORE), closed(1, SCORE)]);
    let second = part(1, vec![record("push", 0), record("push", 1)], vec![closed(0, SCORE), closed(1, SCORE)]);
    let merged = merge::merge(vec![second.clone(), first.clone()]).unwrap();
    assert_eq!((merged.overlaps.len(), merged.gaps.len()), (0, 0));
    assert_eq!((&merged.results.plays, &merged.results.totals), (&whole().plays, &whole().totals));
    assert_eq!(merged.results.measured, whole().measured);
    assert_eq!(merged.results.shard, None);
}

#[test]
fn overlaps_and_gaps_of_parts_are_told() {
    let first = part(0, vec![record("door", 0), record("push", 0)], vec![closed(0, SCORE)]);
    let merged = merge::merge(vec![first.clone(), first]).unwrap();
    assert_eq!(merged.overlaps, [Pair { seed: 0, game: "door".into() }, Pair { seed: 0, game: "push".into() }]);
    assert_eq!(merged.gaps, [Pair { seed: 1, game: "door".into() }, Pair { seed: 1, game: "push".into() }]);
    assert_eq!(merged.results.cards.len(), 1, "the same part twice has one scorecard");
}

#[test]
fn what_does_not_belong_together_is_not_merged() {
    let one = part(0, vec![record("door", 0)], vec![closed(0, SCORE)]);
    let mut other = part(1, vec![record("push", 0)], vec![closed(0, SCORE)]);
    other.1.settings.policy = "random".to_owned();
    let error = merge::merge(vec![one.clone(), other]).unwrap_err().to_string();
    assert!(error.contains("0.json and 1.json are not parts of one evaluation: policy explore, random"), "{error}");
    let mut liar = record("door", 0);
    liar.counts.actions = 19;
    let error = merge::merge(vec![one, part(1, vec![liar], vec![closed(0, SCORE)])]).unwrap_err().to_string();
    assert!(error.contains("1.json tells otherwise about door with seed 0"), "{error}");
}

#[test]
fn a_comparison_pairs_plays_and_comes_out_the_same_every_time() {
    let a = whole();
    let mut better = record("door", 0);
    better.counts.completed_at = vec![2, 5];
    let b = assemble(settings(), None, vec![better, record("push", 0)], vec![closed(0, SCORE)]);
    let comparison = compare::compare(&a, &b).unwrap();
    assert_eq!(comparison, compare::compare(&a, &b).unwrap());
    assert_eq!((comparison.budget, comparison.plays, comparison.only_a, comparison.only_b), (20, 2, 2, 0));
    // `door` gains (1·100 + 2·100)/6 − 25 = 25 points, `push` none.
    assert!((comparison.rhae.b - comparison.rhae.a - 12.5).abs() < 1e-9);
    assert!((comparison.rhae.low, comparison.rhae.high) == (0.0, 25.0));
    insta::assert_snapshot!(comparison, @r"
    A and B at 20 actions, each game the mean of its shared seeds

    game  levels A     B  actions A   B  RHAE % A      B   B - A
    door      2.00  2.00         20  20     25.00  50.00  +25.00
    push      2.00  2.00         20  20     25.00  25.00       0

    RHAE %, mean over games: A 25.00, B 37.50, B - A +12.50, 95 % [0, +25.00]
    levels, mean over games: A 2.00, B 2.00, B - A 0, 95 % [0, 0]
    plays in both 2, only in A 2, only in B 0
    ");
    let mut stranger = b;
    stranger.settings.budgets = "7".parse().unwrap();
    assert!(compare::compare(&a, &stranger).unwrap_err().to_string().contains("share no budget: 5,20 and 7"));
}

#[test]
fn an_ablation_holds_every_arm_against_the_whole() {
    let named = |policy: &str| Settings { policy: policy.to_owned(), ..settings() };
    let whole = Results { settings: named("plan"), ..whole() };
    let mut better = record("door", 0);
    better.counts.completed_at = vec![2, 5];
    let arm = assemble(named("plan-no-arrangements"), None, vec![better, record("push", 0)], vec![closed(0, SCORE)]);
    let ablation = ablate::ablation(&whole, &[arm]).unwrap();
    insta::assert_snapshot!(ablation, @r"
    each arm at 20 actions, and how it differs from plan on the same plays,
    with 95 % intervals over games

    arm                   levels  RHAE %  by levels a play  by RHAE %
    plan                    8/12   25.00
    plan-no-arrangements     4/6   37.50  0 [0, 0]          +12.50 [0, +25.00]
    ");
}

#[test]
fn a_journal_gives_back_what_finished_and_forgets_a_torn_line() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("result.json");
    let mut journal = Journal::open(&out, &settings(), None).unwrap();
    journal.append(Line::Opened { seed: 0, card: "card-0".parse().unwrap() }).unwrap();
    journal.append(Line::Play(record("door", 0))).unwrap();
    let cut_short = Record { stop: Stop::Lost, ..record("push", 0) };
    journal.append(Line::Play(cut_short)).unwrap();
    let path = journal.path().to_owned();
    let torn = std::fs::read_to_string(&path).unwrap() + "{\"play\":{\"game\":";
    std::fs::write(&path, torn).unwrap();

    let mut journal = Journal::open(&out, &settings(), None).unwrap();
    assert_eq!(journal.finished().into_iter().collect::<Vec<_>>(), [Pair { seed: 0, game: "door".into() }]);
    assert_eq!(journal.left_open(), [(0, "card-0".parse().unwrap())]);
    journal.append(Line::Closed(closed(0, SCORE))).unwrap();
    journal.append(Line::Play(record("push", 0))).unwrap();
    assert_eq!((journal.left_open().len(), journal.finished().len(), journal.contents().0.len()), (0, 2, 2));
    journal.remove().unwrap();
    assert!(!path.exists());
}

#[test]
fn a_journal_of_another_evaluation_is_not_taken_up() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("result.json");
    drop(Journal::open(&out, &settings(), None).unwrap());
    let other = Settings { seeds: "5".parse().unwrap(), ..settings() };
    assert!(Journal::open(&out, &other, None).is_ok(), "one without plays binds nobody");
    let mut journal = Journal::open(&out, &settings(), None).unwrap();
    journal.append(Line::Play(record("door", 0))).unwrap();
    let error = Journal::open(&out, &other, None).unwrap_err().to_string();
    assert!(error.contains("another evaluation: seeds there 0,1, here 5"), "{error}");
    let error = Journal::open(&out, &settings(), Some("1/2")).unwrap_err().to_string();
    assert!(error.contains("part there the whole, here 1/2"), "{error}");
    let text = std::fs::read_to_string(journal.path()).unwrap();
    std::fs::write(journal.path(), format!("nonsense\n{text}")).unwrap();
    assert!(Journal::open(&out, &settings(), None).unwrap_err().to_string().contains("line 1"));
}
