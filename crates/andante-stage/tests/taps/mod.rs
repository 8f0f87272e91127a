//! Tapping people on a stage at random moments, anywhere, in any direction, and counting what comes of it.

use andante_stage::{
    BodyDrive, Command, EventKind, PushOrder, Scene, Stage, built_in_scenes, read_scene,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::fmt;

/// What came of taps.
#[derive(Clone, Debug, Default)]
pub struct TapOutcome {
    /// How often somebody was tapped.
    pub taps: usize,
    /// How many of them gave way while motion led them on; forces took the others.
    pub gave_way: usize,
    /// Falls, by tap: a fall counts for the last tap of who fell.
    pub falls: usize,
    /// Struggles that were given up.
    pub given_up: usize,
    /// Falls of people whom nobody had touched.
    pub untouched: usize,
    /// Arrivals of the same scene without taps that did not come with them.
    pub missing: usize,
    /// Whether it was over in twice the time and half a minute.
    pub endless: usize,
    /// The bones that were tapped last before falls.
    pub bones: Vec<String>,
}

impl TapOutcome {
    /// Whether anybody fell, gave up or did not get where it should.
    pub fn is_bad(&self) -> bool {
        self.falls + self.given_up + self.untouched + self.missing + self.endless > 0
    }

    /// Adds another's.
    pub fn add(&mut self, other: &Self) {
        self.taps += other.taps;
        self.gave_way += other.gave_way;
        self.falls += other.falls;
        self.given_up += other.given_up;
        self.untouched += other.untouched;
        self.missing += other.missing;
        self.endless += other.endless;
        self.bones.extend(other.bones.iter().cloned());
    }
}

impl fmt::Display for TapOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} taps, {} gave way, {} by forces: {} falls, {} gave up, {} fell untouched, {} did not arrive, {} endless {:?}",
            self.taps,
            self.gave_way,
            self.taps - self.gave_way,
            self.falls,
            self.given_up,
            self.untouched,
            self.missing,
            self.endless,
            self.bones
        )
    }
}

/// Everybody in it can be touched, and nobody is pushed or falls by the script.
fn touchable(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    for part in scene.characters.iter_mut().filter(|part| part.character == "humanoid") {
        part.nature = BodyDrive::WhenTouched;
    }
    scene.orders.retain(|order| {
        !matches!(
            order.command,
            Command::Push(_) | Command::Throw(_) | Command::Fall | Command::GetUp
        )
    });
    scene
}

/// Arrivals of everybody until it is over, and when that was; the stage is told of every frame.
fn played(
    scene: &Scene,
    seed: u64,
    longest: f64,
    mut each: impl FnMut(&mut Stage),
) -> (Vec<usize>, f64) {
    let mut stage = Stage::new(scene, seed).unwrap();
    let mut arrived = vec![0; stage.actors().len()];
    while !stage.is_over() && stage.time() < longest {
        stage.step(1.0 / 60.0);
        for event in stage.events() {
            if let (EventKind::Arrived, Some(who)) = (&event.kind, event.track) {
                arrived[who] += 1;
            }
        }
        each(&mut stage);
    }
    (arrived, stage.time())
}

/// Taps people of a scene `count` times with `impulse` N·s each.
pub fn tap(scene: &Scene, seed: u64, count: usize, impulse: f32) -> TapOutcome {
    const LONGEST: f64 = 60.0;
    let scene = touchable(scene);
    let (expected, seconds) = played(&scene, seed, LONGEST, |_| {});
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut moments: Vec<f64> = (0..count).map(|_| random.random_range(0.3..seconds)).collect();
    moments.sort_by(f64::total_cmp);
    let mut moments = moments.into_iter().peekable();
    let mut out = TapOutcome::default();
    let mut touched = vec![String::new(); scene.characters.len()];
    let longest = if seconds < LONGEST { 2.0 * seconds + 30.0 } else { LONGEST };
    let (arrived, ended) = played(&scene, seed, longest, |stage| {
        for event in stage.events() {
            let Some(who) = event.track else { continue };
            match event.kind {
                EventKind::Fell if !touched[who].is_empty() => {
                    out.falls += 1;
                    out.bones.push(touched[who].clone());
                }
                EventKind::Fell => out.untouched += 1,
                EventKind::GaveWay => out.gave_way += 1,
                EventKind::GaveUp => out.given_up += 1,
                _ => {}
            }
        }
        while moments.next_if(|moment| *moment <= stage.time()).is_some() {
            let who = random.random_range(0..stage.actors().len());
            if scene.characters[who].nature != BodyDrive::WhenTouched {
                continue;
            }
            let joints = stage.actors()[who].character().skeleton.joints();
            let bone = joints[random.random_range(0..joints.len())].name.clone();
            let direction = random.random_range(-3.1..3.1);
            let push = PushOrder { bone: Some(bone.clone()), ..PushOrder::new(impulse, direction) };
            stage.command(who, Command::Push(push)).unwrap();
            (out.taps, touched[who]) = (out.taps + 1, bone);
        }
    });
    out.missing = expected.iter().zip(&arrived).map(|(a, b)| a.saturating_sub(*b)).sum();
    out.endless = usize::from(seconds < LONGEST && ended >= longest);
    out
}

/// Every built-in scene.
pub fn scenes() -> Vec<(String, Scene)> {
    let all = built_in_scenes().iter();
    all.map(|scene| (scene.name.to_string(), read_scene(scene.text).unwrap())).collect()
}

/// Somebody who does one kind of thing on one kind of ground.
pub const KINDS: [&str; 9] = [
    "run",
    "curve",
    "short",
    "straight",
    "turn",
    "slope walk",
    "slope stand",
    "stairs walk",
    "stairs stand",
];

