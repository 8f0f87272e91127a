//! What rooms work with.

use crate::gamepad::PadSticks;
use crate::home::StudioHome;
use crate::job::JobBoard;
use crate::project::StudioProject;
use crate::room::StudioRoom;

/// The workbench that every room can use, for a frame.
pub struct Workbench<'a> {
    /// What is worked on. Whatever is changed here is an edit that can be undone.
    pub project: &'a mut StudioProject,
    /// Work beside the window.
    pub jobs: &'a mut JobBoard,
    /// What to tell people.
    pub notices: &'a mut Notices,
    /// What is remembered.
    pub home: &'a StudioHome,
    /// Where to go next, if anywhere.
    pub next_room: &'a mut Option<StudioRoom>,
    /// Seconds since the last frame.
    pub seconds: f32,
    /// What a gamepad asks for.
    pub pad: PadSticks,
}

/// The latest notices to the user.
#[derive(Default)]
pub struct Notices {
    told: Vec<Notice>,
}

/// Something to tell, until it has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// In words.
    pub text: String,
    /// Whether something went wrong.
    pub bad: bool,
    /// Seconds for which it is still shown; those that went wrong stay until they are closed.
    pub left: f32,
}

impl Notices {
    /// Tells that something was done.
    pub fn done(&mut self, text: impl Into<String>) {
        self.tell(Notice { text: text.into(), bad: false, left: 6.0 });
    }

    /// Tells that something went wrong.
    pub fn failed(&mut self, text: impl Into<String>) {
        self.tell(Notice { text: text.into(), bad: true, left: f32::INFINITY });
    }

    fn tell(&mut self, notice: Notice) {
        self.told.retain(|other| other.text != notice.text);
        self.told.push(notice);
        if self.told.len() > 5 {
            self.told.remove(0);
        }
    }

    /// All that are still to be seen.
    pub fn all(&self) -> &[Notice] {
        &self.told
    }

    /// Takes one away.
    pub fn close(&mut self, index: usize) {
        self.told.remove(index);
    }

    /// Lets time pass.
    pub fn pass(&mut self, seconds: f32) {
        for notice in &mut self.told {
            notice.left -= seconds;
        }
        self.told.retain(|notice| notice.left > 0.0);
    }
}
