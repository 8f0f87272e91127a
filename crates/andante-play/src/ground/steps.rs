//! Where the next step of a foot leads.

use crate::feet::foothold::{self, Fit, FootholdQuery};
use crate::ground::clip::{GroundStance, flat};
use crate::ground::layer::{Layer, LayerContext, held, print, wish};
use crate::ground::plan::StancePrint;
use crate::{FootStatus, SuppliedFoothold};
use andante_skeleton::Planar;
use glam::Vec2;

/// What came of planning a step.
pub(crate) enum PlannedPrint {
    Print(StancePrint),
    /// There is no ground to step on.
    Nowhere,
    /// The clip has no further step.
    Never,
}

impl Layer {
    /// The print that is landed on last before a time, of any foot.
    fn predecessor(&self, foot: usize, landing: f32) -> Option<StancePrint> {
        let mut latest: Option<StancePrint> = None;
        for (index, plan) in self.plans.iter().enumerate() {
            let next = plan.next.as_ref().filter(|_| index != foot).map(|step| step.print);
            for print in [plan.here, next].into_iter().flatten() {
                let earlier =
                    print.landing < landing - 1e-4 || (index < foot && print.landing <= landing);
                let later = latest.as_ref().is_none_or(|latest| print.landing >= latest.landing);
                if earlier && later {
                    latest = Some(print);
                }
            }
        }
        latest.or(self.plans[foot].here)
    }

    /// Where a foot lands next.
    pub(crate) fn plan(&self, foot: usize, ctx: &mut LayerContext) -> PlannedPrint {
        let clip = &*self.clip;
        let plan = &self.plans[foot];
        let Some(stance) = clip.stance(foot, plan.number + 1) else { return PlannedPrint::Never };
        let first = self.plans.iter().find_map(|plan| plan.here);
        let Some(before) = self.predecessor(foot, stance.start).or(first) else {
            return PlannedPrint::Never;
        };
        ctx.planned = true;
        let asked = ctx.turned_at(stance.start) - before.turned;
        let turn = asked.clamp(-ctx.stride.sharpest_turn, ctx.stride.sharpest_turn);
        let supplied = ctx.footholds.iter().find(|supplied| supplied.foot == foot);
        if let Some(supplied) = supplied {
            return self.supplied(foot, &stance, &before, turn, supplied, ctx);
        }
        let scale = self.scale(foot, &stance, &before, turn, ctx);
        let mut found = self.step(foot, &stance, &before, turn, scale, ctx);
        for shorter in ctx.stride.shorter {
            if found.is_none() && ctx.validate {
                found = self.step(foot, &stance, &before, turn, scale * shorter, ctx);
            }
        }
        if found.is_none() && ctx.validate && asked.abs() > 0.05 {
            // No way ahead, but perhaps one to turn on the spot.
            found = self.step(foot, &stance, &before, turn, 0.0, ctx);
        }
        match found {
            Some(print) => PlannedPrint::Print(print),
            None if ctx.validate => PlannedPrint::Nowhere,
            None => {
                let chain = self.steered(&before, &stance, turn, scale);
                let place = chain.then(&stance.print);
                let expected = plan.here.map_or(before.at.position.y, |here| here.at.position.y);
                let wish = wish(clip, foot, place, Vec2::ZERO, expected);
                let status = FootStatus::Unsupported;
                let turned = before.turned + turn;
                let print =
                    StancePrint { status, scale, ..print(&stance, held(&wish), chain, turned) };
                PlannedPrint::Print(print)
            }
        }
    }

    /// What leads from the clip to the world at a landing, for a body that comes from the print before,
    /// turns and makes longer or shorter steps than in the clip.
    fn steered(
        &self,
        before: &StancePrint,
        stance: &GroundStance,
        turn: f32,
        scale: f32,
    ) -> Planar {
        if turn == 0.0 && scale == 1.0 {
            return before.chain;
        }
        let at_landing = self.clip.placement(stance.start);
        let from = before.chain.then(&self.clip.placement(before.landing));
        let to = before.chain.then(&at_landing);
        let way = Planar::new(Vec2::ZERO, 0.5 * turn)
            .then(&Planar::new((to.position - from.position) * scale, 0.0));
        Planar::new(from.position + way.position, to.heading + turn).then(&at_landing.inverse())
    }

