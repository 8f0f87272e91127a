// The package in headless Chromium: everything it exports, the page where a click sends somebody, files of one's own, and what 50
// people cost. Leaves with 1 if anything is wrong or the console is not clean.
//
//   node .ci/web-page.mjs BROWSER SITE OUT [FILE...]     BROWSER has playwright-core in it, FILEs are characters of somebody else's

import { createRequire } from "node:module";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";

const [home, site, out, ...files] = process.argv.slice(2);
const { chromium } = createRequire(join(resolve(home), "package.json"))("playwright-core");
const types = { html: "text/html", js: "text/javascript", wasm: "application/wasm" };
const server = createServer(async (request, response) => {
  const name = new URL(request.url, "http://localhost").pathname.replace(/^\/$/, "/index.html");
  if (name === "/favicon.ico") return response.writeHead(204).end();
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
const wrong = [];
const opened = async (path, ready = "body[data-ready]") => {
  const page = await browser.newPage({ viewport: { width: 640, height: 420 } });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`console of ${path}: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`${path}: ${error}`));
  await page.goto(address + path);
  await page.waitForSelector(ready, { state: "attached", timeout: 120_000 });
  return page;
};
try {
  // Every function.
  const plain = await opened("bench.html");
  const told = await plain.evaluate(async () => (await import("./tests/api.js")).default(await import("./andante/andante.js")));
  wrong.push(...told.wrong);
  console.log(`api: ${told.wrong.length} wrong, ${told.kept} of 40 damaged files were still characters`);

  // 50 people, 60 times a second.
  const cost = await plain.evaluate(() => window.bench(50, 900));
  console.log(`50 people, ${cost.joints} joints each, ${cost.moved} of them on their way, ${cost.frames} frames: ` +
    `mean ${cost.mean.toFixed(2)} ms, median ${cost.median.toFixed(2)}, 99 of 100 ${cost.p99.toFixed(2)}, longest ${cost.longest.toFixed(2)}`);
  if (!cost.finite || cost.moved < 25) wrong.push(`the crowd does not walk: ${JSON.stringify(cost)}`);
  if (cost.mean > 1000 / 60) wrong.push(`50 people are too slow: ${cost.mean} ms`);
  await plain.close();

  // The page of the README: what is drawn is elsewhere after a click.
  const readme = await opened("readme.html", "canvas");
  const drawn = () => readme.evaluate(() => document.querySelector("canvas").toDataURL());
  await readme.waitForTimeout(1000);
  const first = await drawn();
  await readme.mouse.click(450, 200);
  await readme.waitForTimeout(3000);
  if (first === await drawn()) wrong.push("README: nobody moves");
  await readme.close();

  // The page: a click, and it gets there.
  const page = await opened("");
  const numbers = async (key) => (await page.evaluate((key) => document.body.dataset[key], key)).split(" ").map(Number);
  const walk = async (what, x, y) => {
    await page.mouse.click(x, y);
    const goal = await numbers("goal");
    const begin = await numbers("at");
    await page.waitForFunction(() => ["arrived", "failed"].includes(document.body.dataset.word), null, { timeout: 120_000 })
      .catch(() => wrong.push(`${what}: has not arrived within two minutes`));
    const end = await numbers("at");
    const [way, off] = [Math.hypot(end[0] - begin[0], end[1] - begin[1]), Math.hypot(end[0] - goal[0], end[1] - goal[1])];
    console.log(`${what}: ${way.toFixed(2)} m, ends ${(1000 * off).toFixed(0)} mm from where was clicked`);
    if (!(way > 1 && off < 0.05)) wrong.push(`${what}: from ${begin} to ${end}, not ${goal}`);
  };
  // The goal is behind the box.
  await walk("the built-in human", 300, 172);
  await page.screenshot({ path: join(out, "page.png") });
  const trouble = () => page.textContent("#trouble");
  const open = (name, buffer) => page.setInputFiles("#file", { name, mimeType: "application/octet-stream", buffer });
  // What is no character is told in the words of the library, and whoever is here stays.
  for (const [name, text, words] of [["bad.glb", "not a file", "bad.glb: "], ["bad.bvh", "HIERARCHY\nROOF", "bad.bvh:2:1: "], ["a.png", "", "not a format"]]) {
    await open(name, Buffer.from(text));
    await page.waitForFunction((words) => document.getElementById("trouble").textContent.includes(words), words, { timeout: 10_000 })
      .catch(async () => wrong.push(`${name}: "${await trouble()}" instead of "${words}"`));
    console.log(`${name}: ${await trouble()}`);
  }
  // A file of one's own, dropped on the page.
  const drop = async (name, bytes) => {
    const data = await page.evaluateHandle(([name, text]) => {
      const carried = new DataTransfer();
      carried.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
      return carried;
    }, [name, bytes.toString("base64")]);
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
    await page.waitForFunction((name) => document.body.dataset.who === name || document.getElementById("trouble").textContent !== "", name, { timeout: 60_000 });
    const said = await trouble();
    if (said) wrong.push(`${name}: ${said}`);
  };
  const child = await page.evaluate(async () => {
    const { Character } = await import("./andante/andante.js");
    return btoa(Array.from(Character.humanoid(1.2).glb(), (byte) => String.fromCharCode(byte)).join(""));
  });
  await drop("child.glb", Buffer.from(child, "base64"));
  await walk("child.glb", 250, 300);
  for (const [index, file] of files.entries()) {
    await drop(basename(file), await readFile(file));
    await walk(basename(file), ...(index % 2 ? [250, 300] : [420, 330]));
    await page.screenshot({ path: join(out, `page-${basename(file)}.png`) });
  }
  await page.click("#push");
  await page.waitForTimeout(1500);
  await page.close();
} catch (error) {
  wrong.push(String(error));
} finally {
  await browser.close();
  server.close();
}
for (const line of wrong) console.error(line);
process.exit(wrong.length > 0 ? 1 : 0);
