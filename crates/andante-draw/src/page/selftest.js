// With #selftest the page tries its own controls and writes what it found into the document.
"use strict";

if (location.hash === "#selftest") addEventListener("load", () => setTimeout(selftest, 0));

function selftest() {
  const found = { loaded_ms: Math.round(performance.now()), checks: {}, faults };
  const check = (name, works) => { found.checks[name] = Boolean(works); };
  try {
    const one = players[0], root = one.root, find = (name) => root.querySelector(`[data-do=${name}]`), gl = one.gl;
    const picture = () => {
      one.draw(0);
      const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight], pixels = new Uint8Array(4 * w * h);
      gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return pixels;
    };
    const differ = (a, b) => { let count = 0; for (let k = 0; k < a.length; k += 4) if (Math.abs(a[k] - b[k]) + Math.abs(a[k + 1] - b[k + 1]) + Math.abs(a[k + 2] - b[k + 2]) > 12) count++; return count; };
    check("plays at once", one.state().playing);
    find("play").click();
    check("pauses", !one.state().playing && find("play").textContent === "Play");
    find("play").click();
    check("plays again", one.state().playing);
    one.key(" ");
    check("space pauses", !one.state().playing);
    const scrub = find("scrub");
    scrub.value = Math.round(scrub.max / 2); scrub.dispatchEvent(new Event("input"));
    check("scrubs", Math.abs(one.state().time - scrub.value / 60) < 1e-6);
    const middle = picture();
    check("draws something", differ(middle, middle.slice().fill(middle[0])) > 1000);
    one.key("ArrowRight");
    check("steps a frame", Math.abs(one.state().time - scrub.max / 2 / 60 - 1 / 60) < 0.02);
    one.key("Home"); const first = picture();
    check("moves", differ(first, middle) > 200);
    scrub.value = Math.round(scrub.max / 2); scrub.dispatchEvent(new Event("input"));
    for (const button of root.querySelectorAll("[data-toggle]")) {
      const before = picture(), was = button.getAttribute("aria-pressed");
      button.click();
      const after = picture();
      check(`toggles ${button.dataset.toggle}`, button.getAttribute("aria-pressed") !== was && differ(before, after) > 5);
      one.key(button.dataset.key);
      check(`key ${button.dataset.key}`, button.getAttribute("aria-pressed") === was);
    }
    const follow = find("follow");
    for (const option of follow.options) {
      follow.value = option.value; follow.onchange(); picture();
      check(`follows ${option.value}`, one.state().focus.every(Number.isFinite));
    }
    follow.value = "0"; follow.onchange();
    const canvas = root.querySelector("canvas"), { yaw, distance } = one.state(), pointer = (type, x, y, more) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: y, buttons: 1, ...more }));
    canvas.setPointerCapture = () => {};
    pointer("pointerdown", 100, 100); pointer("pointermove", 140, 110); pointer("pointerup", 140, 110);
    check("orbits", one.state().yaw !== yaw);
    pointer("pointerdown", 100, 100); pointer("pointermove", 140, 110, { shiftKey: true }); pointer("pointerup", 140, 110);
    check("pans", one.state().pan.some((v) => v !== 0));
    canvas.dispatchEvent(new WheelEvent("wheel", { deltaY: 200 }));
    check("zooms", one.state().distance > distance);
    const event = document.querySelector(".events [data-time]:last-of-type");
    if (event) { event.click(); check("jumps to an event", Math.abs(one.state().time - Number(event.dataset.time)) < 1e-3); }
    const theme = document.querySelector("[data-do=theme]"), light = picture(); theme.click(); const dark = picture(); theme.click();
    check("changes its theme", differ(light, dark) > 1000);
    // What a frame costs, drawn and waited for.
    const frames = 20, began = performance.now(), pixel = new Uint8Array(4);
    for (let k = 0; k < frames; k++) { one.seek(k * one.data.seconds / frames); one.draw(0); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); }
    found.frame_ms = Math.round((performance.now() - began) / frames * 10) / 10;
    check("no GL error", gl.getError() === 0);
    found.pixels = [gl.drawingBufferWidth, gl.drawingBufferHeight];
  } catch (error) { faults.push(String(error.stack || error)); }
  found.passed = faults.length === 0 && Object.values(found.checks).every(Boolean);
  const out = document.createElement("pre");
  out.id = "selftest-result";
  out.textContent = JSON.stringify(found);
  document.body.append(out);
}