    /// How long steps are for the slope ahead, as a multiple of the clip's.
    fn scale(
        &self,
        foot: usize,
        stance: &GroundStance,
        before: &StancePrint,
        turn: f32,
        ctx: &mut LayerContext,
    ) -> f32 {
        if !ctx.scale_stride {
            return 1.0;
        }
        let here = self.plans[foot].here.unwrap_or(*before);
        let biped = self.plans.len() <= 2;
        // How long steps should be for the ground that one of a length leads to.
        let (recovery, halvings) = (ctx.stride.recovery, ctx.stride.halvings);
        let mut wanted = |scale: f32| {
            let chain = self.steered(before, stance, turn, scale);
            let place = chain.then(&stance.print).position;
            let expected = self.expected(foot, before, place, ctx);
            let height = ctx.sensor.height(place, expected)?;
            let grade = |from: &StancePrint| {
                let way = place.distance(flat(from.at.position));
                let rise = height - from.at.position.y;
                if way > 0.3 * self.clip.unit { rise / way } else { 0.0 }
            };
            if !biped {
                return Some(stride_scale(grade(&here)));
            }
            let from = before.at.position;
            let way = place - flat(from);
            let looks_to = way * (ctx.stride.looked_at * self.clip.unit / way.length()).max(1.0);
            let slope = slope_ahead(flat(from), looks_to, from.y, |place, near| {
                ctx.sensor.height(place, near)
            });
            Some(stride_scale(slope))
        };
        // Steps get shorter at once and longer again bit by bit.
        let mut longest = before.scale + recovery * (1.0 - before.scale);
        let mut scale = longest;
        if let Some(first) = wanted(longest).filter(|&first| first < longest - 1e-3) {
            scale = first;
            let second = wanted(first).unwrap_or(first);
            if second < first {
                scale = second;
            } else if second > first + 0.02 {
                // Shorter steps lie on other ground, as before stairs: the longest one that is not too long.
                for _ in 0..halvings {
                    let middle = 0.5 * (scale + longest);
                    if wanted(middle).is_some_and(|wanted| wanted >= middle) {
                        scale = middle;
                    } else {
                        longest = middle;
                    }
                }
            }
        }
        if (scale - 1.0).abs() < 1e-6 { 1.0 } else { scale }
    }

    /// About how high the ground is where a foot lands: as high as under the foot that landed before. With many
    /// feet that one may be far away; then the ground is followed from where this foot stands.
    fn expected(
        &self,
        foot: usize,
        before: &StancePrint,
        place: Vec2,
        ctx: &mut LayerContext,
    ) -> f32 {
        let Some(here) = self.plans[foot].here.filter(|_| self.plans.len() > 2) else {
            return before.at.position.y;
        };
        let (from, mut height) = (flat(here.at.position), here.at.position.y);
        let parts = (place.distance(from) / (0.35 * self.clip.unit)).ceil().min(16.0);
        for part in 1..parts as i32 {
            let on_the_way = from.lerp(place, part as f32 / parts);
            height = ctx.sensor.height(on_the_way, height).unwrap_or(height);
        }
        height
    }

    /// The foothold at the end of a step, if there is one.
    fn step(
        &self,
        foot: usize,
        stance: &GroundStance,
        before: &StancePrint,
        turn: f32,
        scale: f32,
        ctx: &mut LayerContext,
    ) -> Option<StancePrint> {
        let chain = self.steered(before, stance, turn, scale);
        let from = before.chain.then(&self.clip.placement(before.landing));
        let to = chain.then(&self.clip.placement(stance.start));
        let along = to.position - from.position;
        let place = chain.then(&stance.print);
        let expected = self.expected(foot, before, place.position, ctx);
        let wish = wish(&self.clip, foot, place, along, expected);
        let fit = match self.found_before(foot, &wish, ctx) {
            Some(fit) => fit,
            None => foothold::find(&mut ctx.sensor, &wish)?,
        };
        let moved = flat(fit.print.position) - wish.place.position;
        // The body follows feet that step longer or shorter, not those that step aside.
        let share = if self.plans.len() <= 2 { 1.0 } else { 0.5 };
        let follows = wish.along * (share * moved.dot(wish.along));
        let chain = Planar::new(chain.position + follows, chain.heading);
        let scale = if scale > 0.0 { scale } else { before.scale };
        let landed = self.landed(foot, stance, before, fit, chain, turn, scale);
        Some(StancePrint { wished: wish.place, offset: fit.offset, ..landed })
    }

