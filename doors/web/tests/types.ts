// Compiled, not run: the types are real ones.
import init, { Body, Character, GaitPlayer, Stage, Walker, version } from "andante";
import type { ActorState, BodyState, FootContact, Footprint, GroundFunction, Plan, StageEvent, Walk } from "andante";

export async function types(): Promise<void> {
  await init();
  const words: string = version();
  const human: Character = Character.humanoid(1.8);
  const own: Character = Character.fromBytes("hero.glb", new Uint8Array());
  const joints: string[] = human.joints;
  const parents: Int32Array = own.parents;
  const file: Uint8Array = human.glb();
  const hills: GroundFunction = (x, z) => Math.sin(x) * z;
  const walk: Walk = new Walker(human, "walk", 0, 0, 0).step(0.1, 1, 0, hills);
  const stage = new Stage("version = 1", 7);
  const who: number = stage.spawnAs(human, "Ann", 0, 0, undefined, "physical");
  const state: ActorState = stage.actor(who);
  const events: StageEvent[] = stage.events();
  const plan: Plan = stage.plan(who, 1, 2, true);
  const prints: Footprint[] = plan.footprints;
  const pose: Float32Array = stage.pose(who);
  const down: FootContact = new GaitPlayer(human).contact(0);
  const how: BodyState = Body.creature("dog", false).condition;
  // @ts-expect-error a number is no scene
  new Stage(7);
  // @ts-expect-error there is no such nature
  stage.spawn("x", 0, 0, 0, "ghost");
  // @ts-expect-error heights are numbers
  stage.placeOwnGround("x", new Float32Array(), () => "high");
  // @ts-expect-error no such thing
  state.nothing;
  void [words, joints, parents, file, walk, events, prints, pose, down, how];
}
