//! Skills that count and dream, and what becomes of their proposals.

use env_client::{ActionId, Key, Point};
use world_model::Outcome;

use super::*;

impl Skills {
    /// Whether a proposal that scores below `limit` is taken up where no bar shows a budget.
    fn takes_up(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet, limit: f32) -> bool {
        self.take_up(frame, mask, actions, &Terms { limit, ..Terms::default() }) == Taken::Up
    }
}

const LEFT: Action = Action::Key(Key::Key3);

/// Expects the first cell to count the keys pressed.
#[derive(Debug)]
struct Counting;

impl Skill for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, _start: Start) {}

    fn observe(&mut self, _step: &Transition<'_>, _mask: &InterfaceMask) {}

    fn propose(&mut self, frame: &Grid, _mask: &InterfaceMask, _actions: ActionSet) -> Option<Proposal> {
        let step = |count: u8| Move { action: LEFT, expected: Some(picture(count)) };
        let now = frame[Point::default()].index() as u8;
        Some(Proposal { steps: (1..=3).map(|by| step(now + by)).collect(), goal: "count".to_owned(), score: 10.0 })
    }
}

fn picture(count: u8) -> Grid {
    let mut grid = Grid::filled(3, 3, env_client::Color::of(0));
    grid.set(Point::default(), env_client::Color::of(count));
    grid
}

/// How many steps are left after one that led to `seen`.
fn left_after(seen: u8) -> usize {
    let (mut skills, mask) = (Skills::new(vec![Box::new(Counting)]), InterfaceMask::new());
    let actions = ActionSet::of(&[ActionId::Action3]);
    assert!(skills.takes_up(&picture(0), &mask, actions, 20.0));
    let decision = skills.follow(actions).unwrap();
    assert_eq!((decision.command, decision.who), (LEFT.into(), Who::Skill("counting")));
    assert_eq!(decision.forecast.map(|it| it.frame), Some(picture(1)));
    let (before, layers) = (picture(0), [picture(seen)]);
    let step = Transition { before: &before, action: LEFT, layers: &layers, outcome: Outcome::Continues };
    skills.observe(&step, &mask);
    std::iter::from_fn(|| skills.follow(actions)).count()
}

#[test]
fn a_proposal_is_followed_until_the_first_surprise() {
    assert_eq!(left_after(1), 2);
    assert_eq!(left_after(5), 0);
}

/// Always wants to see what a key does.
#[derive(Debug)]
struct Stubborn;

impl Skill for Stubborn {
    fn name(&self) -> &'static str {
        "stubborn"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, _start: Start) {}

    fn observe(&mut self, _step: &Transition<'_>, _mask: &InterfaceMask) {}

    fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, _actions: ActionSet) -> Option<Proposal> {
        Some(Proposal::experiment(LEFT, "see".to_owned(), 10.0))
    }
}

#[test]
fn what_does_nothing_is_not_done_for_ever() {
    let (mut skills, mask) = (Skills::new(vec![Box::new(Stubborn)]), InterfaceMask::new());
    let actions = ActionSet::of(&[ActionId::Action3]);
    let (before, layers) = (picture(0), [picture(0)]);
    let idle = Transition { before: &before, action: LEFT, layers: &layers, outcome: Outcome::Continues };
    let made = (0..5).filter(|_| {
        let taken_up = skills.takes_up(&before, &mask, actions, 20.0);
        skills.follow(actions);
        skills.observe(&idle, &mask);
        taken_up
    });
    assert_eq!(made.count(), IN_VAIN as usize);
    assert!(skills.takes_up(&picture(1), &mask, actions, 20.0), "in another state it may do something");
}

#[test]
fn what_is_known_by_now_is_no_experiment() {
    let (mut skills, mask) = (Skills::new(vec![Box::new(Stubborn)]), InterfaceMask::new());
    let (actions, mut now, mut taken_up) = (ActionSet::of(&[ActionId::Action3]), 1, 0);
    for _ in 0..10 {
        if skills.takes_up(&picture(now), &mask, actions, 20.0) {
            taken_up += 1;
            skills.follow(actions);
        }
        let (before, layers) = (picture(now), [picture(3 - now)]);
        now = 3 - now;
        let step = Transition { before: &before, action: LEFT, layers: &layers, outcome: Outcome::Continues };
        skills.observe(&step, &mask);
    }
    assert_eq!(taken_up, 2 * KNOWN);
}

