// Shaders of the player. Colours are linear until the last line.
"use strict";

const SHARED = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
uniform mat4 view, sunView;
uniform vec3 eye, sky, sun;
uniform float reach;              // where fog has swallowed everything
uniform bool shaded;
uniform int taps;                 // of a shadow's rim, 1 or 4
uniform sampler2DShadow shadows;
`;

const LIGHT = `
float lightOn(vec3 at, vec3 n) {
  if (!shaded) return 1.0;
  vec4 p = sunView * vec4(at + n * 0.03, 1.0);
  vec3 s = p.xyz * 0.5 + 0.5;
  if (any(lessThan(s, vec3(0.0))) || any(greaterThan(s, vec3(1.0)))) return 1.0;
  float sum = 0.0;
  for (int k = 0; k < taps; k++) {
    vec2 o = taps == 1 ? vec2(0.0) : (vec2(float(k & 1), float(k >> 1)) - 0.5) * 0.0017;
    sum += texture(shadows, vec3(s.xy + o, s.z - 0.0015));
  }
  // Shadows fade at the rim of what the sun is drawn for.
  vec2 rim = smoothstep(0.8, 1.0, abs(p.xy));
  return mix(sum / float(taps), 1.0, max(rim.x, rim.y));
}
vec4 finish(vec3 color, vec3 at, float alpha) {
  float fog = smoothstep(0.35, 1.0, length(at - eye) / reach);
  return vec4(pow(mix(color, sky, fog), vec3(1.0 / 2.2)), alpha);
}`;

const BODY_VERTEX = SHARED + `
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
layout(location = 3) in uvec4 joints;
layout(location = 4) in vec4 weights;
uniform sampler2D bones;          // three rows of a matrix per joint
uniform vec3 low, extent;
out vec3 at, facing, tint;
vec4 row(uint joint, int index) { return texelFetch(bones, ivec2(index, int(joint)), 0); }
void main() {
  vec4 a = vec4(0.0), b = vec4(0.0), c = vec4(0.0);
  for (int k = 0; k < 4; k++) {
    if (weights[k] == 0.0) continue;
    a += row(joints[k], 0) * weights[k];
    b += row(joints[k], 1) * weights[k];
    c += row(joints[k], 2) * weights[k];
  }
  vec4 p = vec4(low + extent * position, 1.0);
  at = vec3(dot(a, p), dot(b, p), dot(c, p));
  facing = vec3(dot(a.xyz, normal), dot(b.xyz, normal), dot(c.xyz, normal));
  tint = color.rgb;
  gl_Position = view * vec4(at, 1.0);
}`;

const BODY_FRAGMENT = SHARED + `
in vec3 at, facing, tint;
uniform vec3 dye;
out vec4 result;
` + LIGHT + `
void main() {
  vec3 n = normalize(facing), v = normalize(eye - at);
  if (dot(n, v) < 0.0) n = -n;
  float lit = max(dot(n, sun), 0.0), above = 0.5 + 0.5 * n.y, rim = pow(1.0 - max(dot(n, v), 0.0), 3.0);
  vec3 color = tint * dye * (vec3(0.30, 0.32, 0.36) + 0.22 * above + vec3(0.78, 0.74, 0.66) * lit) + 0.10 * rim * sky;
  result = finish(color, at, 1.0);
}`;

const SOLID_VERTEX = SHARED + `
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
uniform mat4 model;
uniform vec3 low, extent;
out vec3 at, facing;
void main() {
  vec4 p = model * vec4(low + extent * position, 1.0);
  at = p.xyz;
  facing = mat3(model) * normal;
  gl_Position = view * p;
}`;

const SOLID_FRAGMENT = SHARED + `
in vec3 at, facing;
uniform vec3 paint, line;
uniform float spacing;            // of the grid; none if 0
out vec4 result;
` + LIGHT + `
void main() {
  vec3 n = normalize(facing);
  float lit = max(dot(n, sun), 0.0);
  if (lit > 0.0) lit *= lightOn(at, n);
  vec3 albedo = paint;
  if (spacing > 0.0 && n.y > 0.4) {
    vec2 cell = at.xz / spacing, width = fwidth(cell);
    vec2 near = abs(fract(cell - 0.5) - 0.5) / width;
    float strength = 1.0 - min(min(near.x, near.y), 1.0);
    // Far away lines are closer than pixels.
    albedo = mix(albedo, line, strength * (1.0 - smoothstep(0.1, 0.5, max(width.x, width.y))));
  }
  vec3 color = albedo * (vec3(0.40, 0.42, 0.46) + 0.16 * n.y + vec3(0.62, 0.59, 0.52) * lit);
  result = finish(color, at, 1.0);
}`;

const MARK_VERTEX = SHARED + `
layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in vec4 color;
layout(location = 3) in float since;
uniform float time;
out vec3 at; out vec2 spot; out vec4 tint;
void main() {
  at = position;
  spot = uv;
  tint = vec4(color.rgb, since > time ? 0.0 : color.a);
  vec4 p = view * vec4(position, 1.0);
  // A little towards the eye: marks lie on what they mark.
  p.z -= 0.0006 * p.w;
  gl_Position = p;
}`;

const MARK_FRAGMENT = SHARED + `
in vec3 at; in vec2 spot; in vec4 tint;
out vec4 result;
` + LIGHT + `
void main() {
  // spot.x < 2: a rounded shape; otherwise all of it.
  float edge = spot.x < 2.0 ? smoothstep(1.0, 0.8, length(spot)) : 1.0;
  float alpha = tint.a * edge;
  if (alpha < 0.02) discard;
  result = finish(tint.rgb, at, alpha);
}`;
