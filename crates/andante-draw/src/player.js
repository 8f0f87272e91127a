// A player for motions: a skinned body on a floor, in WebGL 2, without libraries.
"use strict";

const BODY_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
layout(location = 3) in uvec4 joints;
layout(location = 4) in vec4 weights;
uniform sampler2D bones;    // three rows of a matrix per joint
uniform mat4 view;
uniform vec3 light;
uniform float ground;
uniform bool shadow;
out vec3 at; out vec3 facing; out vec4 tint;
vec4 row(uint joint, int index) { return texelFetch(bones, ivec2(index, int(joint)), 0); }
void main() {
  vec4 a = vec4(0.0), b = vec4(0.0), c = vec4(0.0);
  for (int k = 0; k < 4; k++) {
    a += row(joints[k], 0) * weights[k];
    b += row(joints[k], 1) * weights[k];
    c += row(joints[k], 2) * weights[k];
  }
  vec4 p = vec4(position, 1.0);
  at = vec3(dot(a, p), dot(b, p), dot(c, p));
  facing = vec3(dot(a.xyz, normal), dot(b.xyz, normal), dot(c.xyz, normal));
  tint = color;
  if (shadow) at -= light * (max(at.y - ground, 0.0) / light.y) + vec3(0.0, min(at.y - ground, 0.0), 0.0);
  gl_Position = view * vec4(at, 1.0);
}`;

const BODY_FRAGMENT = `#version 300 es
precision highp float;
in vec3 at; in vec3 facing; in vec4 tint;
uniform vec3 light, eye, sky;
uniform bool shadow;
out vec4 result;
void main() {
  if (shadow) { result = vec4(0.0, 0.0, 0.0, 0.22); return; }
  vec3 n = normalize(facing), v = normalize(eye - at);
  if (dot(n, v) < 0.0) n = -n;
  float lit = max(dot(n, light), 0.0), above = 0.5 + 0.5 * n.y, rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
  vec3 albedo = tint.rgb;
  vec3 color = albedo * (0.36 + 0.24 * above + 0.6 * lit) + 0.10 * rim * sky;
  result = vec4(pow(color, vec3(1.0 / 2.2)), 1.0);
}`;

const FLOOR_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec2 corner;
uniform mat4 view;
uniform vec3 focus;
uniform float ground, reach;
out vec2 at;
void main() {
  at = focus.xz + corner * reach;
  gl_Position = view * vec4(at.x, ground, at.y, 1.0);
}`;

const FLOOR_FRAGMENT = `#version 300 es
precision highp float;
in vec2 at;
uniform vec3 focus, sky, line;
uniform float reach, spacing;
out vec4 result;
void main() {
  vec2 cell = at / spacing;
  vec2 lines = abs(fract(cell - 0.5) - 0.5) / fwidth(cell);
  float strength = 1.0 - min(min(lines.x, lines.y), 1.0);
  float fade = 1.0 - smoothstep(0.25, 0.95, length(at - focus.xz) / reach);
  result = vec4(mix(sky, line, strength * fade), 1.0);
}`;

for (const root of document.querySelectorAll(".player")) start(root);

