#![doc = include_str!("../README.md")]

mod held;
mod modes;
mod problem;
mod search;
mod sketch;

pub use held::{
    CyclePush, Feedback, FeedbackOptions, FoundGait, GaitCycle, Landing, PhaseFile, PipelineError,
    Run, StartFile, StepFile, Variation, VariationGoal, character,
};
pub use modes::{
    Basis, BodyState, ControlState, Controller, ControllerError, CoordinateLayout, Description,
    FootPhase, FootStep, Mirror, Modes, ModesError, ModesMethod, Oscillator, Parity,
    PerformanceError, PerformanceOptions, PinnedPoint, Pulse, PulseMotion, Sketch, State,
    VibrationMode, Wave, mass_matrix,
};
pub use problem::{
    Candidate, CandidateTrial, EnergyMoment, Evaluator, GaitProblem, LANES, ModeShare, Phasing,
    ProblemError, ProblemOptions, SOFT_CONSTRAINTS, Share, StepPlan, StridePattern, Variable,
};
pub use search::{
    Best, CheckpointError, Closing, ClosingOptions, Cma, CmaOptions, CmaStop, Judged, Method,
    Multipliers, MultipliersOptions, MultipliersOutcome, MultipliersStage, Progress, Restarts,
    RestartsOptions, Search, SearchOptions, SearchResult, automatic_population,
};
pub use sketch::{
    Draw, GAITS, GaitSketch, PhaseSketch, PulseShape, SKETCHES, StepSketch, TouchingFeet,
    read_sketch, read_sketch_file,
};
