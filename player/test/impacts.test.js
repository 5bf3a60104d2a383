import assert from "node:assert/strict";
import { test } from "node:test";
import { ArrowScale, contactArrows, struckMode } from "../src/contact_arrows.js";
import { Impacts, turns } from "../src/impacts.js";
import { encode } from "./encode.js";

const pairs = [
  { name: "a – b", a: 0, b: -1, friction: [0.3, 0.3], surface: true },
  { name: "a, lower limit", a: 0, b: -1, friction: [0, 0], surface: false },
];
const upright = [1, 0, 0, 0];
const struck = (pair, impulse, before, after) => [pair, 1, 2, 3, ...upright, ...impulse, ...before, ...after];

/** Two impacts; the first one traced: contact 0 slides in compression, then rolls in expansion; contact 1 was near. */
function impacts() {
  return new Impacts(
    {
      impacts: encode([0.5, 0, 2, 0, 3, -4, 1.5, 2, 1, 3, 0, -1]),
      statuses: ["resolved", "budget"],
      struck: encode([
        ...struck(0, [-3, 0, 10], [2, 0, -5], [0, 0, 1]),
        ...struck(0, [0, 0, 0], [0, 0, 1], [0, 0, 2]),
        ...struck(1, [0, 0, 4], [0, 0, -1], [0, 0, 0]),
      ]),
      intervals: encode([0, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 1, 1, 3, 1]),
      interval_contacts: encode([
        ...[0, 1, 4, -1, 0, 4, 1, 0, -3],
        ...[1, 0, 0, 0, 0, 0, 0, 0, 1],
        ...[0, 1, 4, -1.5, 0, 4, 0.5, 0, 0],
        ...[0, 2, 2, -0.5, 0, 2, 0, 0, 1],
      ]),
      roles: ["observing", "compressing", "expanding", "holding"],
      motions: ["idle", "pushing", "rolling", "slipping", "sliding"],
      left_out: 7,
    },
    pairs,
  );
}

test("the way through an impact starts at rest of impulse and gathers all of it", () => {
  const all = impacts();
  assert.deepEqual(all.times, [0.5, 1.5]);
  const impact = all.impact(0);
  assert.equal(impact.contacts.length, 2);
  assert.deepEqual(
    impact.contacts.map((contact) => contact.label),
    ["a – b, 1 of 2", "a – b, 2 of 2"],
  );
  const { points, traced } = all.path(0, impact.contacts[0]);
  assert.ok(traced);
  assert.deepEqual(points[0], { velocity: [2, 0, -5], impulse: [0, 0, 0] });
  assert.deepEqual(points.at(-1).impulse, impact.contacts[0].local.impulse);
  assert.deepEqual(points.at(-1).velocity, impact.contacts[0].local.after);
  assert.equal(points[3].jammed, true);
  assert.deepEqual(turns(points), [
    { at: 2, kind: "expansion begins" },
    { at: 2, kind: "rolling begins" },
  ]);
  assert.equal(all.path(0, impact.contacts[1]).points.length, 2, "of a group of its own: one interval");
});

test("without a trace there are the two ends", () => {
  const all = impacts();
  const [contact] = all.impact(1).contacts;
  const { points, traced } = all.path(1, contact);
  assert.equal(traced, false);
  assert.deepEqual(
    points.map((point) => point.velocity[2]),
    [-1, 0],
  );
  assert.deepEqual(
    points.map((point) => point.impulse[2]),
    [0, 4],
  );
});

test("impacts are found in spans of time that share no end", () => {
  const all = impacts();
  assert.deepEqual(all.between(-Infinity, 0.5), [0]);
  assert.deepEqual(all.between(0.5, 1.5), [1]);
  assert.deepEqual(all.between(1.5, 9), []);
});

test("arrows point along the impulse, by square root or in proportion", () => {
  const contacts = impacts().impact(0).contacts;
  const colors = ["grey", "red", "black", "green"];
  const show = { impulses: true, normals: false, cones: true };
  const size = Math.hypot(3, 10);
  for (const [mode, expected] of [
    ["root", Math.sqrt(0.25)],
    ["linear", 0.25],
  ]) {
    const scale = new ArrowScale(4 * size, 2, mode);
    const { arrows, cones } = contactArrows(contacts, scale, show, colors);
    assert.equal(arrows.length, 1, "nothing for what carried nothing");
    assert.ok(Math.abs(arrows[0].length - 0.6 * 2 * expected) < 1e-12);
    [-3 / size, 0, 10 / size].forEach((x, k) => assert.ok(Math.abs(arrows[0].direction[k] - x) < 1e-12));
    assert.equal(arrows[0].color, "black");
    assert.equal(cones.length, 1);
  }
  const normals = contactArrows(
    contacts,
    new ArrowScale(1, 1),
    { impulses: false, normals: true, cones: false },
    colors,
  );
  assert.deepEqual(
    normals.arrows.map((arrow) => arrow.direction),
    [
      [0, 0, 1],
      [0, 0, 1],
    ],
  );
  assert.deepEqual(
    contactArrows(impacts().impact(1).contacts, new ArrowScale(1, 1), show, colors),
    { arrows: [], cones: [] },
    "a joint's limit has no place",
  );
});

test("what a struck contact did is told by how it ended", () => {
  const [rolled, idle] = impacts().impact(0).contacts;
  assert.equal(struckMode(rolled), 2);
  assert.equal(struckMode(idle), 0);
  assert.equal(struckMode({ local: { ...rolled.local, after: [1, 0, 1] } }), 1);
});
