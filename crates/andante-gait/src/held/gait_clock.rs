//! Where in its steps a gait is.

/// A flight as it was found, in steps of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GaitFlight {
    /// Which step of the feet.
    pub step: usize,
    /// From when on touching the ground is landing.
    pub earliest: usize,
    /// When the feet land.
    pub landing: usize,
}

/// Counts the steps of the simulation round and round; where flights are given, feet that touch the ground set it.
#[derive(Clone, Debug)]
pub(crate) struct GaitClock {
    /// How often it went round.
    pub laps: usize,
    pub within: usize,
    /// How long it has been waiting for feet that are late.
    pub waited: usize,
    length: usize,
    /// Of every lap, one after the other.
    flights: Vec<Vec<GaitFlight>>,
    /// Which flight is next, and whether its feet have been off the ground.
    next: usize,
    free: bool,
}

impl GaitClock {
    pub(crate) fn new(length: usize, flights: Vec<Vec<GaitFlight>>) -> Self {
        Self { laps: 0, within: 0, waited: 0, length, flights, next: 0, free: false }
    }

    /// After a step of the simulation; `down` tells whether feet of a step are on the ground.
    pub(crate) fn tick(&mut self, down: impl Fn(usize) -> bool) {
        let mut now = self.within + 1;
        let flights = self.flights.get(self.laps % self.flights.len().max(1));
        if let Some(&flight) = flights.and_then(|flights| flights.get(self.next)) {
            let down = down(flight.step);
            // Who is late is waited for as long as others may be early.
            let patience = flight.landing - flight.earliest;
            if down && self.free && now >= flight.earliest {
                now = flight.landing;
                self.land();
            } else if now >= flight.landing && self.waited < patience {
                now = self.within;
                self.waited += 1;
            } else if now >= flight.landing {
                self.land();
            }
            self.free |= !down;
        }
        self.within = now;
        if self.within >= self.length {
            self.laps += 1;
            self.within = 0;
            self.next = 0;
            (self.free, self.waited) = (false, 0);
        }
    }

    fn land(&mut self) {
        self.next += 1;
        (self.free, self.waited) = (false, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When the clock shows what, if the feet of a flight that lands at 6 touch the ground at a time.
    fn shown(touching: usize, count: usize) -> Vec<usize> {
        let mut clock =
            GaitClock::new(10, vec![vec![GaitFlight { step: 0, earliest: 3, landing: 6 }]]);
        (1..=count)
            .map(|time| {
                clock.tick(|step| step == 0 && time >= touching);
                10 * clock.laps + clock.within
            })
            .collect()
    }

    #[test]
    fn feet_that_land_in_time_change_nothing() {
        assert_eq!(shown(6, 12), (1..=12).collect::<Vec<_>>());
    }

    #[test]
    fn feet_that_land_early_are_gone_on_from() {
        assert_eq!(shown(4, 7), [1, 2, 3, 6, 7, 8, 9]);
        // Too early is no landing: a foot that has just left.
        assert_eq!(shown(2, 5), [1, 2, 6, 7, 8]);
    }

    #[test]
    fn feet_that_are_late_are_waited_for_but_not_for_ever() {
        assert_eq!(shown(8, 10), [1, 2, 3, 4, 5, 5, 5, 6, 7, 8]);
        assert_eq!(shown(99, 12), [1, 2, 3, 4, 5, 5, 5, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn without_flights_time_passes() {
        let mut clock = GaitClock::new(3, Vec::new());
        (0..7).for_each(|_| clock.tick(|_| true));
        assert_eq!((clock.laps, clock.within), (2, 1));
    }
}
