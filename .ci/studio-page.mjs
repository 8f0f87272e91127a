// Opens the page of the studio in headless Chromium from a plain static folder, goes through its rooms, clicks, drags, types and
// scrubs, and takes a picture of each room. Leaves with 1 if the console is not clean or something does not answer.
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
const wrong = [];
try {
  for (const room of ["welcome", "stage", "motion", "creature", "physics"]) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) wrong.push(`${room}: ${message.text()}`);
    });
    page.on("pageerror", (error) => wrong.push(`${room}: ${error}`));
    const began = Date.now();
    await page.goto(`${address}#${room}`);
    const there = page.waitForSelector("#waiting", { state: "detached", timeout: 30_000 });
    if (!(await there.then(() => true, () => false))) {
      wrong.push(`${room}: not opened within 30 s`);
      await page.screenshot({ path: join(out, `page-${room}.png`) });
      await page.close();
      continue;
    }
    const opened = Date.now() - began;
    await page.waitForTimeout(4000);
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
    console.log(`${room}: opened in ${opened} ms`);
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
for (const line of wrong) console.error(line);
process.exit(wrong.length > 0 ? 1 : 0);
