// One's own character walks to where one clicks, over ground of the page's own.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import init, { Character, Stage } from "andante";

const say = (id, text) => { document.getElementById(id).textContent = text; };
await init();

// The world: hills that the page knows and the library asks for, and a box.
const half = 14;
const height = (x, z) => 0.35 * Math.sin(0.5 * x) * Math.cos(0.4 * z);
const outline = new Float32Array([-half, -half, half, -half, half, half, -half, half]);
const stage = new Stage(`
  version = 1
  name = "page"
  [[platform]]
  name = "hills"
  outline = [[${-half}, ${-half}], [${half}, ${-half}], [${half}, ${half}], [${-half}, ${half}]]
`);
stage.placeOwnGround("hills", outline, (x, z) => height(x, z));

const scene = new THREE.Scene();
scene.background = new THREE.Color(0xdfe6ee);
scene.fog = new THREE.Fog(0xdfe6ee, 20, 50);
scene.add(new THREE.HemisphereLight(0xffffff, 0x8a97a5, 1.6));
const sun = new THREE.DirectionalLight(0xfff4e0, 2.2);
sun.position.set(6, 12, 5);
sun.castShadow = true;
sun.shadow.mapSize.set(2048, 2048);
Object.assign(sun.shadow.camera, { left: -half, right: half, top: half, bottom: -half, far: 40 });
scene.add(sun);

const turf = new THREE.PlaneGeometry(2 * half, 2 * half, 96, 96).rotateX(-Math.PI / 2);
const at = turf.attributes.position;
for (let i = 0; i < at.count; i++) at.setY(i, height(at.getX(i), at.getZ(i)));
turf.computeVertexNormals();
const ground = new THREE.Mesh(turf, new THREE.MeshStandardMaterial({ color: 0x9fb58c, roughness: 1 }));
ground.receiveShadow = true;
scene.add(ground);

let boxes = 0;
function putBox(x, z) {
  const [wide, high, deep] = [1.4, 0.9, 0.5];
  const y = height(x, z) - 0.2;
  stage.placeBox(`box ${boxes}`, x, y, z, wide, high + 0.2, deep, 0);
  const box = new THREE.Mesh(new THREE.BoxGeometry(wide, high + 0.2, deep), new THREE.MeshStandardMaterial({ color: 0xb98a5a }));
  box.position.set(x, y + (high + 0.2) / 2, z);
  box.castShadow = box.receiveShadow = true;
  scene.add(box);
  boxes++;
}
putBox(0, 0.5);

const goal = new THREE.Mesh(new THREE.TorusGeometry(0.3, 0.03, 8, 40).rotateX(Math.PI / 2), new THREE.MeshBasicMaterial({ color: 0xd0451f }));
goal.visible = false;
scene.add(goal);

// Footprints that fade.
const prints = [];
const sole = new THREE.CircleGeometry(0.09, 20).scale(0.6, 1.4, 1).rotateX(-Math.PI / 2);
function print(fall, heading) {
  const mark = new THREE.Mesh(sole, new THREE.MeshBasicMaterial({ color: 0x35506b, transparent: true, depthWrite: false }));
  mark.position.set(fall.x, fall.y + 0.012, fall.z);
  mark.rotation.y = heading;
  scene.add(mark);
  prints.push({ mark, left: 6 });
}

// Whoever walks. The library hands back bones and skin in its own conventions, so that poses can be written to the bones as they are.
const loader = new GLTFLoader();
let actor = null;
let bones = [];
let body = null;
async function enter(character, name) {
  const model = await loader.parseAsync((await character.glb()).buffer, "");
  const start = actor === null ? { x: 0, z: -4, heading: 0 } : stage.actor(actor);
  const next = stage.spawnAs(character, name, start.x, start.z, start.heading, "physical_when_touched");
  if (actor !== null) stage.despawn(actor);
  if (body) scene.remove(body);
  actor = next;
  body = model.scene;
  bones = [];
  body.traverse((part) => {
    if (!part.isSkinnedMesh) return;
    part.castShadow = true;
    part.frustumCulled = false;
    bones = part.skeleton.bones;
  });
  scene.add(body);
  goal.visible = false;
  say("trouble", "");
  say("news", [`${name} is here.`, ...character.warnings].join(" "));
  document.body.dataset.who = name;
}

