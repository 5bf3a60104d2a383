import assert from "node:assert/strict";
import { test } from "node:test";
import { extent, gather, placeLabels, roundNumber } from "../src/drawing.js";

test("the extent holds marks, lines and circles, and is never flat", () => {
  const data = {
    marks: [{ x: 3, y: 0 }],
    lines: [{ points: [[-2, 0], [0, 0.5]] }],
    circles: [{ x: 1, y: -1, radius: 2 }],
  };
  assert.deepEqual(extent(data), [-2, -3, 3, 1]);
  const [left, bottom, right, top] = extent({ marks: [{ x: 1, y: 1 }, { x: 3, y: 1 }], lines: [], circles: [] });
  assert.ok(left <= 1 && right >= 3 && top - bottom >= 0.29 * 2);
  const point = extent({ marks: [{ x: 5, y: 5 }], lines: [], circles: [] });
  assert.ok(point[2] > point[0] && point[3] > point[1]);
  assert.ok(extent({ marks: [], lines: [], circles: [] }).every(Number.isFinite));
});

test("the bar's length is 1, 2 or 5 times a power of ten, at most what was asked for", () => {
  for (const size of [0.0003, 0.019, 0.2, 1, 4.9, 7, 80]) {
    const round = roundNumber(size);
    assert.ok(round <= size * (1 + 1e-12) && round > size / 2.51, `${size}: ${round}`);
    assert.ok(["1", "2", "5"].includes(round.toExponential(0)[0]));
  }
});

test("marks that fall together share one label, each name once", () => {
  const marks = [
    { x: 0, y: 0, label: "plus" },
    { x: 3, y: 0, label: "newton" },
    { x: 1, y: 1, label: "plus" },
    { x: 50, y: 0, label: "" },
  ];
  const groups = gather(marks, 5);
  assert.deepEqual(groups.map(({ label }) => label), ["plus, newton", ""]);
  assert.equal(groups[0].marks.length, 3);
});

test("labels keep within the drawing and off one another and the marks", () => {
  const groups = [
    { x: 5, y: 5, label: "in the corner" },
    { x: 300, y: 200, label: "one" },
    { x: 330, y: 200, label: "beside it" },
    { x: 795, y: 395, label: "in the other corner" },
  ];
  const places = placeLabels(groups, [0, 0, 800, 400]);
  const overlaps = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
  places.forEach(({ box }, i) => {
    assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= 800 && box[3] <= 400, groups[i].label);
    places.forEach(({ box: other }, j) => assert.ok(i === j || !overlaps(box, other)));
    for (const { x, y } of groups) assert.ok(!overlaps(box, [x - 3, y - 3, x + 3, y + 3]), groups[i].label);
  });
  assert.equal(placeLabels([{ x: 0, y: 0, label: "" }], [0, 0, 10, 10])[0], null);
});