/// Goes to and fro between two pictures.
#[derive(Debug)]
struct Restless;

impl Skill for Restless {
    fn name(&self) -> &'static str {
        "restless"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, _start: Start) {}

    fn observe(&mut self, _step: &Transition<'_>, _mask: &InterfaceMask) {}

    fn propose(&mut self, frame: &Grid, _mask: &InterfaceMask, _actions: ActionSet) -> Option<Proposal> {
        let expected = Some(picture(3 - frame[Point::default()].index() as u8));
        Some(Proposal { steps: [Move { action: LEFT, expected }].into(), goal: "to and fro".to_owned(), score: 10.0 })
    }
}

#[test]
fn whoever_shows_nothing_new_for_long_has_a_rest() {
    let (mut skills, mask) = (Skills::new(vec![Box::new(Restless)]), InterfaceMask::new());
    let (actions, mut now) = (ActionSet::of(&[ActionId::Action3]), 1);
    let mut turn = || {
        let taken_up = skills.takes_up(&picture(now), &mask, actions, 20.0);
        skills.follow(actions);
        let (before, layers) = (picture(now), [picture(3 - now)]);
        now = 3 - now;
        skills.observe(
            &Transition { before: &before, action: LEFT, layers: &layers, outcome: Outcome::Continues },
            &mask,
        );
        taken_up
    };
    let turns: Vec<bool> = (0..100).map(|_| turn()).collect();
    let (first, rest) = (2 + STALE as usize, REST as usize);
    assert!(turns[..first].iter().all(|it| *it));
    assert!(turns[first..first + rest].iter().all(|it| !it));
    assert!(turns[first + rest]);
}

/// Makes experiments on one picture, and has a plan of so many steps on another one.
#[derive(Debug)]
struct Planning(usize);

impl Skill for Planning {
    fn name(&self) -> &'static str {
        "planning"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, _start: Start) {}

    fn observe(&mut self, _step: &Transition<'_>, _mask: &InterfaceMask) {}

    fn propose(&mut self, frame: &Grid, _mask: &InterfaceMask, _actions: ActionSet) -> Option<Proposal> {
        let expected = (frame == &picture(3)).then(|| picture(4));
        let steps = if expected.is_some() { self.0 } else { 1 };
        let score = 10.0 + steps as f32;
        Some(Proposal { steps: vec![Move { action: LEFT, expected }; steps].into(), goal: "plan".to_owned(), score })
    }
}

#[test]
fn whoever_has_a_rest_from_experiments_may_still_have_a_plan() {
    let (mut skills, mask) = (Skills::new(vec![Box::new(Planning(1))]), InterfaceMask::new());
    let actions = ActionSet::of(&[ActionId::Action3]);
    skills.seen.extend([(0, 1), (1, 2), (2, 0)].map(|(from, to)| {
        let key = |count: u8| Snapshot::of(&picture(count)).key(&mask);
        (key(from), key(to))
    }));
    let mut now = 0;
    let tried = (0..20).filter(|_| {
        let is_taken_up = skills.takes_up(&picture(now), &mask, actions, 99.0);
        skills.follow(actions);
        let (before, layers) = (picture(now), [picture((now + 1) % 3)]);
        now = (now + 1) % 3;
        let step = Transition { before: &before, action: LEFT, layers: &layers, outcome: Outcome::Continues };
        skills.observe(&step, &mask);
        is_taken_up
    });
    assert_eq!(tried.count(), STALE as usize);
    assert!(!skills.takes_up(&picture(1), &mask, actions, 99.0), "it has a rest");
    assert!(skills.takes_up(&picture(3), &mask, actions, 99.0), "a plan");
}

