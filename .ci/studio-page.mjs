// Opens the page of the studio in headless Chromium from a plain static folder, goes through its rooms, clicks, drags, types,
// scrubs and drops files, and takes a picture of each room. Says how long it takes until somebody can work and how many pictures there are
// in a second. Leaves with 1 if the console is not clean or something does not answer.
//
//   node .ci/studio-page.mjs BROWSER SITE OUT     BROWSER has playwright-core in it

import { createRequire } from "node:module";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";

const [home, site, out] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(home), "package.json"))("playwright-core");
const types = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };

const server = createServer(async (request, response) => {
  const name = new URL(request.url, "http://localhost").pathname.replace(/^\/$/, "/index.html");
  try {
    const body = await readFile(join(site, name));
    response.writeHead(200, { "content-type": types[name.split(".").pop()] ?? "application/octet-stream" });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
});

// Somebody's own files: a yard with a walker, and two frames of two legs.
const yard = `version = 1
name = "yard"
[[platform]]
outline = [[-9, -9], [9, -9], [9, 9], [-9, 9]]
[[character]]
name = "Ann"
start = { at = [0, -4], heading = 0 }
goal = { at = [0, 6] }
`;
const leg = (side, x) => `JOINT ${side}UpLeg
{
OFFSET ${x} 0 0
CHANNELS 3 Zrotation Xrotation Yrotation
JOINT ${side}Leg
{
OFFSET 0 -0.45 0
CHANNELS 3 Zrotation Xrotation Yrotation
JOINT ${side}Foot
{
OFFSET 0 -0.42 0
CHANNELS 3 Zrotation Xrotation Yrotation
End Site
{
OFFSET 0 -0.08 0.18
}
}
}
}
`;
const zeros = Array(18).fill("0").join(" ");
const motion = `HIERARCHY
ROOT Hips
{
OFFSET 0 0 0
CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
${leg("Left", 0.1)}${leg("Right", -0.1)}}
MOTION
Frames: 3
Frame Time: 0.033333
0 0.95 0 0 0 0 ${zeros}
0 0.95 0.01 0 0 0 ${zeros}
0 0.95 0.02 0 0 0 ${zeros}
`;

const drop = (page, name, text) => page.evaluate(([name, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name));
  for (const kind of ["dragover", "drop"]) {
    const canvas = document.getElementById("studio");
    canvas.dispatchEvent(new DragEvent(kind, { dataTransfer: files, bubbles: true, cancelable: true }));
  }
}, [name, text]);

// Pictures in a second, over some seconds.
const rate = (page, seconds) => page.evaluate((seconds) => new Promise((done) => {
  let frames = 0;
  const began = performance.now();
  const count = () => {
    frames += 1;
    const gone = (performance.now() - began) / 1000;
    gone < seconds ? requestAnimationFrame(count) : done(frames / gone);
  };
  requestAnimationFrame(count);
}), seconds);

const wrong = [];
const room_of = (page) => new URL(page.url()).hash.slice(1);
const expect_room = async (page, room, why) => {
  for (let tries = 0; tries < 100 && room_of(page) !== room; tries += 1) await page.waitForTimeout(100);
  if (room_of(page) !== room) wrong.push(`${why}: in ${room_of(page)}, not in ${room}`);
};
try {
  for (const room of ["welcome", "stage", "motion", "creature", "physics"]) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) wrong.push(`${room}: ${message.text()}`);
    });
    page.on("pageerror", (error) => wrong.push(`${room}: ${error}`));
    const began = Date.now();
    await page.goto(`${address}#${room}`);
    const there = page.waitForSelector("#waiting", { state: "detached", timeout: 60_000 });
    if (!(await there.then(() => true, () => false))) {
      wrong.push(`${room}: not opened within a minute`);
      await page.screenshot({ path: join(out, `page-${room}.png`) });
      await page.close();
      continue;
    }
    // Two pictures after that, whatever was pressed has been answered.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    const opened = Date.now() - began;
    await page.waitForTimeout(2000);
    const pictures = await rate(page, 4);
    if (room === "stage") {
      // Stop, look around, scrub, and send somebody somewhere.
      await page.keyboard.press("Space");
      await page.mouse.move(500, 300);
      await page.mouse.down({ button: "right" });
      await page.mouse.move(560, 320, { steps: 4 });
      await page.mouse.up({ button: "right" });
      await page.mouse.click(400, 775);
      await page.mouse.click(660, 520);
      await page.keyboard.press("b");
      await page.waitForTimeout(3000);
    }
    if (room === "physics") {
      await page.mouse.click(60, 174);
      await page.waitForTimeout(1500);
    }
    await page.screenshot({ path: join(out, `page-${room}.png`) });
    console.log(`${room}: opened in ${(opened / 1000).toFixed(1)} s (at most 3), ${pictures.toFixed(0)} pictures a second (at least 20)`);
    if (room === "welcome") {
      await drop(page, "yard.toml", yard);
      await expect_room(page, "stage", "a scene was dropped");
      await drop(page, "legs.bvh", motion);
      await expect_room(page, "motion", "a motion was dropped");
      await page.waitForTimeout(1000);
      await page.screenshot({ path: join(out, "page-dropped.png") });
    }
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
for (const line of wrong) console.error(line);
process.exit(wrong.length > 0 ? 1 : 0);
