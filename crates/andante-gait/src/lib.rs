#![doc = include_str!("../README.md")]

mod held;
mod modes;
mod problem;
mod search;
mod sketch;

pub use held::{
    CyclePush, Feedback, FeedbackOptions, FoundGait, GaitCycle, HeldRun, Landing, PipelineError,
    StartFile, StepFile, Variation, VariationGoal, VariationOptions, character,
};
pub use modes::{
    Basis, BodyState, CoordinateLayout, Description, Mirror, Modes, ModesError, ModesMethod,
    Oscillator, Parity, PinnedPoint, State, VibrationMode, mass_matrix,
};
pub use problem::{
    CandidateTrial, ControllerError, EnergyMoment, Evaluator, GaitLimits, GaitProblem, LANES,
    MeritWeights, PlaybackOptions, ProblemError, ProblemOptions, PulseController, PulseError,
    PulseMotion, PulsePhase, PulseShare, SOFT_CONSTRAINTS, StepPlan, StridePattern, Variable,
    VariableBounds,
};
pub use search::{
    Best, CheckpointError, Closing, Cma, CmaOptions, CmaStop, DirectOptions, Judged,
    LevenbergMarquardt, LevenbergMarquardtOptions, Method, Multipliers, MultipliersOptions,
    MultipliersOutcome, MultipliersStage, Optimiser, Progress, Search, SearchOptions, SearchResult,
    automatic_population,
};
pub use sketch::{
    DraftOptions, Draw, GAITS, GaitSketch, ModeShare, PhaseSketch, PlainWalkOptions, PulseShape,
    SKETCHES, StepSketch, TouchingFeet, read_sketch, read_sketch_file, read_sketch_file_within,
};
