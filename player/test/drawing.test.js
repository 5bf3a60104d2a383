import assert from "node:assert/strict";
import { test } from "node:test";
import { boundsOf, distanceToSee } from "../src/bounds.js";
import { frameOf, ticks } from "../src/path_plot.js";

test("ticks are round, inside, and a few", () => {
  for (const [low, high] of [
    [0, 1],
    [-3, 0.2],
    [1e-7, 3e-6],
    [-1234, 99],
  ]) {
    const found = ticks(low, high);
    assert.ok(found.length >= 2 && found.length <= 6, String(found));
    for (const tick of found) assert.ok(tick >= low - 1e-9 * (high - low) && tick <= high + 1e-9 * (high - low));
  }
});

test("a drawing holds its points and zero; one of equal axes is a square", () => {
  const points = [
    [1, 2],
    [3, -1],
    [NaN, 0],
  ];
  for (const equal of [true, false]) {
    const { x, y } = frameOf(points, equal);
    for (const [a, b] of [
      [0, 0],
      [1, 2],
      [3, -1],
    ])
      assert.ok(a >= x[0] && a <= x[1] && b >= y[0] && b <= y[1]);
    if (equal) assert.ok(Math.abs(x[1] - x[0] - (y[1] - y[0])) < 1e-12);
  }
  const { x, y } = frameOf([[0, 0]], false);
  assert.ok(x[1] > x[0] && y[1] > y[0], "a point has room about it");
});

const cast = (positions, reach) => ({
  recording: {
    times: positions.map((_, i) => i),
    bodyCount: 1,
    poses: Float32Array.from(positions.flatMap((p) => [...p, 1, 0, 0, 0])),
  },
  reach: [reach],
});

test("the ball about a scene holds its bodies wherever they go", () => {
  const { center, half } = boundsOf([
    cast(
      [
        [0, 0, 0],
        [4, 0, 2],
      ],
      0.5,
    ),
    cast([[0, 1, 0]], 0.25),
  ]);
  assert.deepEqual(center, [2, 0.375, 1]);
  assert.deepEqual(half, [2.5, 0.875, 1.5]);
});

test("what flies far off, or is nowhere, does not make a scene small", () => {
  const { radius } = boundsOf([
    cast(
      [
        [0, 0, 0],
        [1e6, 0, 0],
        [NaN, 0, 0],
      ],
      1,
    ),
  ]);
  assert.ok(radius < 3);
  assert.equal(boundsOf([cast([], 1)]).radius, 1);
});

test("a camera is as far away as the corners of a box need, and no farther", () => {
  const half = [1, 2, 3];
  const axes = { right: [1, 0, 0], up: [0, 0, 1], forward: [0, 1, 0] };
  const distance = distanceToSee(half, axes, 0.5, 0.4);
  // The nearest face is 2 m in front of the centre; of it the height decides.
  assert.ok(Math.abs(distance - (3 / 0.4 + 2)) < 1e-12);
});
