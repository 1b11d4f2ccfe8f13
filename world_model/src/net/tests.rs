//! Both nets on a world of sixteen cells squared, in which a figure of four cells moves by its own size.

use env_client::{Color, Key, Point};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use solver::nn::stream;

use super::{
    batch::Moment,
    head::{Output, Truth},
    story::{Disguise, Window, batch},
    *,
};

const SIDE: u8 = 16;

/// A figure among walls, all on even cells.
#[derive(Clone)]
struct Mover {
    at: (i8, i8),
    walls: Vec<(i8, i8)>,
}

impl Mover {
    fn new(rng: &mut ChaCha8Rng) -> Mover {
        let walls = (0..10).map(|_| (rng.random_range(0..8), rng.random_range(0..8))).collect();
        Mover { at: (3, 4), walls }
    }

    fn frame(&self) -> Grid {
        let mut grid = Grid::filled(SIDE, SIDE, Color::ALL[1]);
        let mut paint = |(x, y): (i8, i8), color: u8| {
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                grid.set(Point::new(2 * x + dx, 2 * y + dy).unwrap(), Color::ALL[usize::from(color)]);
            }
        };
        self.walls.iter().for_each(|wall| paint(*wall, 5));
        paint(self.at, 9);
        grid
    }

    fn act(&mut self, action: Action) {
        let moves = [(0, -1), (0, 1), (-1, 0), (1, 0)];
        let Some((dx, dy)) = moves.get(usize::from(action.id().number()) - 1) else { return };
        let next = (self.at.0 + dx, self.at.1 + dy);
        let inside = (0..8).contains(&next.0) && (0..8).contains(&next.1);
        if inside && !self.walls.contains(&next) {
            self.at = next;
        }
    }
}

