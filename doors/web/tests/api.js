// Everything that the package exports, with good and bad arguments; run in a page. Gives what is wrong.
export default async function api(andante, file) {
  const { Body, Character, GaitPlayer, Stage, Walker, version } = andante;
  const wrong = [];
  const check = (holds, what) => { if (!holds) wrong.push(what); };
  const refused = (call, kind, words) => {
    try {
      call();
      wrong.push(`not refused: ${words}`);
    } catch (error) {
      const known = error instanceof Error && error.name === "AndanteError" && error.kind === kind && error.message.includes(words);
      if (!known) wrong.push(`${words}: ${error.name} ${error.kind}: ${error.message}`);
    }
  };
  const finite = (numbers) => numbers.length > 0 && numbers.every(Number.isFinite);

  check(/^\d+\.\d+\.\d+/.test(version()), "a version");

  const human = Character.humanoid();
  const child = Character.humanoid(1.2);
  check(human.joints.length === human.parents.length && human.parents[0] === -1, "joints");
  check(human.clips.includes("walk") && human.warnings.length === 0, "clips");
  const again = Character.fromBytes("again.glb", child.glb());
  check(again.joints.join() === child.joints.join(), "a character of its own file");
  refused(() => Character.humanoid(NaN), "argument", "height is NaN; it is 0.5 to 3 m");
  refused(() => Character.humanoid(9), "argument", "height is 9; it is 0.5 to 3 m");
  refused(() => Character.fromBytes("a.png", new Uint8Array()), "read", "a.png: not a format that can be read");
  refused(() => Character.fromBytes("a.glb", new Uint8Array([1, 2, 3])), "read", "a.glb: ");
  refused(() => Character.fromBytes("a.bvh", new TextEncoder().encode("HIERARCHY\nROOF")), "read", "a.bvh:2:1: ");
  // Bytes that are another here and there: read or refused, never a trap.
  const good = child.glb();
  let state = 7, kept = 0;
  const any = (below) => (state = (state * 48271) % 2147483647) % below;
  for (let round = 0; round < 40; round++) {
    const bytes = good.slice(0, any(3) ? good.length : any(good.length));
    for (let i = any(5); i >= 0; i--) bytes[any(round % 2 ? bytes.length : Math.min(bytes.length, 4000))] = any(256);
    try {
      Character.fromBytes("x.glb", bytes).free();
      kept++;
    } catch (error) {
      check(error.name === "AndanteError", `a damaged file: ${error}`);
    }
  }

  const player = new GaitPlayer(human);
  for (let i = 0; i < 120; i++) player.advance(1 / 60, 1.4, 0);
  check(player.z > 1.5 && Math.abs(player.x) < 0.1, `walked to ${player.x}, ${player.z}`);
  check(player.pose().length === 7 * human.joints.length && finite(player.pose()) && finite(player.models()), "a pose");
  player.place(3, 4, 1);
  check(player.x === 3 && player.z === 4 && Math.abs(player.heading - 1) < 1e-6, "placed");
  check(typeof player.contact(0).heel === "boolean", "a contact");
  refused(() => player.contact(2), "argument", "there is no foot 2; there are 2");
  refused(() => player.advance(1 / 60, NaN, 0), "argument", "speed is NaN");
  refused(() => player.advance(-1, 1, 0), "argument", "dt is -1");
  refused(() => player.place(Infinity, 0, 0), "argument", "place is inf");

  const walker = new Walker(human, "walk", 0, 0, 0);
  let asked = 0, walk;
  for (let i = 0; i < 240; i++) walk = walker.step(1 / 60, 1, 0, (x, z) => (asked++, 0.2 * Math.sin(1.5 * z)));
  check(asked > 100 && walk.z > 2 && walk.residual < 0.01 && !walk.stopped, `over hills ${JSON.stringify(walk)}`);
  check(finite(walker.pose()) && finite(walker.models()) && typeof walker.contact(1).ball === "boolean", "a pose on hills");
  walker.setTerrain("stairs:0.15:0.3");
  walker.play("stand");
  for (let i = 0; i < 60; i++) walker.step(1 / 60, 1, 0);
  refused(() => walker.play("fly"), "argument", "there is no clip named `fly`; there are");
  refused(() => walker.setTerrain("sea:1"), "argument", "sea");
  refused(() => walker.step(NaN, 1, 0), "argument", "dt is NaN");
  refused(() => new Walker(human, "walk", 1e30, 0, 0), "argument", "place.x is");
  let threw = null;
  try {
    new Walker(human, "walk", 0, 0, 0).step(0.1, 1, 0, () => { throw new RangeError("mine"); });
  } catch (error) {
    threw = error;
  }
  check(threw instanceof RangeError && threw.message === "mine", `what ground throws comes out: ${threw}`);
  for (const odd of [NaN, Infinity, -Infinity, "x", undefined, null, {}]) {
    const step = new Walker(human, "walk", 0, 0, 0).step(0.1, 1, 0, () => odd);
    check(Number.isFinite(step.x) && Number.isFinite(step.height), `ground that is ${odd}`);
  }

  const yard = 'version = 1\nname = "yard"\n[[platform]]\noutline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]\n[[character]]\nstart = { at = [0, -4] }\n';
  const stage = new Stage(yard, 1);
  check(stage.actors.join() === "0" && stage.time === 0, "a stage");
  stage.placeBox("box", 0, 0, 0, 2, 1, 0.5);
  const plan = stage.plan(0, 0, 4);
  check(plan.footprints.length > 5 && plan.goalError < 0.01 && plan.seconds > 4 && finite(plan.line), "a plan");
  stage.goTo(0, 0, 4, false, undefined, 0);
  let arrived = false, falls = 0;
  for (let i = 0; i < 1200 && !arrived; i++) {
    stage.step(1 / 60);
    arrived = stage.events().some((event) => event.word === "arrived" && event.actor === 0 && event.text === "arrives");
    falls += stage.footfalls().length;
    check(finite(stage.pose(0)) && finite(stage.models(0)), "a pose on a stage");
  }
  const there = stage.actor(0);
  check(arrived && Math.hypot(there.x, there.z - 4) < 0.02 && falls > 5, `arrived ${JSON.stringify(there)} after ${falls} steps`);
  const ben = stage.spawnAs(child, "Ben", 3, 3, 0, "physical_when_touched");
  check(stage.actor(ben).name === "Ben" && stage.actor(ben).joints === child.joints.length, "Ben");
  stage.follow(ben, 0, 1.5);
  stage.lookAt(ben, 0);
  stage.lookAt(ben);
  stage.setSpeed(ben, 1.2);
  stage.setSpeed(ben);
  stage.steer(0, 1, 0.2);
  stage.placeCylinder("post", -4, 0, -4, 0.3, 2);
  stage.placeGround("annex", new Float32Array([9, -4, 14, -4, 14, 4, 9, 4]), 0, "hills:0.1:5");
  stage.placeOwnGround("hill", new Float32Array([-14, -4, -9, -4, -9, 4, -14, 4]), (x, z) => 0.1 * Math.sin(z));
  for (let i = 0; i < 60; i++) stage.step(1 / 60);
  stage.followLine(0, new Float32Array([1, 1, 2, 2]), true);
  stage.push(ben, 20, 1);
  for (let i = 0; i < 120; i++) stage.step(1 / 60);
  stage.fall(ben);
  stage.getUp(ben);
  stage.teleport(ben, -3, 3);
  stage.reset(ben);
  stage.face(0, 1);
  stage.stop(0);
  stage.removeObstacle("post");
  stage.removeGround("hill");
  stage.step(0.1);
  check(typeof stage.contact(0, 0).heel === "boolean", "a contact on a stage");
  check(Math.abs(stage.actor(ben).x + 3) < 0.2, "teleported");
  stage.despawn(ben);
  check(!stage.actors.includes(ben), "gone");
  refused(() => stage.goTo(ben, 0, 0), "gone", "is not on the stage");
  refused(() => stage.pose(99), "gone", "character 100 is not on the stage");
  refused(() => stage.goTo(0, NaN, 0), "argument", "place is NaN; it is -10000 to 10000 m");
  refused(() => stage.goTo(0, 500, 500, false, 0), "refused", "there is no ground at [500, 500]");
  refused(() => stage.goTo(0, 1, 1, false, 7), "refused", "there is no ground at a height of 7 m");
  refused(() => stage.plan(0, 500, 500), "refused", "");
  refused(() => stage.step(NaN), "argument", "dt is NaN");
  refused(() => stage.setSpeed(0, -1), "argument", "speed is -1");
  refused(() => stage.follow(0, 0, 1), "refused", "nobody can follow themselves");
  refused(() => stage.followLine(0, new Float32Array([1]), true), "argument", "places are x, z");
  refused(() => stage.followLine(0, new Float32Array(), true), "argument", "0 places");
  refused(() => stage.placeBox("b", 0, 0, 0, -1, 1, 1), "argument", "size is -1");
  refused(() => stage.removeObstacle("nothing"), "refused", "there is no obstacle named `nothing`");
  refused(() => stage.placeGround("g", new Float32Array([0, 0, 1, 1]), 0), "argument", "2 corners");
  refused(() => stage.spawn("x", 0, 0, 0, "ghost"), "argument", "nature is `ghost`");
  refused(() => stage.spawn("x", 1e9, 0), "argument", "place is");
  refused(() => stage.push(0, -1, 0), "refused", "impulse is -1");
  refused(() => new Stage(yard.replace("outline", "outlien")), "read", "line 4, column 1: unknown field `outlien`");
  refused(() => Stage.builtIn("jumpz"), "read", "there is no built-in scene `jumpz`");
  check(Stage.builtIn("turns").actors.length === 1, "a built-in scene");

  const body = Body.creature("humanoid", true);
  for (let i = 0; i < 30; i++) body.step(1 / 60);
  body.push(15, 0);
  for (let i = 0; i < 240; i++) body.step(1 / 60);
  check(body.condition === "balance" && finite(body.pose()) && body.centreOfMass[1] > 0.8, `a body: ${body.condition}`);
  check(body.pose().length === 7 * body.segments.length && Math.abs(body.time - 4.5) < 0.1, `a body at ${body.time} s`);
  const dog = Body.creature("dog", false);
  dog.reset(0.5);
  dog.impulse(0, new Float32Array([0, 1, 0]), new Float32Array([0, 1, 0]));
  for (let i = 0; i < 60; i++) dog.step(1 / 60);
  check(dog.condition === "limp" && finite(dog.pose()), "a dog");
  refused(() => Body.creature("dog", true), "character", "balance needs two feet");
  refused(() => Body.creature("unicorn", false), "read", "no built-in body is named `unicorn`");
  refused(() => Body.read("version = 1\nnaem = 1", false), "read", "line 2");
  refused(() => body.push(1e9, 0), "argument", "an impulse of 1000000000 N·s is out of range");
  refused(() => dog.impulse(99, new Float32Array(3), new Float32Array(3)), "argument", "there is no segment 99");
  refused(() => dog.impulse(0, new Float32Array(2), new Float32Array(3)), "argument", "2 numbers");
  refused(() => dog.reset(NaN), "argument", "higher is NaN");

  for (const own of [human, child, again, player, walker, stage, body, dog]) own.free();
  return { wrong, kept, file };
}
