//! Pushes a standing human and prints what it does.
#![allow(clippy::print_stdout)]
use andante_balance::*;
use andante_dynamics::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<f64> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    let (impulse, direction, seconds) = (args[0], args[1].to_radians(), args[2]);
    let every = args.get(3).copied().unwrap_or(0.1);
    let body = andante_body::creature("humanoid")?;
    let physique = Physique::new(&body, &body.poses()[0], 0.8)?;
    println!("mass {} height {} hips {} leg {} half {}", physique.mass, physique.height, physique.hips, physique.leg, physique.half_width);
    let options = Options { step: 1.0 / 240.0, ..Options::default() };
    let mut sim = Simulation::<f64>::new(physique.model.clone(), Terrain::level(), options)?;
    let mut balancer = Balancer::new(&physique, BalanceOptions::default());
    let start = 1.0;
    let mut next = 0.0;
    let began = std::time::Instant::now();
    while sim.time() < seconds {
        let t = sim.time();
        if t >= start && t < start + 0.1 - 1e-9 {
            let f = vec3(direction.sin(), 0.0, direction.cos()) * (impulse / 0.1);
            let at = sim.kinematics().point(&physique.model, physique.torso, vec3(0.0, 0.3, 0.0));
            sim.apply_force(physique.torso, f, at);
        }
        balancer.drive(&physique, &mut sim);
        let r = sim.step();
        if r.quarantined != 0 { println!("quarantine {:?}", sim.quarantine(0)); break; }
        if t >= next - 1e-9 {
            next += every;
            let s = balancer.senses();
            let x = s.desired_pressure(s.rate, s.rate);
            let rot = sim.kinematics().rotation(physique.torso);
            println!("{t:5.2} c {:6.3} {:6.3} {:6.3} v {:6.3} {:6.3} {:6.3} cap {:6.3} {:6.3} cop {:?} H {:6.2} {:6.2} {:6.2} up {:5.3} load {:4.0} {:4.0} steps {} {}",
                s.centre.x, s.centre.y, s.centre.z, s.velocity.x, s.velocity.y, s.velocity.z, x[0], x[1],
                s.pressure.map(|p| p.map(|x| (x*1000.0).round()/1000.0)), s.spin.x, s.spin.y, s.spin.z, rot.y.y, s.load[0], s.load[1], balancer.steps(),
                match balancer.phase() { Phase::Stand => "stand".into(), Phase::Step{foot,swing} => format!("step {foot} to {:.2} {:.2} T {:.2}", swing.to.x, swing.to.z, swing.duration), Phase::Shift{foot,..} => format!("shift {foot}"), Phase::Return{foot,..} => format!("return {foot}")});
        }
    }
    println!("us per step {}", began.elapsed().as_secs_f64() * 1e6 / sim.steps() as f64);
    Ok(())
}
