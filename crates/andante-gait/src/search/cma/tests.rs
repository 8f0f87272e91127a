//! Known functions, minimised.

use super::*;

fn minimise(n: usize, options: &CmaOptions, f: impl Fn(&[f64]) -> f64) -> Cma {
    let mut search = Cma::new(&vec![0.5; n], options);
    while search.stop().is_none() {
        let values: Vec<f64> = search.ask().iter().map(|x| f(x)).collect();
        search.tell(&values);
    }
    search
}

fn precise() -> CmaOptions {
    CmaOptions { tolerance: 1e-9, generations: 20_000, ..CmaOptions::default() }
}

#[test]
fn the_population_is_the_published_one() {
    assert_eq!(automatic_population(90), 17);
    assert_eq!(Cma::new(&[0.5; 90], &CmaOptions::default()).ask().len(), 17);
}

#[test]
fn a_sphere_is_descended_to_its_middle() {
    let search = minimise(10, &precise(), |x| x.iter().map(|x| (x - 0.3).powi(2)).sum());
    assert!(search.best().value < 1e-15, "{:e}", search.best().value);
    // Log-linear convergence: about a hundred evaluations for each variable and decade would be poor.
    assert!(search.evaluations() < 10_000, "{}", search.evaluations());
}

#[test]
fn an_ellipsoid_a_thousand_times_longer_than_wide_is_learnt() {
    let search = minimise(8, &precise(), |x| {
        x.iter()
            .enumerate()
            .map(|(k, x)| 10f64.powf(6.0 * k as f64 / 7.0) * (x - 0.6).powi(2))
            .sum()
    });
    assert!(search.best().value < 1e-12, "{:e}", search.best().value);
}

/// Rosenbrock's curved valley; its variables run from −2 to 2.
#[test]
fn rosenbrocks_valley_is_followed_to_its_end() {
    let search = minimise(6, &precise(), |x| {
        let x: Vec<f64> = x.iter().map(|x| 4.0 * x - 2.0).collect();
        x.windows(2).map(|p| 100.0 * (p[1] - p[0] * p[0]).powi(2) + (1.0 - p[0]).powi(2)).sum()
    });
    assert!(search.best().value < 1e-12, "{:e}", search.best().value);
    for x in &search.best().point {
        assert!((x - 0.75).abs() < 1e-6, "{x}");
    }
}

#[test]
fn a_least_value_on_a_face_of_the_cube_is_found_there() {
    let search = minimise(6, &precise(), |x| x.iter().map(|x| x + 2.0 * (x - 0.5)).sum());
    for x in &search.best().point {
        assert!((0.0..1e-6).contains(x), "{x}");
    }
}

#[test]
fn samples_stay_in_the_cube_and_values_that_are_no_numbers_lose() {
    let mut search = Cma::new(&[0.0, 1.0, 7.3, f64::NAN], &CmaOptions::default());
    for _ in 0..50 {
        let samples = search.ask();
        assert!(samples.iter().flatten().all(|x| (0.0..=1.0).contains(x)));
        let values: Vec<f64> =
            samples.iter().map(|x| if x[0] > 0.5 { f64::NAN } else { x[1] }).collect();
        search.tell(&values);
    }
    assert!(search.best().point[0] <= 0.5 && search.best().value < 0.1);
}

#[test]
fn a_search_written_and_read_again_goes_on_bit_by_bit() {
    let f = |x: &[f64]| x.iter().enumerate().map(|(k, x)| (k + 1) as f64 * x.sin()).sum();
    let mut whole = Cma::new(&[0.4; 12], &CmaOptions::default());
    let mut copy = None;
    for generation in 0..120 {
        if generation == 60 {
            let bytes = postcard::to_allocvec(&whole).unwrap();
            copy = Some(postcard::from_bytes::<Cma>(&bytes).unwrap());
        }
        for search in [Some(&mut whole), copy.as_mut()].into_iter().flatten() {
            let values: Vec<f64> = search.ask().iter().map(|x| f(x)).collect();
            search.tell(&values);
        }
    }
    assert_eq!(Some(whole), copy);
}

#[test]
fn a_search_moved_goes_on_from_there() {
    let f = |x: &[f64]| x.iter().map(|x| (x - 0.3).powi(2)).sum::<f64>();
    let mut search = Cma::new(&[0.9; 4], &CmaOptions { sigma: 0.01, ..Default::default() });
    search.move_to(&[0.3; 4], 0.0);
    search.move_to(&[0.3; 5], -1.0);
    assert_eq!(search.best().value, 0.0);
    let values: Vec<f64> = search.ask().iter().map(|x| f(x)).collect();
    assert!(values.iter().all(|value| *value < 0.01), "{values:?}");
}

#[test]
fn another_seed_is_another_search() {
    let other = CmaOptions { seed: 2, ..CmaOptions::default() };
    let first = Cma::new(&[0.5; 3], &CmaOptions::default());
    assert_eq!(first.ask(), first.ask());
    assert_ne!(first.ask(), Cma::new(&[0.5; 3], &other).ask());
}