async function open(file) {
  try {
    const character = Character.fromBytes(file.name, new Uint8Array(await file.arrayBuffer()));
    await enter(character, file.name);
    character.free();
  } catch (error) {
    say("trouble", error.message);
  }
}

document.getElementById("file").addEventListener("change", (event) => event.target.files[0] && open(event.target.files[0]));
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  if (event.dataTransfer.files[0]) open(event.dataTransfer.files[0]);
});
document.getElementById("push").addEventListener("click", () => stage.push(actor, 35, stage.actor(actor).heading + Math.PI / 2));

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.shadowMap.enabled = true;
document.body.prepend(renderer.domElement);
const camera = new THREE.PerspectiveCamera(45, 1, 0.1, 100);
camera.position.set(5.5, 4.5, -10);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(0, 0.6, 0);
controls.maxPolarAngle = 1.5;
function resize() {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
}
addEventListener("resize", resize);
resize();

// A click is a press that has not been dragged.
let pressed = null;
renderer.domElement.addEventListener("pointerdown", (event) => { pressed = [event.clientX, event.clientY]; });
renderer.domElement.addEventListener("pointerup", (event) => {
  if (!pressed || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 5) return;
  const ray = new THREE.Raycaster();
  ray.setFromCamera(new THREE.Vector2((2 * event.clientX) / innerWidth - 1, 1 - (2 * event.clientY) / innerHeight), camera);
  const [hit] = ray.intersectObject(ground);
  if (!hit) return;
  try {
    if (event.shiftKey) {
      putBox(hit.point.x, hit.point.z);
    } else {
      stage.goTo(actor, hit.point.x, hit.point.z);
      goal.position.set(hit.point.x, hit.point.y + 0.03, hit.point.z);
      goal.visible = true;
      Object.assign(document.body.dataset, { goal: `${hit.point.x} ${hit.point.z}`, word: "" });
    }
    say("trouble", "");
  } catch (error) {
    say("trouble", error.message);
  }
});

let before = performance.now();
let ours = 0;
function frame(now) {
  const seconds = Math.min(Math.max(now - before, 0) / 1000, 0.25);
  before = now;
  const began = performance.now();
  stage.step(seconds);
  const pose = stage.pose(actor);
  bones.forEach((bone, i) => {
    const [a, b, c, d, x, y, z] = pose.subarray(7 * i, 7 * i + 7);
    bone.quaternion.set(a, b, c, d);
    bone.position.set(x, y, z);
  });
  ours = performance.now() - began;
  for (const event of stage.events()) {
    if (event.actor !== actor) continue;
    if (event.word === "failed" || event.word === "arrived") {
      goal.visible = false;
      document.body.dataset.word = event.word;
    }
    say("news", `It ${event.text}.`);
  }
  const state = stage.actor(actor);
  for (const fall of stage.footfalls()) if (fall.actor === actor) print(fall, state.heading);
  for (const own of prints) {
    own.left -= seconds;
    own.mark.material.opacity = Math.min(0.8, own.left / 4);
    if (own.left <= 0) scene.remove(own.mark);
  }
  while (prints.length && prints[0].left <= 0) prints.shift();
  Object.assign(document.body.dataset, { at: `${state.x} ${state.z}`, ours: ours.toFixed(2) });
  controls.update();
  renderer.render(scene, camera);
}

const human = Character.humanoid();
await enter(human, "The built-in human");
human.free();
renderer.setAnimationLoop(frame);
document.body.dataset.ready = "yes";
