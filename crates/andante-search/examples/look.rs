//! Experiment.
use andante_search::*;
use std::sync::Arc;
fn env(name: &str, d: f64) -> f64 { std::env::var(name).ok().and_then(|t| t.parse().ok()).unwrap_or(d) }
fn main() {
    let name = std::env::args().nth(1).unwrap_or("basic-run".into());
    let seed = env("SEED", 1.0) as u64;
    let sketch = if name.ends_with(".toml") { read_sketch_file(std::path::Path::new(&name)).unwrap() } else { GaitSketch::built_in(&name).unwrap() };
    let body = andante_body::creature(&sketch.character).unwrap();
    let problem = Arc::new(GaitProblem::new(&body, &sketch, &ProblemOptions::default()).unwrap());
    let d = SearchOptions::default();
    let options = SearchOptions { seed, sigma: env("SIGMA", d.sigma), generations: env("GENS", d.generations as f64) as u64, population: std::env::var("POP").ok().map(|t| t.parse().unwrap()), ..d };
    let mut search = Search::new(problem.clone(), &options, env("THREADS", 1.0) as usize).unwrap();
    let (mut last, mut was) = (0.0, "");
    while !search.is_over() && search.evaluations() < env("EVALS", 400000.0) as u64 {
        search.step();
        let now = *search.history().last().unwrap();
        if search.seconds() - last > 20.0 || (search.activity() != was) {
            last = search.seconds(); was = search.activity();
            println!("{name} {seed} {:.0}s {} {}: merit {:.2} v {:.2} residual {:.2} violated {} [{}]", search.seconds(), now.evaluations, search.activity(), now.merit, now.speed, now.residual, now.violated, worst(&problem, &search.best().unwrap().trial));
        }
    }
    let best = search.best().unwrap();
    let gait = Gait::new(&problem, best);
    println!("{} {name} seed {seed}: {} evals {:.0}s v {:.2} residual {:.2} {:?}", if gait.valid {"VALID"} else {"FAILED"}, search.evaluations(), search.seconds(), gait.speed, gait.residual, problem.complaints(&best.trial));
    let base = sketch.name;
    if gait.valid { std::fs::write(format!("/tmp/gaits/{base}-{seed}.toml"), gait.to_toml().unwrap()).unwrap(); }
    println!("    worst: {}", worst(&problem, &best.trial));
    println!("    at bounds: {}", best.point.iter().enumerate().filter(|(_, u)| **u < 1e-3 || **u > 0.999).map(|(k, u)| format!("{}={:.2}", problem.variables()[k].name, problem.variables()[k].value(*u))).collect::<Vec<_>>().join(", "));
}

fn worst(problem: &GaitProblem, trial: &Trial) -> String {
    let n = problem.tolerances().len();
    let errors = problem.errors(trial);
    let mut worst: Vec<(usize, f64)> = errors.iter().map(|e| e.abs()).enumerate().collect();
    worst.sort_by(|a, b| b.1.total_cmp(&a.1));
    worst.iter().take(5).map(|(k, e)| format!("{} {:.1}", if *k < n { problem.constraint_names()[*k].clone() } else { format!("lead {}", *k - n) }, e)).collect::<Vec<_>>().join(", ")
}
