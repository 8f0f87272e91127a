/** What a call was refused for; its message has the words of the library. */
export interface AndanteError extends Error {
    name: "AndanteError";
    kind: "argument" | "read" | "write" | "character" | "gone" | "refused";
}

/** How somebody on a stage is. */
export interface ActorState {
    /** Its number, which is never another's. */
    number: number;
    name: string;
    x: number;
    z: number;
    /** From +Z towards +X, in radians: positive turns left. */
    heading: number;
    /** Ahead, in m/s. */
    speed: number;
    /** To the left, in rad/s. */
    turnRate: number;
    /** Of the disc that its body needs, in metres. */
    radius: number;
    joints: number;
    /** What it does, in the words of a scene file; empty if it has nothing to do. */
    doing: string;
    idle: boolean;
}

/** Something that happened in the last step. */
export interface StageEvent {
    time: number;
    /** Whom it is about; null if it is about the world. */
    actor: number | null;
    /** Who else it is about. */
    other: number | null;
    /** One word for it: "began", "done", "arrived", "failed", "blocked", "waits", "near", "pushed", "fell", "got up"... */
    word: string;
    /** A short sentence without its subject. */
    text: string;
}

/** A foot that came down in the last step. */
export interface Footfall {
    actor: number;
    /** 0 is left, 1 right. */
    foot: number;
    x: number;
    y: number;
    z: number;
    /** How fast the sole came down, in m/s. */
    speed: number;
}

/** A footprint of a plan. */
export interface Footprint {
    foot: number;
    x: number;
    y: number;
    z: number;
    heading: number;
    /** Seconds from when it sets off. */
    landing: number;
    takeOff: number;
}

/** What somebody would do to get somewhere. */
export interface Plan {
    seconds: number;
    /** How far from the goal it ends, in metres. */
    goalError: number;
    footprints: Footprint[];
    /** Where the hips would be, 60 times a second: x, y, z, x, y, z... */
    line: Float32Array;
}

/** How somebody walks over ground, after a step. */
export interface Walk {
    x: number;
    z: number;
    heading: number;
    /** Height of the ground that it goes by. */
    height: number;
    /** Rise of the ground per metre ahead. */
    grade: number;
    /** Largest distance of an ankle from where it belongs. */
    residual: number;
    /** Whether it waits because the next step leads nowhere. */
    stopped: boolean;
}

/** Whether heel and ball of a foot are down. */
export interface FootContact {
    heel: boolean;
    ball: boolean;
}

/**
 * Ground of one's own: the height of the highest surface at (x, z) that is not above `fromY`; NaN where there is none. It must
 * not use what asks it.
 */
export type GroundFunction = (x: number, z: number, fromY: number) => number;

/** How a body is. */
export type BodyState = "limp" | "balance" | "fall" | "lie" | "get up" | "stand";

/** What moves somebody on a stage: motion alone; forces whenever it stands; motion, and forces once it is touched. */
export type Nature = "kinematic" | "physical" | "physical_when_touched";
