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
    if args.len() < 6 { println!("mass {} height {} hips {} leg {} half {}", physique.mass, physique.height, physique.hips, physique.leg, physique.half_width); }
    let options = Options { step: 1.0 / 240.0, ..Options::default() };
    let mut sim = Simulation::<f64>::new(physique.model.clone(), Terrain::level(), options)?;
    let mut o = BalanceOptions::default();
    for a in std::env::args() {
        let Some((k, v)) = a.split_once('=') else { continue };
        let v: f64 = v.parse()?;
        match k {
            "dyn" => o.weights.dynamics = v, "feet" => o.weights.feet = v, "swing" => o.weights.swing = v,
            "moment" => o.weights.moment = v, "torso" => o.weights.torso = v, "posture" => o.weights.posture = v,
            "legs" => o.weights.legs = v, "pk" => o.weights.posture_stiffness = v, "limits" => o.weights.limits = v, "damp" => o.weights.damping = v,
            "sweeps" => o.weights.sweeps = v as usize,
            "cent" => o.centring = v, "spin" => o.spin_decay = v, "hk" => o.height_stiffness = v, "uk" => o.upright_stiffness = v,
            "sk" => o.swing_stiffness = v, "hg" => o.hip_gain = v, "hs" => o.hip_reach_stepping = v, "hr" => o.hip_reach = v,
            "low" => o.step.duration[0] = v, "high" => o.step.duration[1] = v, "slow" => o.step.slowness = v,
            "apart" => o.step.apart = v, "reach" => o.step.reach = v, "beyond" => o.step.beyond = v, "clear" => o.step.clearance = v,
            "margin" => o.step.margin = v, "ret" => o.return_feet = v > 0.0,
            _ => return Err("what?".into()),
        }
    }
    let mut balancer = Balancer::new(&physique, o);
    if args.len() > 5 {
        // strongest n: a sweep
        let pushes = Push::random(args[5] as usize, impulse, 1);
        let began = std::time::Instant::now();
        let outcomes = try_pushes(&physique, o, &pushes, 1.0 / 240.0)?;
        let good = outcomes.iter().filter(|x| x.recovered && x.steps <= 4).count();
        let steps: usize = outcomes.iter().map(|x| x.steps).sum();
        println!("recovered {good}/{} exploded {} steps {:.2} in {:.1}s", outcomes.len(), outcomes.iter().filter(|x| x.exploded).count(), steps as f64 / outcomes.len() as f64, began.elapsed().as_secs_f64());
        if args[4] > 1.0 { for x in outcomes.iter().filter(|x| !x.recovered || x.steps > 4) {
            println!("  {:.1} {:.0} steps {} {}", x.push.impulse, x.push.direction.to_degrees(), x.steps, x.exploded);
        } }
        if args[4] > 2.0 { for d in [0.0f64, 90.0, 180.0, 270.0] { println!("{d}: {}", envelope(&physique, o, d.to_radians(), 4, 1.0 / 240.0)?); } }
        return Ok(());
    }
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
        if args.len() > 4 {
            let fast = (0..physique.model.links().len()).max_by(|&a, &b| sim.kinematics().velocity(a).0.length().total_cmp(&sim.kinematics().velocity(b).0.length())).unwrap_or(0);
            let top = balancer.acceleration().iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
            println!("   {} {:?} acc {top:?}", physique.model.links()[fast].name, sim.kinematics().velocity(fast).0.length());
            if let Some((foot, swing)) = balancer.phase().swinging() {
                let p = physique.sole_at(sim.kinematics(), foot);
                let w = swing.at(sim.time()).0;
                let mut full = String::new();
                for (l, link) in physique.model.links().iter().enumerate().skip(1) {
                    for (a, k) in physique.model.freedom_range(l).enumerate() {
                        let t = balancer.torque()[k];
                        if t.abs() > 0.9 * link.axes[a].torque_limit { full += &format!(" {}.{a}:{t:.0}", link.name); }
                    }
                }
                println!("      foot {:.3} {:.3} {:.3} wanted {:.3} {:.3} {:.3} full{full}", p.x, p.y, p.z, w.x, w.y, w.z);
            }
        }
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
