import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const text = ["report.css", "player.css"]
  .map((name) => readFileSync(new URL(`../src/${name}`, import.meta.url), "utf8"))
  .join("\n");

/** The colours that a scheme sets, by name; dark ones over light ones. */
function scheme(dark) {
  const colors = {};
  for (const block of text.matchAll(/(@media \(prefers-color-scheme: dark\) \{\s*)?:root \{([^}]*)\}/g)) {
    if (block[1] && !dark) continue;
    for (const [, name, value] of block[2].matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)) colors[name] = value;
  }
  return colors;
}
const linear = (hex) =>
  [1, 3, 5].map((at) => {
    const part = parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
/** WCAG 2.2's contrast ratio. */
function contrast(a, b) {
  const light = [a, b].map((hex) => {
    const [red, green, blue] = linear(hex);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(...light) / Math.min(...light);
}
/** CIE L*a*b* under D65. */
function lab(hex) {
  const [red, green, blue] = linear(hex);
  const f = (t) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116);
  const x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const curves = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => `c${i}`);
for (const dark of [false, true]) {
  const colors = scheme(dark);
  test(`controls and curves stand out from the ${dark ? "dark" : "light"} page`, () => {
    assert.equal(Math.round(10 * contrast("#000000", "#ffffff")), 210);
    for (const name of ["control", "muted", "event", "impact", "momentum", "c8", "c9", "c10", ...curves]) {
      const ratio = contrast(colors[name], colors.paper);
      assert.ok(ratio >= 3, `--${name}: ${ratio.toFixed(2)} : 1`);
    }
    for (const name of ["ink", "muted"]) assert.ok(contrast(colors[name], colors.paper) >= 4.5, name);
  });
  test(`the colours of curves differ on the ${dark ? "dark" : "light"} page`, () => {
    // A difference of 2.3 is just noticeable.
    for (const a of curves) {
      for (const b of curves) {
        if (a >= b) continue;
        const distance = Math.hypot(...lab(colors[a]).map((value, k) => value - lab(colors[b])[k]));
        assert.ok(distance > 20, `${a} and ${b}: ${distance.toFixed(1)}`);
      }
    }
  });
}