#[test]
fn a_long_plan_of_one_that_foresees_right_comes_before_experiments_that_a_short_one_comes_before() {
    let actions = ActionSet::of(&[ActionId::Action3]);
    let who = |(steps, right): (usize, u32)| {
        let mut skills = Skills::new(vec![Box::new(Returning), Box::new(Planning(steps))]);
        skills.forms[1].right = right;
        skills.takes_up(&picture(3), &InterfaceMask::new(), actions, 99.0);
        skills.follow(actions).map(|it| it.who)
    };
    let [planning, returning] = ["planning", "returning"].map(|it| Some(Who::Skill(it)));
    assert_eq!([(3, 0), (20, 0), (20, PROVEN)].map(who), [planning, returning, planning]);
}

/// Would begin again at any time, for a plan that is no better than others.
#[derive(Debug)]
struct Returning;

impl Skill for Returning {
    fn name(&self) -> &'static str {
        "returning"
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, _start: Start) {}

    fn observe(&mut self, _step: &Transition<'_>, _mask: &InterfaceMask) {}

    fn propose(&mut self, _frame: &Grid, _mask: &InterfaceMask, _actions: ActionSet) -> Option<Proposal> {
        Some(Proposal::experiment(LEFT, "what it returned for".to_owned(), 15.0))
    }

    fn starts_over(&mut self) -> bool {
        true
    }

    fn returns_on_purpose(&self) -> bool {
        true
    }
}

#[test]
fn what_puts_things_back_as_foreseen_goes_on() {
    let (mut skills, mask) = (Skills::new(vec![Box::new(Returning)]), InterfaceMask::new());
    let actions = ActionSet::of(&[ActionId::Action3]);
    let step = |skills: &mut Skills| {
        skills.takes_up(&picture(0), &mask, actions, 20.0);
        skills.follow(actions)
    };
    step(&mut skills).unwrap();
    assert!(skills.take_returning().is_none(), "that was the last step");
    let proposal = Proposal { steps: vec![Move { action: LEFT, expected: None }; 3].into(), ..Proposal::default() };
    skills.pursuit = Some(Pursuit { skill: 0, proposal, expected: None, shows_new: false, is_foreseen: false });
    skills.follow(actions).unwrap();
    let going_on = skills.take_returning();
    skills.begin(&picture(0), &mask, Start::Again);
    assert!(skills.follow(actions).is_none());
    skills.go_on(going_on);
    assert_eq!(skills.pursuit.as_ref().map(|it| it.proposal.steps.len()), Some(2));
}

#[test]
fn whoever_had_the_level_begun_again_comes_first_once() {
    let (mut skills, mask) = (Skills::new(vec![Box::new(Counting), Box::new(Returning)]), InterfaceMask::new());
    let actions = ActionSet::of(&[ActionId::Action3]);
    let who = |skills: &mut Skills| {
        let is_wanted = skills.takes_up(&picture(0), &mask, actions, 12.0);
        let who = skills.follow(actions).map(|it| it.who);
        skills.drop();
        who.filter(|_| is_wanted)
    };
    assert_eq!(who(&mut skills), Some(Who::Skill("counting")));
    assert_eq!(skills.start_over(), Some(Who::Skill("returning")));
    skills.begin(&picture(0), &mask, Start::Again);
    assert_eq!(who(&mut skills), Some(Who::Skill("returning")));
    assert_eq!(who(&mut skills), Some(Who::Skill("counting")));
}

#[test]
fn where_the_level_would_begin_again_only_a_plan_of_who_won_before_counts() {
    let (mask, actions) = (InterfaceMask::new(), ActionSet::of(&[ActionId::Action3]));
    let taken = |skill: Box<dyn Skill>| {
        let mut skills = Skills::new(vec![skill]);
        let by_winners = Terms { limit: 20.0, by_winners: true, ..Terms::default() };
        let before = skills.take_up(&picture(0), &mask, actions, &by_winners);
        assert!(skills.takes_up(&picture(0), &mask, actions, 20.0) && skills.follow(actions).is_some());
        let (first, layers) = (picture(0), [picture(1)]);
        let step = Transition { before: &first, action: LEFT, layers: &layers, outcome: Outcome::Solved };
        skills.observe(&step, &mask);
        skills.begin(&picture(0), &mask, Start::Level);
        [before, skills.take_up(&picture(0), &mask, actions, &by_winners)]
    };
    assert_eq!(taken(Box::new(Counting)), [Taken::Nothing, Taken::Up]);
    assert_eq!(taken(Box::new(Stubborn)), [Taken::Nothing; 2], "an experiment is no plan");
}