/// A scene of a kind that nobody has drawn; the same for a seed.
pub fn generated(kind: &str, seed: u64) -> Scene {
    let mut random = Pcg64Mcg::seed_from_u64(seed ^ 0x7a95);
    let mut between = |a: f32, b: f32| random.random_range(a..b);
    let yard = |slope: [f32; 2]| {
        format!(
            "[[platform]]\noutline = [[-40, -40], [40, -40], [40, 40], [-40, 40]]\nslope = {slope:?}\n"
        )
    };
    let way = between(-180.0, 180.0);
    let (sin, cos) = way.to_radians().sin_cos();
    let to = |far: f32| format!("[{}, {}]", sin * far, cos * far);
    let rise = between(0.12, 0.19);
    let flight = format!(
        "[[platform]]\noutline = [[-3, -6], [3, -6], [3, 1], [-3, 1]]\n[[stairs]]\nat = [0, 1]\nwidth = 2\nsteps = 9\nrise = {rise}\nrun = 0.29\n\
         [[platform]]\noutline = [[-3, 3.61], [3, 3.61], [3, 9], [-3, 9]]\nheight = {}\n",
        9.0 * rise
    );
    let slope = [between(-0.12, 0.12), between(-0.12, 0.12)];
    let mut starts = format!("at = [0, 0], heading = {}", way + between(-60.0, 60.0));
    let height = format!("height = {}", between(1.6, 1.95));
    let (ground, command) = match kind {
        "run" => (yard([0.0; 2]), format!("run_to = {}", to(between(12.0, 30.0)))),
        "short" => (yard([0.0; 2]), format!("walk_to = {}", to(between(1.0, 5.0)))),
        "straight" => (yard([0.0; 2]), format!("walk_to = {}", to(between(9.0, 15.0)))),
        "turn" => (yard([0.0; 2]), format!("face = {}", way + 180.0)),
        "slope walk" => (yard(slope), format!("walk_to = {}", to(between(4.0, 12.0)))),
        "slope stand" => (yard(slope), "wait = 6".into()),
        "curve" => {
            let radius = between(1.5, 4.0);
            let places: Vec<String> = (0..=12)
                .map(|step| {
                    let (sin, cos) = (0.4 * step as f32).sin_cos();
                    format!("[{}, {}]", radius * (1.0 - cos), radius * sin)
                })
                .collect();
            starts = "at = [0, 0], heading = 0".into();
            (yard([0.0; 2]), format!("path = [{}]", places.join(", ")))
        }
        "stairs walk" => {
            let up = between(0.0, 1.0) < 0.5;
            let (from, goal) = if up { (-4.0, 7.0) } else { (7.0, -4.0) };
            starts = format!("at = [0, {from}], heading = {}", if up { 0 } else { 180 });
            (flight, format!("walk_to = [0, {goal}]"))
        }
        _ => {
            // On a tread, with both feet.
            let step = between(2.0, 7.0).floor();
            starts =
                format!("at = [{}, {}], heading = 90", between(-0.4, 0.4), 1.145 + 0.29 * step);
            (flight, "wait = 6".into())
        }
    };
    let text = format!(
        "version = 1\nname = \"{kind} {seed}\"\n{ground}[[character]]\nname = \"ann\"\n{height}\nbody = \"physical_when_touched\"\nstart = {{ {starts} }}\n\
         [[command]]\nwho = \"ann\"\n{command}\n"
    );
    read_scene(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Physical people in a row, so far apart, who walk ten metres each in its own direction, pushed by nobody: how many there
/// are, how many fell, and how many did not arrive.
pub fn walks(people: usize, apart: f32, seed: u64, tell: bool) -> [usize; 3] {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut text =
        "version = 1\nname = \"walks\"\n[[platform]]\noutline = [[-90, -90], [90, -90], [90, 90], [-90, 90]]\n"
            .to_string();
    let mut goals: Vec<[f32; 2]> = Vec::new();
    for who in 0..people {
        let x = apart * (who as f32 - 0.5 * (people - 1) as f32);
        // Nobody can stand where another stands.
        let way = loop {
            let way = random.random_range(-180.0..180.0f32);
            let (sin, cos) = way.to_radians().sin_cos();
            let goal = [x + 10.0 * sin, 10.0 * cos];
            if goals.iter().all(|own| (own[0] - goal[0]).hypot(own[1] - goal[1]) > 1.5) {
                goals.push(goal);
                break way;
            }
        };
        let faces = way + random.random_range(-38.0..38.0);
        let (sin, cos) = way.to_radians().sin_cos();
        let (to_x, to_z) = (x + 10.0 * sin, 10.0 * cos);
        text += &format!(
            "[[character]]\nname = \"c{who}\"\nbody = \"physical\"\nstart = {{ at = [{x}, 0], heading = {faces} }}\n\
             [[command]]\nwho = \"c{who}\"\nwalk_to = [{to_x}, {to_z}]\n"
        );
    }
    let scene = read_scene(&text).unwrap();
    let (mut falls, mut last) = (0, vec![String::new(); people]);
    let (arrived, _) = played(&scene, seed, 90.0, |stage| {
        for event in stage.events() {
            let Some(who) = event.track else { continue };
            if event.kind == EventKind::Fell {
                falls += 1;
                if tell {
                    println!(
                        "  seed {seed}: c{who} falls at {:.2} s; before: {}",
                        event.time, last[who]
                    );
                }
            }
            last[who] += &format!(" {:.2} {};", event.time, event.word());
        }
    });
    for (who, _) in arrived.iter().enumerate().filter(|(_, own)| tell && **own == 0) {
        println!("  seed {seed}: c{who} does not arrive:{}", last[who]);
    }
    [people, falls, arrived.iter().filter(|own| **own == 0).count()]
}