    /// The foothold that was found the last time, if the same is wished for and the ground there has not changed.
    fn found_before(
        &self,
        foot: usize,
        wish: &FootholdQuery,
        ctx: &mut LayerContext,
    ) -> Option<Fit> {
        let print = self.plans[foot].next.as_ref().map(|next| next.print)?;
        let near = 1e-3 * self.clip.unit;
        let same = print.wished.position.distance(wish.place.position) < near
            && (print.wished.heading - wish.place.heading).abs() < 1e-3;
        if !same {
            return None;
        }
        let fit = foothold::fit(&mut ctx.sensor, wish, print.offset)?;
        (fit.print.position.distance(print.at.position) < 2.0 * near).then_some(fit)
    }

    #[allow(clippy::too_many_arguments)]
    fn landed(
        &self,
        foot: usize,
        stance: &GroundStance,
        before: &StancePrint,
        fit: Fit,
        chain: Planar,
        turn: f32,
        scale: f32,
    ) -> StancePrint {
        let from = self.plans[foot].here.map_or(before.at.position, |here| here.at.position);
        let way = fit.print.position - from;
        let across = flat(way).length();
        let grade = if across > 0.15 * self.clip.unit { way.y / across } else { before.grade };
        let status = fit.status;
        let turned = before.turned + turn;
        StancePrint { status, scale, grade, ..print(stance, fit.print, chain, turned) }
    }

    /// A foothold that the caller wants.
    fn supplied(
        &self,
        foot: usize,
        stance: &GroundStance,
        before: &StancePrint,
        turn: f32,
        supplied: &SuppliedFoothold,
        ctx: &mut LayerContext,
    ) -> PlannedPrint {
        let chain = self.steered(before, stance, turn, before.scale);
        let wished = chain.then(&stance.print);
        let heading = supplied.heading.unwrap_or(wished.heading);
        let place = Planar::new(flat(supplied.position), heading);
        let wish = wish(&self.clip, foot, place, Vec2::ZERO, supplied.position.y);
        let chain = place.then(&stance.print.inverse());
        match foothold::fit(&mut ctx.sensor, &wish, Vec2::ZERO) {
            Some(fit) => PlannedPrint::Print(self.landed(
                foot,
                stance,
                before,
                fit,
                chain,
                turn,
                before.scale,
            )),
            None if ctx.validate => PlannedPrint::Nowhere,
            None => {
                let status = FootStatus::Unsupported;
                let turned = before.turned + turn;
                PlannedPrint::Print(StancePrint {
                    status,
                    ..print(stance, held(&wish), chain, turned)
                })
            }
        }
    }
}

/// The slope of the ground along a way: of a line through heights on it, so that it matters little where treads begin.
fn slope_ahead(
    from: Vec2,
    way: Vec2,
    height: f32,
    mut ground: impl FnMut(Vec2, f32) -> Option<f32>,
) -> f32 {
    const LOOKS: usize = 8;
    let length = way.length();
    let (mut near, mut moment, mut spread) = (height, 0.0, 0.0);
    for look in 0..=LOOKS {
        let part = look as f32 / LOOKS as f32;
        near = ground(from + way * part, near).unwrap_or(near);
        let along = (part - 0.5) * length;
        moment += along * (near - height);
        spread += along * along;
    }
    moment / spread.max(1e-6)
}

/// Steps on a slope, as a multiple of those on the level. The way along the slope stays the same at first;
/// steep ground, up or down, is taken in short steps: half as long on stairs of 30°.
fn stride_scale(grade: f32) -> f32 {
    let slope = libm::atanf(grade.abs());
    let steep = (slope / 0.524).min(1.0);
    libm::cosf(slope) * (1.0 - 0.5 * steep * steep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_the_clip_on_the_level_and_short_on_stairs() {
        assert_eq!(stride_scale(0.0), 1.0);
        assert!(stride_scale(0.087) > 0.97);
        let stairs = stride_scale(0.17 / 0.29);
        assert!((0.38..0.5).contains(&stairs), "{stairs}");
        assert_eq!(stride_scale(-0.3), stride_scale(0.3));
    }
}
