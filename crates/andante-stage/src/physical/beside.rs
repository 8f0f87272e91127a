//! Props that are simulated with somebody.

use super::episode::{EpisodeError, PhysicsEpisode};
use super::framing::{into_frame, out_of_frame};
use super::ride;
use andante_body::{Prop, state_with_props, with_props};
use andante_dynamics::JointState;
use std::sync::Arc;

impl PhysicsEpisode {
    /// Puts props beside the body, in the place of those there are; they are in the world.
    pub fn set_props(&mut self, props: &[Prop]) -> Result<(), EpisodeError> {
        let carriage = ride::carriage(self);
        let home = |prop: &Prop| carriage.map_or(prop.clone(), |own| own.bring_back(prop));
        let own: Vec<Prop> = props.iter().map(|prop| into_frame(self.frame, &home(prop))).collect();
        let body = &*self.flesh.physique.model;
        let state = self.simulation.state();
        let alone = JointState {
            q: state.q[..body.coordinates()].to_vec(),
            v: state.v[..body.freedoms()].to_vec(),
        };
        let model = with_props(Some(body), &own)?;
        self.simulation =
            self.simulation.with_model(Arc::new(model), &state_with_props(&alone, &own))?;
        self.hits = vec![false; props.len()];
        Ok(())
    }

    /// Reads the places of the props, in the world.
    pub fn read_props(&self, props: &mut [Prop]) {
        let (first, carriage) = (self.flesh.model().links().len(), ride::carriage(self));
        for (index, prop) in props.iter_mut().enumerate().take(self.hits.len()) {
            prop.read(&self.simulation, first + index);
            *prop = out_of_frame(self.frame, prop);
            if let Some(carriage) = &carriage {
                *prop = carriage.carry(prop);
            }
        }
    }

    /// For each prop, whether it has touched the body since it came near.
    pub fn hits(&self) -> &[bool] {
        &self.hits
    }

    /// Notes what touches the body; whether anything does.
    pub(super) fn feel_props(&mut self) -> bool {
        // Every prop has one shape, after those of the body.
        let body = self.flesh.model().shapes().len();
        let own = self.simulation.contacts(0).filter(|contact| contact.shape < body);
        let others = own.filter_map(|contact| contact.other?.checked_sub(body));
        let mut any = false;
        for hit in others {
            any = true;
            if let Some(known) = self.hits.get_mut(hit) {
                *known = true;
            }
        }
        any
    }
}
