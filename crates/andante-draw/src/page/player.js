// Plays takes: skinned bodies in a world, in WebGL 2, without libraries.
"use strict";

const faults = [];
addEventListener("error", (event) => faults.push(String(event.message)));
addEventListener("unhandledrejection", (event) => faults.push(String(event.reason)));

const players = [...document.querySelectorAll(".player")].map(start);
chooseTheme();

// ---- numbers

function bytes(text) { return Uint8Array.from(atob(text || ""), (c) => c.charCodeAt(0)).buffer; }
function floats(text) { return new Float32Array(bytes(text)); }
function linear(hex) { return hex.trim().match(/[0-9a-f]{2}/gi).map((part) => Math.pow(parseInt(part, 16) / 255, 2.2)); }
function clamp(value, low, high) { return Math.min(Math.max(value, low), high); }
function sub(a, b) { return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]; }
function cross(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }
function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function unit(a) { const l = Math.hypot(...a) || 1; return [a[0] / l, a[1] / l, a[2] / l]; }
function columns(rows) { const m = new Float32Array(16); for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) m[4 * c + r] = rows[r][c]; return m; }

function perspective(eye, centre, aspect, near, far) {
  const back = unit(sub(eye, centre)), right = unit(cross([0, 1, 0], back)), up = cross(back, right), f = 1 / Math.tan(0.35);
  return columns([
    [...right.map((v) => v * f / aspect), -dot(right, eye) * f / aspect],
    [...up.map((v) => v * f), -dot(up, eye) * f],
    [...back.map((v) => v * (far + near) / (near - far)), (-dot(back, eye) * (far + near) + 2 * far * near) / (near - far)],
    [...back.map((v) => -v), dot(back, eye)],
  ]);
}

function orthographic(towards, centre, half, depth) {
  const right = unit(cross([0, 1, 0], towards)), up = cross(towards, right);
  const row = (axis, scale) => [...axis.map((v) => v * scale), -dot(axis, centre) * scale];
  return columns([row(right, 1 / half), row(up, 1 / half), row(towards, -1 / depth), [0, 0, 0, 1]]);
}