/// So many random steps, every seventh a click that does nothing, begun again after every tenth.
fn story(config: &NetConfig, seed: u64, steps: usize) -> Story {
    let mut rng = stream(seed, "mover");
    let mut world = Mover::new(&mut rng);
    let mut story = Story::new(config.side(), config.components());
    for step in 0..steps {
        if step % 10 == 0 {
            story.begin();
        }
        let before = world.frame();
        let action = match step % 7 {
            6 => Action::Click(Point::new(2, 2 * step as i64 % 16).unwrap()),
            _ => Action::Key(Key::ALL[rng.random_range(0..4)]),
        };
        world.act(action);
        let layers = [world.frame()];
        story.push(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
    }
    story
}

fn nets() -> [NetConfig; 2] {
    [NetConfig::SlotMamba(SlotMambaConfig::xs()), NetConfig::Cnn(CnnConfig::xs())]
}

fn whole(story: &Story) -> Window {
    story.window(0..story.len(), &Disguise::NONE)
}

fn scanned(model: &Model, window: &Window) -> Output {
    model.scan(&batch(std::slice::from_ref(window), &model.config).unwrap()).unwrap()
}

/// The same with up and down, left and right exchanged.
fn exchanged(model: &Model, window: &Window) -> Output {
    let other = |action| match action {
        Action::Key(key) => Action::Key(Key::ALL[(key as usize - 1) ^ 1]),
        click @ Action::Click(_) => click,
    };
    let moments: Vec<Moment<'_>> =
        window.moments().map(|moment| Moment { action: other(moment.action), ..moment }).collect();
    let (side, steps) = (model.config.side(), moments.len());
    model.scan(&Batch::new(&moments, steps, side, &Device::Cpu).unwrap()).unwrap()
}

/// Frames foretold exactly, of those that change and of those that do not.
fn exact(model: &Model, window: &Window) -> [f64; 2] {
    exact_of(&scanned(model, window), window)
}

fn exact_of(output: &Output, window: &Window) -> [f64; 2] {
    let truths: Vec<Truth<'_>> = window.truths().collect();
    let before: Vec<(&TileMap, &Disguise)> = truths.iter().map(|truth| (truth.before, truth.disguise)).collect();
    let answers = answers(output, &before).unwrap();
    let share = |changes: bool| {
        let of = truths.iter().zip(&answers).filter(|(truth, _)| (truth.after != Some(truth.before)) == changes);
        let right: Vec<bool> = of.map(|(truth, answer)| truth.after == Some(&answer.frame)).collect();
        right.iter().filter(|right| **right).count() as f64 / right.len().max(1) as f64
    };
    [share(true), share(false)]
}

/// Learns from a story as inside a game.
fn learn(model: &Model, story: &Story, steps: usize) {
    let how = Adaptation { steps, windows: 3, length: 5, lr: 4e-3, time: None };
    Learner::new(how, model, 1).unwrap().learn(model, story).unwrap();
}

fn numbers(tensor: &candle_core::Tensor) -> Vec<f32> {
    tensor.flatten_all().unwrap().to_vec1().unwrap()
}

#[test]
fn step_by_step_a_net_says_what_it_says_of_all_steps_at_once() {
    for config in nets() {
        let model = Model::fresh(config.clone(), 3).unwrap();
        let story = story(&config, 1, 14);
        let whole = scanned(&model, &whole(&story));
        let (whole, aside) = (numbers(&whole.cells), numbers(&whole.aside));
        let mut memory = model.memory(1).unwrap();
        let each = whole.len() / story.len();
        for step in 0..story.len() {
            let window = [story.window(step..step + 1, &Disguise::NONE)];
            let output = model.step(&batch(&window, &config).unwrap(), &mut memory).unwrap();
            let said = numbers(&output.cells).into_iter().chain(numbers(&output.aside));
            let expected = whole[step * each..][..each].iter().chain(&aside[step * 4..][..4]);
            for (said, expected) in said.zip(expected) {
                assert!((said - expected).abs() < 1e-5, "step {step}: {said}, at once {expected}");
            }
        }
    }
}

#[test]
fn a_step_depends_on_the_steps_before_it_but_not_across_a_start() {
    let config = NetConfig::SlotMamba(SlotMambaConfig::xs());
    let model = Model::fresh(config.clone(), 3).unwrap();
    let story = story(&config, 1, 14);
    let last = |from: usize, to: usize| {
        let output = scanned(&model, &story.window(from..to, &Disguise::NONE));
        numbers(&output.aside)[4 * (to - from - 1)..].to_vec()
    };
    assert_ne!(last(0, 9), last(4, 9));
    let far: Vec<bool> = last(0, 14).iter().zip(last(10, 14)).map(|(a, b)| (a - b).abs() > 1e-5).collect();
    assert_eq!(far, [false; 4]);
}

#[test]
fn every_weight_of_both_nets_is_trained() {
    for config in nets() {
        let model = Model::fresh(config.clone(), 5).unwrap();
        let window = whole(&story(&config, 2, 12));
        let truths: Vec<Truth<'_>> = window.truths().collect();
        let gradients = head::loss(&scanned(&model, &window), &truths).unwrap().backward().unwrap();
        for (name, var) in model.params.trained() {
            let gradient = gradients.get(var).unwrap_or_else(|| panic!("{name} has no gradient"));
            assert!(numbers(gradient).iter().any(|value| *value != 0.0), "the gradient of {name} is zero");
        }
    }
}

#[test]
fn a_fresh_net_copies() {
    for config in nets() {
        let model = Model::fresh(config.clone(), 5).unwrap();
        let [changed, same] = exact(&model, &whole(&story(&config, 2, 40)));
        assert!(changed < 1e-9 && same > 0.999, "{changed} {same}");
    }
}

#[test]
fn twenty_steps_are_learned_by_heart_and_depend_on_the_action() {
    for config in nets() {
        let model = Model::fresh(config.clone(), 5).unwrap();
        let story = story(&config, 2, 20);
        learn(&model, &story, 220);
        let window = whole(&story);
        let [changed, same] = exact(&model, &window);
        assert!(changed > 0.999 && same > 0.999, "{config:?}: {changed} {same}");
        let wrong = exact_of(&exchanged(&model, &window), &window)[0];
        assert!(wrong < 0.2, "{config:?}: {wrong} of the changes without their actions");
    }
}

#[test]
fn shuffled_next_frames_teach_nothing_that_beats_copying() {
    let config = NetConfig::Cnn(CnnConfig::xs());
    let model = Model::fresh(config.clone(), 5).unwrap();
    let (mut shuffled, mut rng) = (Story::new(16, 0), stream(7, "shuffle"));
    let frames: Vec<Grid> = whole(&story(&config, 2, 60)).truths().map(|truth| truth.before.drawn()).collect();
    for before in &frames {
        let layers = [frames[rng.random_range(0..frames.len())].clone()];
        let action = Action::Key(Key::ALL[rng.random_range(0..4)]);
        shuffled.push(&Transition { before, action, layers: &layers, outcome: Outcome::Continues });
    }
    learn(&model, &shuffled, 100);
    let [changed, _] = exact(&model, &whole(&story(&config, 2, 60)));
    assert!(changed < 0.05, "{changed} of the changes from shuffled frames");
}

#[test]
fn in_a_game_the_same_seed_gives_the_same_predictions_and_confidence_is_earned() {
    let config = NetConfig::Cnn(CnnConfig::xs());
    let play = |seed: u64| {
        let mut net = Net::fresh(config.clone(), seed).unwrap();
        let mut world = Mover::new(&mut stream(1, "mover"));
        net.begin(&world.frame(), Start::Level);
        for step in 0..12 {
            let (before, action) = (world.frame(), Action::Key(Key::ALL[step % 4]));
            world.act(action);
            let layers = [world.frame()];
            net.observe(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
        }
        let state = State::seen(world.frame());
        (net.predict(&state, Action::Key(Key::ALL[0])), net.disagreement(&state, Action::Key(Key::ALL[1])))
    };
    let (first, other) = (play(1), play(2));
    assert_eq!(first, play(1));
    assert_ne!(first.1.to_bits(), other.1.to_bits());
    assert!(first.0.confidence < 0.9 && first.0.source == Source::Net);
}

#[test]
fn a_frame_larger_than_the_canvas_is_unknown() {
    let net = Net::fresh(NetConfig::Cnn(CnnConfig::xs()), 1).unwrap();
    let state = State::seen(Grid::filled(17, 3, Color::ALL[0]));
    assert_eq!(net.predict(&state, Action::Key(Key::ALL[0])), Prediction::UNKNOWN);
}

#[test]
fn the_convolutions_see_every_place_alike() {
    let model = Model::fresh(NetConfig::Cnn(CnnConfig::xs()), 3).unwrap();
    let cell = |x: i64| {
        let mut before = Grid::filled(16, 16, Color::ALL[1]);
        before.set(Point::new(x, 7).unwrap(), Color::ALL[9]);
        let layers = [Grid::filled(16, 16, Color::ALL[1])];
        let mut story = Story::new(16, 0);
        let action = Action::Key(Key::ALL[0]);
        story.push(&Transition { before: &before, action, layers: &layers, outcome: Outcome::Continues });
        let said = numbers(&scanned(&model, &whole(&story)).cells);
        said[(7 * 16 + x as usize) * head::VALUES..][..head::VALUES].to_vec()
    };
    // Six cells from every edge: what the convolutions reach.
    for (one, other) in cell(7).into_iter().zip(cell(9)) {
        assert!((one - other).abs() < 1e-5, "{one} {other}");
    }
}

#[test]
fn what_was_read_on_other_tiles_is_not_learned_from() {
    let drawn = |scale: usize| {
        let mut frame = Grid::filled(64, 64, Color::ALL[1]);
        for point in frame.clone().points() {
            let (x, y) = (usize::from(point.x()) / scale, usize::from(point.y()) / scale);
            frame.set(point, Color::ALL[[1, 1, 5, 9, 1][(x * x + 3 * y * x + y) % 5]]);
        }
        frame
    };
    let mut story = Story::new(16, 0);
    let mut live = |frame: &Grid| {
        story.level(frame);
        let (action, layers) = (Action::Key(Key::ALL[0]), [frame.clone()]);
        story.push(&Transition { before: frame, action, layers: &layers, outcome: Outcome::Continues });
        story.current()
    };
    assert_eq!([live(&drawn(4)), live(&drawn(4)), live(&drawn(5))], [0..1, 0..2, 2..3]);
}
