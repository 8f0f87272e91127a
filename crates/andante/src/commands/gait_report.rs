//! What `andante gait` shows of a gait: a page for the browser and a picture.

use super::gait::Story;
use andante_draw::{BarChart, Gallery, LineChart, Page, Panel, Sheet, View, body_figure};
use andante_gait::{EnergyMoment, FoundGait, GaitCycle, GaitProblem, PhaseSketch, PulseController};

/// Figures of a picture.
const FIGURES: usize = 8;
/// Points of a curve at most.
const POINTS: usize = 400;

/// Everything there is to show.
pub struct Shown<'a> {
    pub problem: &'a GaitProblem,
    pub gait: &'a FoundGait,
    pub candidate: &'a PulseController,
    pub story: &'a Story<'a>,
    pub cycle: &'a GaitCycle,
    /// Cycles left to itself.
    pub alone: f64,
    /// Cycles held by feedback, and how many it was to do.
    pub held: Option<(f64, usize)>,
}

impl Shown<'_> {
    /// The report: a player, numbers, the search space, feet, energies, figures and how the search went.
    pub fn fill(&self, page: &mut Page) {
        page.columns(
            |page| {
                page.heading("How good it is");
                page.table(&["", ""], self.numbers());
            },
            |page| {
                page.heading("What was searched");
                page.table(
                    &["phase", "with priority", "allowed", "single joints"],
                    self.dimensions(),
                );
                page.paragraph(&format!(
                    "{} variables in all, {} of them sampled; {} residuals of the cycle.",
                    self.problem.variables().len(),
                    self.problem.essential().len(),
                    self.problem.tolerances().len(),
                ));
                if !self.gait.made_by.is_empty() {
                    page.paragraph(&format!("Made by {}.", self.gait.made_by));
                }
                if !self.story.complaints.is_empty() {
                    page.heading("What is wrong");
                    let wrong = self.story.complaints.iter();
                    page.table(&[""], wrong.map(|complaint| vec![complaint.clone()]));
                }
            },
        );
        let figure = |page: &mut Page, panels: Vec<Panel>| {
            let mut sheet = Sheet::new("");
            panels.into_iter().for_each(|panel| sheet.add(panel));
            page.figure(&sheet);
        };
        page.heading("One cycle");
        figure(page, vec![self.figures()]);
        page.heading("Feet on the ground");
        figure(page, vec![self.footfalls()]);
        page.heading("Energy and power");
        figure(page, self.energies());
        let convergence = self.convergence();
        if !convergence.is_empty() {
            page.heading("How it was found");
            figure(page, convergence);
        }
    }

    /// The same without numbers and player, for paper.
    pub fn sheet(&self) -> String {
        let state =
            if self.gait.valid { "a valid cycle" } else { "the best so far, not yet valid" };
        let mut sheet = Sheet::new(format!("{}: {state}", self.problem.sketch().name));
        self.convergence().into_iter().for_each(|panel| sheet.add(panel));
        sheet.add(self.footfalls());
        sheet.add(self.figures());
        sheet.to_svg()
    }

    /// The best of a search that goes on: what it looks like, what is wrong, and how it came to be.
    pub fn snapshot(&self, title: &str) -> String {
        let (story, gait) = (self.story, self.gait);
        let mut sheet =
            Sheet::new(format!("{title}: the best of {} simulations", story.evaluations));
        sheet.note(format!(
            "{:.0} s, {:.2} m/s, mean squared torques {:.0} N²m², largest residual {:.2} tolerances",
            story.seconds, gait.speed, gait.effort, gait.residual
        ));
        story.complaints.iter().for_each(|complaint| sheet.note(complaint));
        sheet.add(self.figures());
        sheet.add(self.footfalls());
        self.convergence().into_iter().for_each(|panel| sheet.add(panel));
        sheet.to_svg()
    }

    fn numbers(&self) -> Vec<Vec<String>> {
        let (gait, cycle) = (self.gait, self.cycle);
        let body = self.problem.body();
        let moments = EnergyMoment::along(self.problem, self.candidate);
        let mean = |part: &dyn Fn(f64) -> f64| {
            moments.iter().map(|moment| part(moment.power)).sum::<f64>()
                / moments.len().max(1) as f64
        };
        let (put_in, braked) = (mean(&|power| power.max(0.0)), mean(&|power| power.min(0.0)));
        let mut rows = vec![
            ("valid", if gait.valid { "yes" } else { "no" }.to_string()),
            ("speed", format!("{:.2} m/s", gait.speed)),
            ("a cycle", format!("{:.2} s, {:.2} m", cycle.period, cycle.stride.length())),
            ("in the air", format!("{:.0} % of it", 100.0 * cycle.aerial_fraction())),
            ("mass", format!("{:.1} kg", body.total_mass())),
            ("cost of transport", format!("{:.2}", gait.cost_of_transport)),
            ("mean power put in", format!("{put_in:.0} W")),
            ("mean power braked", format!("{:.0} W", braked.abs())),
            ("mean squared torques", format!("{:.0} N²m²", gait.effort)),
            ("largest residual", format!("{:.2} tolerances", gait.residual)),
            ("left to itself", format!("{:.1} cycles", self.alone)),
        ];
        if let Some((held, most)) = self.held {
            rows.push(("with feedback", format!("{held:.0} of {most} cycles")));
        }
        if self.story.evaluations > 0 {
            let (count, seconds) = (self.story.evaluations, self.story.seconds);
            rows.push(("simulations", format!("{count} in {seconds:.0} s")));
        }
        rows.into_iter().map(|(name, value)| vec![name.into(), value]).collect()
    }

    /// Active-torque variables of each phase (table 4.1 of the published experiments).
    fn dimensions(&self) -> Vec<Vec<String>> {
        let joints = self.problem.body().internal_dof();
        let sketch = self.problem.sketch();
        let row = |name: String, phase: &PhaseSketch| {
            let priority = phase.priority.len();
            let allowed = priority + phase.allowed.len();
            vec![name, priority.to_string(), allowed.to_string(), joints.to_string()]
        };
        let steps = sketch.steps.iter().enumerate();
        steps
            .flat_map(|(index, step)| {
                let feet = step.feet.join(", ");
                let name = |phase: &str| format!("step {}, {phase} ({feet})", index + 1);
                [row(name("air"), &step.air), row(name("ground"), &step.ground)]
            })
            .collect()
    }

    fn figures(&self) -> Panel {
        let problem = self.problem;
        let mut gallery = Gallery::new("one cycle", FIGURES).on_ground();
        for figure in 0..FIGURES {
            let time = self.cycle.period * figure as f64 / FIGURES as f64;
            let placed = self.cycle.at(time).place(problem.body(), problem.pose());
            let drawn = body_figure(problem.body(), &placed, &[], View::Side);
            gallery = gallery.figure(drawn, vec![format!("{time:.2} s")]);
        }
        gallery.draw()
    }

    fn footfalls(&self) -> Panel {
        let period = self.cycle.period;
        let mut footfalls = BarChart::new("feet on the ground, two cycles", 2.0 * period as f32);
        for (index, foot) in self.problem.body().feet().iter().enumerate() {
            if foot.disregarded {
                continue;
            }
            for (part, name) in ["toe", "heel"].iter().enumerate() {
                let once = self.cycle.contacts(index, part);
                let twice = [0.0, period]
                    .iter()
                    .flat_map(|&later| once.iter().map(move |[a, b]| [a + later, b + later]))
                    .map(|[a, b]| [a as f32, b as f32])
                    .collect();
                footfalls = footfalls.row(format!("{}, {name}", foot.name), twice);
            }
        }
        footfalls.draw()
    }

    fn energies(&self) -> Vec<Panel> {
        let moments = EnergyMoment::along(self.problem, self.candidate);
        let seconds = self.candidate.length() as f32;
        let lowest = moments.iter().map(|moment| moment.height).fold(f64::INFINITY, f64::min);
        let curve = |pick: &dyn Fn(&EnergyMoment) -> f64| {
            moments.iter().map(|moment| pick(moment) as f32).collect::<Vec<f32>>()
        };
        [
            ("energy of motion, J", "motion", curve(&|moment| moment.kinetic)),
            ("energy of height, J", "above its lowest", curve(&|moment| moment.height - lowest)),
            ("energy in springs and stops, J", "springs", curve(&|moment| moment.elastic)),
            ("power of active torques, W", "power", curve(&|moment| moment.power)),
        ]
        .into_iter()
        .map(|(title, name, values)| LineChart::new(title, seconds).curve(name, values).draw())
        .collect()
    }

    fn convergence(&self) -> Vec<Panel> {
        let history = self.story.history;
        if history.is_empty() {
            return Vec::new();
        }
        let seconds = self.story.seconds as f32;
        let curve = |pick: &dyn Fn(usize) -> f64| {
            let stride = history.len().div_ceil(POINTS).max(1);
            (0..history.len()).step_by(stride).map(|index| pick(index) as f32).collect::<Vec<f32>>()
        };
        let chart = |title: &str, name: &str, values: Vec<f32>| {
            LineChart::new(title, seconds).curve(name, values).draw()
        };
        vec![
            chart(
                "largest residual of the cycle, log₁₀ of its tolerance: below 0 it closes",
                "residual",
                curve(&|index| libm::log10(history[index].residual.max(1e-3))),
            ),
            chart(
                "violated limits of the best so far",
                "violated",
                curve(&|index| history[index].violated as f64),
            ),
            chart("speed of the best so far, m/s", "speed", curve(&|index| history[index].speed)),
        ]
    }
}