function start(root) {
  const data = JSON.parse(root.querySelector("script").textContent);
  const canvas = root.querySelector("canvas");
  const slider = root.querySelector("input[type=range]");
  const button = root.querySelector("button");
  const speed = root.querySelector("select");
  const clock = root.querySelector("output");
  const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, stencil: true });
  if (!gl) { root.querySelector(".faint").textContent = "This browser has no WebGL 2: the pictures below still work."; return; }

  const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer;
  const positions = new Int16Array(bytes(data.positions));    // per frame and joint
  const rotations = new Int16Array(bytes(data.rotations));
  const binds = new Float32Array(bytes(data.binds));          // a 3×4 matrix per joint, by rows
  const count = data.joints, frames = data.origins.length, duration = (frames - 1) / data.fps;

  // One vertex array: every attribute in a buffer of its own.
  const body = program(BODY_VERTEX, BODY_FRAGMENT), floor = program(FLOOR_VERTEX, FLOOR_FRAGMENT);
  const mesh = gl.createVertexArray();
  gl.bindVertexArray(mesh);
  attribute(0, 3, gl.FLOAT, false, data.mesh.positions);
  attribute(1, 3, gl.BYTE, true, data.mesh.normals, 4);
  attribute(2, 4, gl.UNSIGNED_BYTE, true, data.mesh.colors);
  attribute(3, 4, gl.UNSIGNED_SHORT, null, data.mesh.joints);
  attribute(4, 4, gl.UNSIGNED_BYTE, true, data.mesh.weights);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  const indices = new Uint32Array(bytes(data.mesh.indices));
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
  const quad = gl.createVertexArray();
  gl.bindVertexArray(quad);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, 3, count);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  const matrices = new Float32Array(count * 12);

  let time = 0, playing = false, last = null, focus = null;
  let yaw = 0.75, pitch = 0.16, distance = data.size * 2.2;

  slider.max = frames - 1;
  button.onclick = () => setPlaying(!playing);
  slider.oninput = () => { setPlaying(false); time = slider.value / data.fps; draw(); };
  canvas.tabIndex = 0;
  canvas.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === " ") setPlaying(!playing);
    else if (step) { setPlaying(false); time = Math.min(Math.max(time + step / data.fps, 0), duration); draw(); }
    else return;
    event.preventDefault();
  };
  canvas.onpointerdown = (event) => { canvas.setPointerCapture(event.pointerId); canvas.focus({ preventScroll: true }); };
  canvas.onpointermove = (event) => {
    if (!event.buttons) return;
    yaw -= event.movementX * 0.008;
    pitch = Math.min(Math.max(pitch + event.movementY * 0.006, 0.02), 1.5);
    if (!playing) draw();
  };
  canvas.onwheel = (event) => {
    distance = Math.min(Math.max(distance * Math.exp(event.deltaY * 0.001), data.size * 0.5), data.size * 20);
    event.preventDefault();
    if (!playing) draw();
  };
  new ResizeObserver(() => draw()).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw());
  setPlaying(true);

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
    if (duration <= 0) time = 0;
    else if (time >= duration) { time %= duration; focus = null; }
    draw();
    requestAnimationFrame(tick);
  }

  // Fills the bone matrices: model transform times inverse bind, between two frames.
  function pose(frame, next, part) {
    for (let joint = 0; joint < count; joint++) {
      const a = (frame * count + joint), b = (next * count + joint);
      let dot = 0;
      for (let k = 0; k < 4; k++) dot += rotations[4 * a + k] * rotations[4 * b + k];
      const sign = dot < 0 ? -1 : 1;
      const mix = (k) => rotations[4 * a + k] * (1 - part) + sign * rotations[4 * b + k] * part;
      let x = mix(0), y = mix(1), z = mix(2), w = mix(3);
      const length = Math.hypot(x, y, z, w) || 1;
      x /= length; y /= length; z /= length; w /= length;
      const at = (k) => (positions[3 * a + k] * data.unit + data.origins[frame][k]) * (1 - part)
        + (positions[3 * b + k] * data.unit + data.origins[next][k]) * part;
      const m = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), at(0)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), at(1)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), at(2)],
      ];
      const n = binds.subarray(12 * joint, 12 * joint + 12);
      for (let r = 0; r < 3; r++) {
        for (let c = 0; c < 4; c++) {
          matrices[12 * joint + 4 * r + c] = m[r][0] * n[c] + m[r][1] * n[4 + c] + m[r][2] * n[8 + c] + (c === 3 ? m[r][3] : 0);
        }
      }
    }
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const style = getComputedStyle(root);
    const color = (name) => style.getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi).map((hex) => parseInt(hex, 16) / 255);
    const sky = color("--sky"), line = color("--grid");

    const at = Math.min(time * data.fps, frames - 1);
    const frame = Math.floor(at), next = Math.min(frame + 1, frames - 1), part = at - frame;
    pose(frame, next, part);
    const target = [0, 2].map((k) => data.origins[frame][k] * (1 - part) + data.origins[next][k] * part);
    // The camera follows softly, so that steps can be seen.
    focus = focus && playing ? focus.map((f, k) => f + (target[k] - f) * 0.15) : target;
    const centre = [focus[0], data.ground + data.size * 0.47, focus[1]];
    const eye = [
      centre[0] + distance * Math.cos(pitch) * Math.sin(yaw),
      centre[1] + distance * Math.sin(pitch),
      centre[2] + distance * Math.cos(pitch) * Math.cos(yaw),
    ];
    const view = camera(eye, centre, width / height);
    const light = [0.37, 0.84, 0.40];

    gl.viewport(0, 0, width, height);
    gl.clearColor(...sky, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const uniforms = (of, values) => {
      gl.useProgram(of);
      for (const [name, value] of Object.entries(values)) {
        const place = gl.getUniformLocation(of, name);
        if (value.length === 16) gl.uniformMatrix4fv(place, false, value);
        else if (value.length === 3) gl.uniform3fv(place, value);
        else if (typeof value === "boolean") gl.uniform1i(place, value ? 1 : 0);
        else gl.uniform1f(place, value);
      }
    };
    uniforms(floor, { view, focus: centre, ground: data.ground, reach: data.size * 9, spacing: data.spacing, sky, line });
    gl.depthMask(false);
    gl.bindVertexArray(quad);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);

    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 3, count, gl.RGBA, gl.FLOAT, matrices);
    gl.bindVertexArray(mesh);
    // The shadow: the body pressed flat along the light, each pixel once.
    uniforms(body, { view, light, eye, sky, ground: data.ground, shadow: true });
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_INT, 0);
    gl.disable(gl.STENCIL_TEST);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthMask(true);
    uniforms(body, { shadow: false });
    gl.drawElements(gl.TRIANGLES, indices.length, gl.UNSIGNED_INT, 0);

    slider.value = Math.round(at);
    clock.textContent = time.toFixed(2) + " s";
  }

  // Perspective times look-at, by columns.
  function camera(eye, centre, aspect) {
    const sub = (a, b) => a.map((value, k) => value - b[k]);
    const unit = (a) => a.map((value) => value / Math.hypot(...a));
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const back = unit(sub(eye, centre)), right = unit(cross([0, 1, 0], back)), up = cross(back, right);
    const near = data.size * 0.02, far = data.size * 60, f = 1 / Math.tan(0.35);
    const rows = [
      [...right.map((v) => v * f / aspect), -dot(right, eye) * f / aspect],
      [...up.map((v) => v * f), -dot(up, eye) * f],
      [...back.map((v) => v * (far + near) / (near - far)), (-dot(back, eye) * (far + near) + 2 * far * near) / (near - far)],
      [...back.map((v) => -v), dot(back, eye)],
    ];
    const columns = new Float32Array(16);
    for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) columns[4 * c + r] = rows[r][c];
    return columns;
  }

  function attribute(place, size, type, normalised, text, stride = 0) {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, bytes(text), gl.STATIC_DRAW);
    gl.enableVertexAttribArray(place);
    if (normalised === null) gl.vertexAttribIPointer(place, size, type, stride, 0);
    else gl.vertexAttribPointer(place, size, type, normalised, stride, 0);
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
    return made;
  }
}