// Without a graphics card every sample of a pixel costs.
function drawnBySoftware() {
  const gl = document.createElement("canvas").getContext("webgl2"), info = gl && gl.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  if (gl) { const lost = gl.getExtension("WEBGL_lose_context"); if (lost) lost.loseContext(); }
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

// ---- one player

function start(root) {
  const data = JSON.parse(root.querySelector("script").textContent);
  const canvas = root.querySelector("canvas");
  const find = (name) => root.querySelector(`[data-do=${name}]`);
  const [play, slider, clock, speed, follow] = ["play", "scrub", "clock", "speed", "follow"].map(find);
  const software = drawnBySoftware();
  const gl = canvas.getContext("webgl2", { alpha: false, antialias: !software, powerPreference: "high-performance" });
  if (!gl) { root.classList.add("blind"); return null; }

  const size = data.size, shown = {}, sun = unit([0.45, 0.80, 0.38]);
  const dyes = [[1, 1, 1], [1.12, 0.86, 0.62], [0.72, 1.02, 0.80], [1.1, 0.76, 0.92], [0.8, 0.85, 1.2], [1.15, 1.05, 0.6]];
  const programs = {
    body: program(BODY_VERTEX, BODY_FRAGMENT), solid: program(SOLID_VERTEX, SOLID_FRAGMENT), mark: program(MARK_VERTEX, MARK_FRAGMENT),
  };
  const bodies = data.bodies.map(skinned);
  const actors = data.actors.map(actor);
  const ground = data.ground && surface(data.ground);
  const plane = surface(planeShape());
  const forms = { box: surface(boxShape()), post: surface(postShape()), ...data.forms.map(surface) };
  const prints = marks(actors.flatMap((one) => one.printMarks)), ways = marks(actors.flatMap((one) => one.wayMarks));
  const props = (data.props || []).map((prop) => ({ ...prop, places: floats(prop.places) }));
  const live = marks([]), sticks = marks([]);
  const shadow = shadowMap(1024);

  const heads = [...document.querySelectorAll(".timed i")];
  const moments = [...document.querySelectorAll(".events [data-time]")];
  let time = 0, playing = false, last = null, focus = null, pan = [0, 0, 0], quality = software ? 0.7 : 1, slow = 0, stale = true, told = 0;
  let yaw = 0.8, pitch = 0.34, distance = size * 3;

  // Controls

  slider.max = Math.max(1, Math.round(data.seconds * 60));
  play.onclick = () => setPlaying(!playing);
  slider.oninput = () => { setPlaying(false); seek(slider.value / 60); };
  follow.onchange = () => { pan = [0, 0, 0]; if (follow.value === "free" && focus) pan = focus.slice(); focus = null; refresh(); };
  for (const button of root.querySelectorAll("[data-toggle]")) {
    shown[button.dataset.toggle] = button.getAttribute("aria-pressed") === "true";
    button.onclick = () => toggle(button.dataset.toggle);
  }
  for (const button of document.querySelectorAll("[data-time]")) {
    button.addEventListener("click", () => {
      setPlaying(false);
      if (button.dataset.track && follow.value !== "free") { follow.value = button.dataset.track; focus = null; }
      seek(Number(button.dataset.time));
    });
  }
  for (const chart of document.querySelectorAll(".timed")) {
    chart.addEventListener("click", (event) => {
      const frame = chart.getBoundingClientRect(), [from, to] = [100 / 1200, 1100 / 1200];
      const part = ((event.clientX - frame.left) / frame.width - from) / (to - from);
      setPlaying(false); seek(clamp(part, 0, 1) * data.seconds);
    });
  }
  canvas.tabIndex = 0;
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.matches("select") || (event.target.matches("input") && event.key.startsWith("Arrow"));
    if (typing || (event.key === " " && event.target.matches("button"))) return;
    if (key(event.key, event.shiftKey)) event.preventDefault();
  });
  const touches = new Map();
  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId); canvas.focus({ preventScroll: true });
    touches.set(event.pointerId, [event.clientX, event.clientY]);
  };
  canvas.onpointerup = canvas.onpointercancel = (event) => touches.delete(event.pointerId);
  canvas.onpointermove = (event) => {
    const before = touches.get(event.pointerId);
    if (!before) return;
    const now = [event.clientX, event.clientY], moved = [now[0] - before[0], now[1] - before[1]];
    if (touches.size === 2) {
      const other = [...touches].find(([id]) => id !== event.pointerId)[1];
      const gap = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]);
      zoom(gap(before) / Math.max(gap(now), 1));
      shift(moved[0] / 2, moved[1] / 2);
    } else if (event.shiftKey || event.buttons & 6) shift(...moved);
    else { yaw -= moved[0] * 0.008; pitch = clamp(pitch + moved[1] * 0.006, -0.1, 1.5); }
    touches.set(event.pointerId, now);
    refresh();
  };
  canvas.oncontextmenu = (event) => event.preventDefault();
  canvas.addEventListener("wheel", (event) => { zoom(Math.exp(event.deltaY * 0.001)); event.preventDefault(); refresh(); }, { passive: false });
  new ResizeObserver(refresh).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", refresh);
  document.addEventListener("themechange", refresh);
  canvas.addEventListener("webglcontextlost", (event) => { event.preventDefault(); setPlaying(false); root.classList.add("blind"); });
  // An address can name a moment: report.html#t=4.2
  const moment = /[#&]t=([0-9.]+)/.exec(location.hash);
  if (moment) seek(Number(moment[1]));
  setPlaying(!moment && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  refresh();
  return { root, data, draw, seek, setPlaying, toggle, key, shown, follow, state: () => ({ time, playing, yaw, pitch, distance, pan, focus }), gl };

  function key(name, shifted) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[name];
    const button = root.querySelector(`[data-key="${name.toLowerCase()}"]`);
    if (name === " ") setPlaying(!playing);
    else if (step) { setPlaying(false); seek(time + step * (shifted ? 1 : 1 / 60)); }
    else if (name === "Home") seek(0);
    else if (name === "End") seek(data.seconds);
    else if (name === "+" || name === "=") { zoom(0.85); refresh(); }
    else if (name === "-") { zoom(1 / 0.85); refresh(); }
    else if (name === "[" || name === "]") { speed.selectedIndex = clamp(speed.selectedIndex + (name === "[" ? 1 : -1), 0, speed.length - 1); }
    else if (/^[1-9]$/.test(name) && Number(name) <= actors.length) { follow.value = String(Number(name) - 1); follow.onchange(); }
    else if (button) button.click();
    else return false;
    return true;
  }
  function toggle(name) {
    shown[name] = !shown[name];
    root.querySelector(`[data-toggle=${name}]`).setAttribute("aria-pressed", shown[name]);
    refresh();
  }
  function zoom(factor) { distance = clamp(distance * factor, size * 0.6, size * 40); }
  function shift(dx, dy) {
    const scale = distance * 0.73 / canvas.clientHeight, s = Math.sin(yaw), c = Math.cos(yaw), up = Math.sin(pitch);
    pan = [pan[0] - dx * scale * c - dy * scale * s * up, pan[1] + dy * scale * Math.cos(pitch), pan[2] + dx * scale * s - dy * scale * c * up];
  }
  function seek(to) { time = clamp(to, 0, data.seconds); focus = null; refresh(); }
  function setPlaying(on) {
    if (on && time >= data.seconds) { time = 0; focus = null; }
    playing = on; last = null;
    play.textContent = on ? "Pause" : "Play";
    play.setAttribute("aria-pressed", on);
    if (on) requestAnimationFrame(tick);
  }
  function refresh() {
    if (playing || !stale) { stale = true; }
    if (!playing) requestAnimationFrame(() => { if (stale && !playing) draw(0); });
  }
  function tick(now) {
    if (!playing) return;
    const passed = last === null ? 0 : (now - last) / 1000;
    last = now;
    time += Math.min(passed, 0.25) * Number(speed.value);
    if (time >= data.seconds) { time = data.seconds > 0 ? time % data.seconds : 0; focus = null; }
    // Slow machines get fewer pixels rather than fewer frames.
    slow = passed > 0.05 ? slow + 1 : Math.max(0, slow - 1);
    if (slow > 8 && quality > 0.5) { quality *= 0.8; slow = 0; }
    draw(passed);
    requestAnimationFrame(tick);
  }

  // Drawing

  function draw(passed) {
    stale = false;
    const ratio = Math.min(window.devicePixelRatio || 1, 2) * quality;
    const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const style = getComputedStyle(root), color = (name) => linear(style.getPropertyValue(name));
    const sky = color("--sky");
    for (const one of actors) one.pose(time);

    const target = aim();
    const pull = passed > 0 && focus ? 1 - Math.exp(-passed * 7) : 1;
    focus = focus ? focus.map((f, k) => f + (target[k] - f) * pull) : target;
    const centre = follow.value === "free" ? focus : focus.map((f, k) => f + pan[k]);
    const away = distance * (follow.value === "all" ? widening(focus, width / height) : 1);
    const eye = [
      centre[0] + away * Math.cos(pitch) * Math.sin(yaw), centre[1] + away * Math.sin(pitch),
      centre[2] + away * Math.cos(pitch) * Math.cos(yaw),
    ];
    const reach = Math.max(away * 3, size * 16);
    const view = perspective(eye, centre, width / height, away * 0.02, reach * 1.2);
    const half = clamp(away * 0.9, size * 2.2, size * 7);
    const sunView = orthographic(sun, centre, half, half * 2.5);
    const there = data.things.filter((thing) => thing.from <= time && (thing.until === null || time < thing.until));

    if (shown.shadows) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, shadow.frame);
      gl.viewport(0, 0, shadow.size, shadow.size);
      gl.enable(gl.DEPTH_TEST); gl.depthMask(true); gl.colorMask(false, false, false, false);
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.activeTexture(gl.TEXTURE1); gl.bindTexture(gl.TEXTURE_2D, null);
      scenery({ view: sunView, sunView, eye, sky, sun, reach, shaded: false }, there, null);
      people({ view: sunView, sunView, eye, sky, sun, reach, shaded: false });
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
      gl.colorMask(true, true, true, true);
    }
    gl.activeTexture(gl.TEXTURE1); gl.bindTexture(gl.TEXTURE_2D, shadow.texture); gl.activeTexture(gl.TEXTURE0);
    const common = { view, sunView, eye, sky, sun, reach, shaded: shown.shadows };
    gl.viewport(0, 0, width, height);
    gl.clearColor(...sky.map((v) => Math.pow(v, 1 / 2.2)), 1);
    gl.enable(gl.DEPTH_TEST); gl.depthMask(true); gl.disable(gl.BLEND);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const earth = { paint: color("--earth"), line: color("--grid"), spacing: shown.grid ? (size > 8 ? 10 : size < 0.4 ? 0.1 : 1) : 0 };
    scenery(common, there, { earth, stone: color("--stone"), centre });
    if (shown.bodies) people(common);

    gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA); gl.depthMask(false);
    uniforms(programs.mark, { ...common, time });
    if (shown.ways) paint(ways);
    if (shown.prints) paint(prints);
    if (shown.contacts) { live.fill(actors.flatMap((one) => one.touching(time))); paint(live); }
    if (shown.bones) {
      gl.disable(gl.DEPTH_TEST);
      sticks.fill(actors.flatMap((one) => one.bones(eye)));
      paint(sticks);
      gl.enable(gl.DEPTH_TEST);
    }
    gl.depthMask(true);

    // Text and sliders cost more than bodies where there is no graphics card: a few times a second is enough.
    const now = performance.now();
    if (passed > 0 && now - told < (software ? 200 : 30)) return;
    told = now;
    slider.value = Math.round(time * 60);
    clock.textContent = time.toFixed(2) + " s";
    // Charts lead from 100 to 1100 of 1200 units.
    const left = `${((100 + 1000 * (data.seconds > 0 ? time / data.seconds : 0)) / 12).toFixed(2)}%`;
    for (const head of heads) head.style.left = left;
    mark();
  }
  // Where the camera looks.
  function aim() {
    if (follow.value === "free") return pan.slice();
    const chosen = follow.value === "all" ? actors : [actors[Number(follow.value)] || actors[0]];
    const hearts = chosen.map((one) => one.heart());
    const low = hearts.reduce((a, b) => a.map((v, k) => Math.min(v, b[k])));
    const high = hearts.reduce((a, b) => a.map((v, k) => Math.max(v, b[k])));
    return low.map((v, k) => (v + high[k]) / 2);
  }
  // How much farther away than from one of them the camera has to be to see all of everybody.
  function widening(centre, aspect) {
    const around = actors.map((one) => Math.hypot(...one.heart().map((v, k) => v - centre[k])));
    const needed = (Math.max(...around) + 0.8 * size) / (0.36 * Math.min(1, aspect));
    return Math.max(1, needed / (3 * size));
  }
  // The last event that has happened is lit.
  function mark() {
    let latest = null;
    for (const button of moments) {
      button.classList.remove("now");
      if (Number(button.dataset.time) <= time + 1e-3) latest = button;
    }
    if (latest) latest.classList.add("now");
  }
  function scenery(common, there, look) {
    const draws = look || { earth: { paint: sun, line: sun, spacing: 0 }, stone: sun, centre: sun };
    uniforms(programs.solid, { ...common, ...draws.earth });
    // The ground throws no shadow on itself.
    if (ground && look) solid(ground, identity());
    if (data.floor !== null && look) {
      const r = common.reach, [x, , z] = draws.centre;
      solid(plane, new Float32Array([2 * r, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2 * r, 0, x, data.floor, z, 1]));
    }
    uniforms(programs.solid, { paint: draws.stone, spacing: 0 });
    for (const thing of there) {
      const [w, h, d] = thing.size, s = Math.sin(thing.heading), c = Math.cos(thing.heading), [x, y, z] = thing.at;
      solid(forms[thing.form], new Float32Array([w * c, 0, -w * s, 0, 0, h, 0, 0, d * s, 0, d * c, 0, x, y, z, 1]));
    }
    if (look) uniforms(programs.solid, { paint: [0.72, 0.16, 0.08] });
    for (const prop of props) { const model = place(prop); if (model) solid(forms[prop.form], model); }
  }
  // Where a thing that moves by itself is: nowhere before it comes.
  function place(prop) {
    const frame = Math.round(time * prop.fps) - prop.from, last = prop.places.length / 7 - 1;
    if (frame < 0 || last < 0) return null;
    const [x, y, z, w, px, py, pz] = prop.places.slice(7 * Math.min(frame, last), 7 * Math.min(frame, last) + 7);
    return new Float32Array([
      1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y), 0, 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x), 0,
      2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y), 0, px, py, pz, 1,
    ]);
  }
  function people(common) {
    uniforms(programs.body, common);
    actors.forEach((one, index) => {
      uniforms(programs.body, { low: one.body.low, extent: one.body.extent, dye: dyes[index % dyes.length] });
      gl.activeTexture(gl.TEXTURE0);
      gl.bindTexture(gl.TEXTURE_2D, one.texture);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 3, one.count, gl.RGBA, gl.FLOAT, one.matrices);
      gl.bindVertexArray(one.body.array);
      gl.drawElements(gl.TRIANGLES, one.body.length, one.body.type, 0);
    });
  }
  function solid(mesh, model) {
    uniforms(programs.solid, { model, low: mesh.low, extent: mesh.extent });
    gl.bindVertexArray(mesh.array);
    gl.drawElements(gl.TRIANGLES, mesh.length, mesh.type, 0);
  }
  function paint(batch) {
    gl.bindVertexArray(batch.array);
    gl.drawArrays(gl.TRIANGLES, 0, batch.count);
  }
  function identity() { return new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]); }

  // People

  function actor(source, index) {
    const body = bodies[source.body], count = source.parents.length, frames = source.frames;
    const still = floats(source.still), rotations = new Int16Array(bytes(source.rotations)), translations = floats(source.translations);
    const locals = new Float32Array(count * 7), models = new Float32Array(count * 12), matrices = new Float32Array(count * 12);
    locals.set(still);
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, 3, count);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    const feet = (source.feet || []).map((foot) => ({ ...foot, points: foot.points.map((point) => ({ ...point, down: floats(point.down) })) }));
    const turning = source.turning.length, moving = source.moving.length;

    function pose(time) {
      const at = clamp(time * source.fps, 0, frames - 1), frame = Math.floor(at), next = Math.min(frame + 1, frames - 1), part = at - frame;
      for (let k = 0; k < turning; k++) {
        const a = 4 * (frame * turning + k), b = 4 * (next * turning + k), to = 7 * source.turning[k];
        let same = 0, length = 0;
        for (let i = 0; i < 4; i++) same += rotations[a + i] * rotations[b + i];
        const sign = same < 0 ? -1 : 1;
        for (let i = 0; i < 4; i++) { const v = rotations[a + i] * (1 - part) + sign * rotations[b + i] * part; locals[to + i] = v; length += v * v; }
        length = Math.sqrt(length) || 1;
        for (let i = 0; i < 4; i++) locals[to + i] /= length;
      }
      for (let k = 0; k < moving; k++) {
        const a = 3 * (frame * moving + k), b = 3 * (next * moving + k), to = 7 * source.moving[k] + 4;
        for (let i = 0; i < 3; i++) locals[to + i] = translations[a + i] * (1 - part) + translations[b + i] * part;
      }
      for (let joint = 0; joint < count; joint++) {
        const l = 7 * joint, x = locals[l], y = locals[l + 1], z = locals[l + 2], w = locals[l + 3], m = 12 * joint;
        const own = [
          1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), locals[l + 4],
          2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), locals[l + 5],
          2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), locals[l + 6],
        ];
        if (source.parents[joint] < 0) models.set(own, m);
        else product(models, 12 * source.parents[joint], own, 0, models, m);
        product(models, m, body.binds, m, matrices, m);
      }
    }
    // 3×4 matrices by rows.
    function product(a, i, b, j, out, o) {
      for (let r = 0; r < 3; r++) {
        const p = a[i + 4 * r], q = a[i + 4 * r + 1], s = a[i + 4 * r + 2];
        for (let c = 0; c < 4; c++) out[o + 4 * r + c] = p * b[j + c] + q * b[j + 4 + c] + s * b[j + 8 + c] + (c === 3 ? a[i + 4 * r + 3] : 0);
      }
    }
    function place(joint, offset) {
      const m = 12 * joint;
      return [0, 4, 8].map((r) => models[m + r] * offset[0] + models[m + r + 1] * offset[1] + models[m + r + 2] * offset[2] + models[m + r + 3]);
    }
    const heart = () => { const p = place(0, [0, 0, 0]); return [p[0], p[1] - 0.06 * size, p[2]]; };
    const down = (spans, time) => { for (let k = 0; k < spans.length; k += 2) if (time >= spans[k] && time <= spans[k + 1]) return true; return false; };
    const touching = (time) => feet.flatMap((foot) => foot.points.filter((point) => down(point.down, time)).map((point) => {
      const p = place(point.joint, point.offset), r = 0.035 * size;
      return { corners: flat(p, [r, 0, 0], [0, 0, r], 0.006), round: true, color: [0.15, 0.85, 0.35, 0.95], since: -1 };
    }));
    const bones = (eye) => {
      const found = [];
      const stick = (a, b) => {
        const across = unit(cross(sub(b, a), sub(eye, a))).map((v) => v * 0.006 * size);
        found.push({ corners: [sub(a, across), [a[0] + across[0], a[1] + across[1], a[2] + across[2]], [b[0] + across[0], b[1] + across[1], b[2] + across[2]], sub(b, across)], round: false, color: [0.85, 0.25, 0.1, 0.9], since: -1 });
      };
      for (let joint = 0; joint < count; joint++) {
        if (source.parents[joint] >= 0) stick(place(source.parents[joint], [0, 0, 0]), place(joint, [0, 0, 0]));
        if (source.tips && source.tips[joint]) stick(place(joint, [0, 0, 0]), place(joint, source.tips[joint]));
      }
      return found;
    };
    return { body, count, texture, matrices, pose, heart, touching, bones, printMarks: printMarks(source), wayMarks: wayMarks(source, index) };
  }
  function flat(p, a, b, up) {
    return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([i, j]) => [p[0] + i * a[0] + j * b[0], p[1] + i * a[1] + j * b[1] + up, p[2] + i * a[2] + j * b[2]]);
  }
  function printMarks(source) {
    const numbers = floats(source.prints), found = [];
    for (let k = 0; k + 12 <= numbers.length; k += 12) {
      const [side, landing, , hx, hy, hz, tx, ty, tz, nx, ny, nz] = numbers.subarray(k, k + 12);
      const ahead = sub([tx, ty, tz], [hx, hy, hz]).map((v) => v * 0.56), across = unit(cross([nx, ny, nz], ahead)).map((v) => v * 0.028 * size);
      const middle = [(hx + tx) / 2 + nx * 0.008, (hy + ty) / 2 + ny * 0.008, (hz + tz) / 2 + nz * 0.008];
      const color = side === 0 ? [0.03, 0.2, 0.46, 0.75] : side === 1 ? [0.69, 0.17, 0.02, 0.75] : [0.2, 0.2, 0.2, 0.7];
      found.push({ corners: flat(middle, across, ahead, 0), round: true, color, since: landing });
    }
    return found;
  }
  function wayMarks(source, index) {
    const points = floats(source.way), found = [], tone = [[0.02, 0.1, 0.3, 0.5], [0.35, 0.12, 0.01, 0.5], [0.02, 0.22, 0.1, 0.5], [0.3, 0.02, 0.2, 0.5]][index % 4];
    const point = (k) => [points[3 * k], points[3 * k + 1] + 0.012, points[3 * k + 2]];
    for (let k = 0; 3 * k + 5 < points.length; k++) {
      const a = point(k), b = point(k + 1), across = unit(cross([0, 1, 0], sub(b, a))).map((v) => v * 0.011 * size);
      if (Math.hypot(...sub(b, a)) < 1e-4) continue;
      const [left, right] = [(p) => [p[0] + across[0], p[1], p[2] + across[2]], (p) => [p[0] - across[0], p[1], p[2] - across[2]]];
      found.push({ corners: [right(a), left(a), left(b), right(b)], round: false, color: tone, since: -1 });
    }
    if (source.goal) {
      const [x, y, z, heading] = source.goal, s = Math.sin(heading), c = Math.cos(heading), r = 0.15 * size;
      const arrow = [[-0.5, -0.7], [0.5, -0.7], [0, 1]].map(([i, j]) => [x + r * (i * c + j * s), y + 0.014, z + r * (j * c - i * s)]);
      found.push({ corners: [arrow[0], arrow[1], arrow[2], arrow[2]], round: false, color: [...tone.slice(0, 3), 0.85], since: -1 });
    }
    return found;
  }

  // Buffers

  function marks(list) {
    const array = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    [[0, 3, 0], [1, 2, 12], [2, 4, 20], [3, 1, 36]].forEach(([place, width, offset]) => {
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, width, gl.FLOAT, false, 40, offset);
    });
    const batch = { array, count: 0, fill };
    fill(list);
    return batch;
    function fill(list) {
      const numbers = new Float32Array(list.length * 60), uv = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
      let k = 0;
      for (const quad of list) {
        for (const corner of [0, 1, 2, 0, 2, 3]) {
          numbers.set(quad.corners[corner], k); numbers.set(quad.round ? uv[corner] : [3, 3], k + 3);
          numbers.set(quad.color, k + 5); numbers[k + 9] = quad.since;
          k += 10;
        }
      }
      batch.count = list.length * 6;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
    }
  }
  function surface(source) {
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    attribute(0, 3, gl.UNSIGNED_SHORT, true, source.positions, 8);
    attribute(1, 3, gl.BYTE, true, source.normals, 4);
    return { array, low: source.low, extent: source.extent, ...elements(source) };
  }
  function skinned(source) {
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    attribute(0, 3, gl.UNSIGNED_SHORT, true, source.positions, 8);
    attribute(1, 3, gl.BYTE, true, source.normals, 4);
    attribute(2, 4, gl.UNSIGNED_BYTE, true, source.colors);
    attribute(3, 4, gl.UNSIGNED_SHORT, null, source.joints);
    attribute(4, 4, gl.UNSIGNED_BYTE, true, source.weights);
    return { array, low: source.low, extent: source.extent, binds: floats(source.binds), ...elements(source) };
  }
  function elements(source) {
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    const raw = typeof source.indices === "string" ? bytes(source.indices) : source.indices;
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, raw, gl.STATIC_DRAW);
    return { length: raw.byteLength / (source.wide ? 4 : 2), type: source.wide ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT };
  }
  function attribute(place, width, type, normalised, source, stride = 0) {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, typeof source === "string" ? bytes(source) : source, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    if (normalised === null) gl.vertexAttribIPointer(place, width, type, stride, 0);
    else gl.vertexAttribPointer(place, width, type, normalised, stride, 0);
  }
  // Shapes of size 1 that stand on the origin.
  function shape(faces) {
    const positions = [], normals = [], indices = [];
    for (const { corners, normal } of faces) {
      const first = positions.length / 4;
      for (const corner of corners) { positions.push(...corner.map((v, k) => Math.round((k === 1 ? v : v + 0.5) * 65535)), 0); normals.push(...normal.map((v) => Math.round(v * 127)), 0); }
      for (let k = 2; k < corners.length; k++) indices.push(first, first + k - 1, first + k);
    }
    return { positions: new Uint16Array(positions), normals: new Int8Array(normals), indices: new Uint16Array(indices).buffer, low: [-0.5, 0, -0.5], extent: [1, 1, 1], wide: false };
  }
  function prism(rim, round) {
    const faces = [{ corners: rim.map(([x, z]) => [x, 1, z]), normal: [0, 1, 0] }, { corners: rim.map(([x, z]) => [x, 0, z]), normal: [0, -1, 0] }];
    rim.forEach(([x, z], k) => {
      const [u, v] = rim[(k + 1) % rim.length], n = unit(round ? [x + u, 0, z + v] : [z - v === 0 ? 0 : Math.sign(x), 0, x - u === 0 ? 0 : Math.sign(z)]);
      faces.push({ corners: [[x, 0, z], [x, 1, z], [u, 1, v], [u, 0, v]], normal: n });
    });
    return shape(faces);
  }
  function boxShape() { return prism([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]], false); }
  function postShape() { return prism(Array.from({ length: 24 }, (_, k) => [0.5 * Math.cos(k * Math.PI / 12), 0.5 * Math.sin(k * Math.PI / 12)]), true); }
  function planeShape() { return shape([{ corners: [[-0.5, 0, -0.5], [-0.5, 0, 0.5], [0.5, 0, 0.5], [0.5, 0, -0.5]], normal: [0, 1, 0] }]); }

  function shadowMap(size) {
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
    for (const [name, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE], [gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE], [gl.TEXTURE_COMPARE_FUNC, gl.LEQUAL],
    ]) gl.texParameteri(gl.TEXTURE_2D, name, value);
    const frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, frame, size };
  }
  function program(vertex, fragment) {
    const made = gl.createProgram();
    for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const places = {};
    for (let k = 0; k < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); k++) {
      const info = gl.getActiveUniform(made, k);
      places[info.name] = gl.getUniformLocation(made, info.name);
    }
    gl.useProgram(made);
    if (places.taps) gl.uniform1i(places.taps, software ? 1 : 4);
    if (places.shadows) gl.uniform1i(places.shadows, 1);
    if (places.bones) gl.uniform1i(places.bones, 0);
    return { made, places };
  }
  function uniforms({ made, places }, values) {
    gl.useProgram(made);
    for (const [name, value] of Object.entries(values)) {
      const place = places[name];
      if (!place) continue;
      if (value.length === 16) gl.uniformMatrix4fv(place, false, value);
      else if (value.length === 3) gl.uniform3fv(place, value);
      else if (typeof value === "boolean") gl.uniform1i(place, value ? 1 : 0);
      else gl.uniform1f(place, value);
    }
  }
}

// ---- light and dark

function chooseTheme() {
  const button = document.querySelector("[data-do=theme]");
  if (!button) return;
  const root = document.documentElement, dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => { button.textContent = dark() ? "Light" : "Dark"; };
  button.onclick = () => { root.dataset.theme = dark() ? "light" : "dark"; name(); document.dispatchEvent(new Event("themechange")); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();
}