/// Another skill, but for nothing else than to see what comes.
#[derive(Debug)]
struct Curious<S>(S);

impl<S: Skill> Skill for Curious<S> {
    fn name(&self) -> &'static str {
        "curious"
    }

    fn is_curious(&self) -> bool {
        true
    }

    fn begin(&mut self, _frame: &Grid, _mask: &InterfaceMask, _start: Start) {}

    fn observe(&mut self, _step: &Transition<'_>, _mask: &InterfaceMask) {}

    fn propose(&mut self, frame: &Grid, mask: &InterfaceMask, actions: ActionSet) -> Option<Proposal> {
        self.0.propose(frame, mask, actions)
    }
}

#[test]
fn nobody_is_curious_about_what_the_model_foretells() {
    let actions = ActionSet::of(&[ActionId::Action3]);
    let taken = |skill: Box<dyn Skill>, foretold: Vec<Action>| {
        let terms = Terms { limit: 20.0, foretold, ..Terms::default() };
        Skills::new(vec![skill]).take_up(&picture(0), &InterfaceMask::new(), actions, &terms)
    };
    assert_eq!(taken(Box::new(Curious(Stubborn)), Vec::new()), Taken::Up);
    assert_eq!(taken(Box::new(Curious(Stubborn)), vec![LEFT]), Taken::Nothing);
    assert_eq!(taken(Box::new(Stubborn), vec![LEFT]), Taken::Up, "it may know better what that is for");
    assert_eq!(taken(Box::new(Curious(Restless)), vec![LEFT]), Taken::Up, "it says itself what comes");
}

#[test]
fn nothing_is_taken_up_that_is_no_better_than_the_search() {
    let mut skills = Skills::new(vec![Box::new(Counting)]);
    let actions = ActionSet::of(&[ActionId::Action3]);
    assert!(!skills.takes_up(&picture(0), &InterfaceMask::new(), actions, 10.0));
}

#[test]
fn a_plan_that_is_longer_than_the_budget_is_not_begun() {
    let (mask, actions) = (InterfaceMask::new(), ActionSet::of(&[ActionId::Action3]));
    let mut skills = Skills::new(vec![Box::new(Planning(9))]);
    let mut taken = |(left, full): (u32, u32), limit: f32, may_start_over: bool| {
        let terms = Terms { limit, fuel: Fuel::left(left, full), may_start_over, ..Terms::default() };
        let taken = skills.take_up(&picture(3), &mask, actions, &terms);
        skills.drop();
        taken
    };
    let open = f32::INFINITY;
    assert_eq!(taken((9, 20), 99.0, true), Taken::Up);
    assert_eq!(taken((8, 20), 99.0, false), Taken::Nothing, "the search has something that does not lose");
    assert_eq!(taken((8, 20), open, false), Taken::Up, "nothing else is offered");
    assert_eq!(taken((7, 7), open, false), Taken::Nothing, "no budget is large enough");
    assert_eq!(taken((8, 20), open, true), Taken::FromTheBeginning(Who::Skill("planning")));
    assert_eq!(taken((8, 20), open, true), Taken::Up, "beginning again did not help");
}

#[test]
fn what_the_budget_is_enough_for_comes_before_a_better_plan_that_it_is_too_short_for() {
    let mut skills = Skills::new(vec![Box::new(Planning(3)), Box::new(Returning)]);
    let actions = ActionSet::of(&[ActionId::Action3]);
    let mut who = |left: u32| {
        let terms = Terms { limit: 99.0, fuel: Fuel::left(left, 20), ..Terms::default() };
        skills.take_up(&picture(3), &InterfaceMask::new(), actions, &terms);
        let who = skills.follow(actions).map(|it| it.who);
        skills.drop();
        who
    };
    assert_eq!(who(3), Some(Who::Skill("planning")));
    assert_eq!(who(2), Some(Who::Skill("returning")));
}
