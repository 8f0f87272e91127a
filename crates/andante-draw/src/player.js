// A player for one motion: bones as shaded capsules on a canvas, no libraries.
"use strict";
for (const root of document.querySelectorAll(".player")) {
  const data = JSON.parse(root.querySelector("script").textContent);
  const canvas = root.querySelector("canvas");
  const slider = root.querySelector("input[type=range]");
  const button = root.querySelector("button");
  const speed = root.querySelector("select");
  const clock = root.querySelector("output");
  const paint = canvas.getContext("2d");

  // Positions are millimetres as 16-bit numbers, frame after frame, relative to the frame's own origin.
  const bytes = Uint8Array.from(atob(data.points), (c) => c.charCodeAt(0));
  const points = new Int16Array(bytes.buffer);
  const count = data.count;
  const frames = data.origins.length;

  let time = 0, playing = true, last = null;
  let yaw = 2.2, pitch = 0.18, distance = data.size * 2.1;
  let focus = null;

  slider.max = frames - 1;
  button.onclick = () => setPlaying(!playing);
  slider.oninput = () => { time = slider.value / data.fps; setPlaying(false); draw(); };
  canvas.tabIndex = 0;
  canvas.onkeydown = (event) => {
    if (event.key === " ") { setPlaying(!playing); event.preventDefault(); }
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) { setPlaying(false); time = Math.min(Math.max(time + step / data.fps, 0), (frames - 1) / data.fps); draw(); }
  };
  canvas.onpointerdown = (event) => { canvas.setPointerCapture(event.pointerId); canvas.focus({ preventScroll: true }); };
  canvas.onpointermove = (event) => {
    if (!event.buttons) return;
    yaw -= event.movementX * 0.008;
    pitch = Math.min(Math.max(pitch + event.movementY * 0.006, -0.1), 1.5);
    draw();
  };
  canvas.onwheel = (event) => {
    distance = Math.min(Math.max(distance * Math.exp(event.deltaY * 0.001), data.size * 0.4), data.size * 30);
    event.preventDefault();
    draw();
  };

  function setPlaying(on) {
    playing = on;
    button.textContent = on ? "Pause" : "Play";
    last = null;
    if (on) requestAnimationFrame(tick);
  }

  function tick(now) {
    if (!playing) return;
    if (last !== null) time += (now - last) / 1000 * Number(speed.value);
    last = now;
    const duration = (frames - 1) / data.fps;
    if (duration > 0) time %= duration; else time = 0;
    draw();
    requestAnimationFrame(tick);
  }

  // The position of a point between two frames, in metres.
  function sample(frame, next, part, index) {
    const a = (frame * count + index) * 3, b = (next * count + index) * 3;
    const o = data.origins[frame], p = data.origins[next];
    const at = (k) => (points[a + k] * 0.001 + o[k]) * (1 - part) + (points[b + k] * 0.001 + p[k]) * part;
    return [at(0), at(1), at(2)];
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== width * ratio || canvas.height !== height * ratio) {
      canvas.width = width * ratio;
      canvas.height = height * ratio;
    }
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(root);
    const color = (name) => style.getPropertyValue(name).trim();
    paint.fillStyle = color("--sky");
    paint.fillRect(0, 0, width, height);

    const at = Math.min(time * data.fps, frames - 1);
    const frame = Math.floor(at), next = Math.min(frame + 1, frames - 1), part = at - frame;
    const now = [];
    for (let index = 0; index < count; index++) now.push(sample(frame, next, part, index));
    const target = [now[0][0], data.ground + data.size * 0.5, now[0][2]];
    // The camera follows softly, so that steps can be seen.
    focus = focus ? focus.map((f, k) => f + (target[k] - f) * (playing ? 0.12 : 1)) : target;

    const cy = Math.cos(yaw), sy = Math.sin(yaw), cp = Math.cos(pitch), sp = Math.sin(pitch);
    const scale = height * 1.1;
    const project = (p) => {
      const x = p[0] - focus[0], y = p[1] - focus[1], z = p[2] - focus[2];
      const right = x * cy - z * sy, away = x * sy + z * cy;
      const depth = distance - (away * cp + y * sp);
      const up = y * cp - away * sp;
      return [width / 2 + right * scale / depth, height / 2 - up * scale / depth, depth];
    };

    // A floor of one-metre squares around the figure.
    paint.strokeStyle = color("--grid");
    paint.lineWidth = 1;
    const reach = Math.max(6, Math.ceil(data.size * 3));
    const bx = Math.round(focus[0]), bz = Math.round(focus[2]);
    const segment = (a, b) => {
      const p = project(a), q = project(b);
      if (p[2] < 0.05 || q[2] < 0.05) return;
      paint.beginPath(); paint.moveTo(p[0], p[1]); paint.lineTo(q[0], q[1]); paint.stroke();
    };
    for (let i = -reach; i <= reach; i++) {
      for (let j = -reach; j < reach; j++) {
        segment([bx + i, data.ground, bz + j], [bx + i, data.ground, bz + j + 1]);
        segment([bx + j, data.ground, bz + i], [bx + j + 1, data.ground, bz + i]);
      }
    }

    paint.lineCap = "round";
    const bone = (a, b, radius, ink) => {
      const p = project(a), q = project(b);
      if (p[2] < 0.05 || q[2] < 0.05) return;
      paint.strokeStyle = ink;
      paint.lineWidth = Math.max(1, 2 * radius * scale * 2 / (p[2] + q[2]));
      paint.beginPath(); paint.moveTo(p[0], p[1]); paint.lineTo(q[0] + 0.01, q[1]); paint.stroke();
    };
    const flat = (p) => [p[0], data.ground, p[2]];
    paint.globalAlpha = 0.16;
    for (const [a, b, radius] of data.bones) bone(flat(now[a]), flat(now[b]), radius * 0.9, color("--shadow"));
    paint.globalAlpha = 1;
    const inks = [color("--middle"), color("--left"), color("--right")];
    const depth = ([a, b]) => project(now[a])[2] + project(now[b])[2];
    for (const [a, b, radius, side] of [...data.bones].sort((u, v) => depth(v) - depth(u))) {
      bone(now[a], now[b], radius + 0.006 * data.size / 1.7, color("--edge"));
      bone(now[a], now[b], radius, inks[side]);
    }
    slider.value = Math.round(at);
    clock.textContent = time.toFixed(2) + " s";
  }

  new ResizeObserver(draw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  setPlaying(true);
}
