import assert from "node:assert/strict";
import { test } from "node:test";
import { firstFrom, Recording, turned } from "../src/recording.js";
import { encode } from "./encode.js";

const half = Math.SQRT1_2;

/** Two bodies: one moves along x and turns by 180° about z within a second, the other stands. */
function recording(contacts = { frames: [], offsets: [0], rows: [] }) {
  const still = [5, 5, 5, 1, 0, 0, 0];
  const poses = [0, 1, 2].flatMap((i) => [
    i,
    0,
    0,
    Math.cos((i * Math.PI) / 2),
    0,
    0,
    Math.sin((i * Math.PI) / 2),
    ...still,
  ]);
  return new Recording(
    {
      times: encode([0, 1, 2]),
      poses: encode(poses),
      pairs: [{ name: "a – b", a: 0, b: 1, friction: [0.5, 0.5], surface: true }],
      mechanisms: {
        names: ["a", "b"],
        mass_centre: encode([0, 1, 2].flatMap((i) => [i, 0, -i, 5, 5, 5])),
        momentum: encode([0, 1, 2].flatMap((i) => [2 * i, 0, 1, 0, 0, 0])),
      },
      modes: ["separating", "sliding", "rolling", "closed"],
      events: { times: encode([]), kinds: encode([]), kind_names: [] },
      contacts: { frames: encode(contacts.frames), offsets: encode(contacts.offsets), rows: encode(contacts.rows) },
    },
    2,
  );
}

test("the first entry that is not before a time, as a search through all would find it", () => {
  const times = [0, 0.5, 0.5, 2];
  for (let time = -1; time < 3; time += 0.125) {
    const found = times.findIndex((entry) => entry >= time);
    assert.equal(firstFrom(times, time), found < 0 ? times.length : found);
  }
  assert.equal(firstFrom([], 1), 0);
});

test("a frame shows its own pose, and what lies between turns by the angle in proportion", () => {
  const run = recording();
  const out = new Float32Array(14);
  for (const [time, x, angle] of [
    [0, 0, 0],
    [1, 1, Math.PI],
    [2, 2, 2 * Math.PI],
    [0.5, 0.5, Math.PI / 2],
    [1.5, 1.5, 1.5 * Math.PI],
  ]) {
    run.posesAt(time, out);
    assert.ok(Math.abs(out[0] - x) < 1e-6);
    const [w, , , z] = out.subarray(3, 7);
    assert.ok(Math.abs(w * w + z * z - 1) < 1e-6, "of unit length");
    // The same orientation, whatever the quaternion's sign.
    assert.ok(Math.abs(Math.abs(w * Math.cos(angle / 2) + z * Math.sin(angle / 2)) - 1) < 1e-6, `at ${time} s`);
    assert.deepEqual(Array.from(out.subarray(7, 10)), [5, 5, 5]);
  }
});

test("before the start and after the end the outermost frames stand", () => {
  const run = recording();
  const out = new Float32Array(14);
  assert.equal(run.posesAt(-3, out)[0], 0);
  assert.equal(run.posesAt(30, out)[0], 2);
});

test("quaternions of both signs are one orientation, and what lies between them is the same", () => {
  const run = recording();
  for (let k = 3; k < 7; k++) run.poses[14 + k] *= -1;
  const out = new Float32Array(14);
  run.posesAt(0.5, out);
  assert.ok(Math.abs(Math.abs(out[3]) - half) < 1e-6 && Math.abs(Math.abs(out[6]) - half) < 1e-6);
});

test("vectors turn as the rotation matrix of the quaternion would turn them", () => {
  const angle = 0.7;
  const axis = [1 / 3, 2 / 3, 2 / 3];
  const q = [Math.cos(angle / 2), ...axis.map((x) => x * Math.sin(angle / 2))];
  const v = [0.3, -2, 1.1];
  // Rodrigues' formula.
  const cross = [axis[1] * v[2] - axis[2] * v[1], axis[2] * v[0] - axis[0] * v[2], axis[0] * v[1] - axis[1] * v[0]];
  const along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
  const expected = v.map(
    (x, k) => x * Math.cos(angle) + cross[k] * Math.sin(angle) + axis[k] * along * (1 - Math.cos(angle)),
  );
  turned(q, v).forEach((x, k) => assert.ok(Math.abs(x - expected[k]) < 1e-12));
});

test("contacts belong to the step that leads to a frame, with vectors in world axes", () => {
  // The contact frame is turned by 90° about x: its z axis is the world's −y.
  const row = (pair, mode, z) => [pair, mode, 1, 2, 3, half, half, 0, 0, 0.25, 0.5, z, 7, 8, 9];
  const run = recording({
    frames: [1, 2],
    offsets: [0, 2, 3],
    rows: [...row(0, 1, 4), ...row(0, 2, 0), ...row(0, 0, 6)],
  });
  const { time, contacts } = run.contactsAt(0.25);
  assert.equal(time, 1);
  assert.deepEqual(
    contacts.map((contact) => contact.mode),
    [1, 2],
  );
  assert.deepEqual(contacts[0].local.impulse, [0.25, 0.5, 4]);
  [0, -1, 0].forEach((x, k) => assert.ok(Math.abs(contacts[0].normal[k] - x) < 1e-6));
  [0.25, -4, 0.5].forEach((x, k) => assert.ok(Math.abs(contacts[0].impulse[k] - x) < 1e-6));
  assert.equal(run.contactsAt(2).contacts.length, 1);
  assert.equal(run.contactsAt(1).contacts.length, 2);
  assert.deepEqual(recording().contactsAt(1).contacts, [], "a record without contacts");
});

test("mass centres and momenta of a frame are its own, and straight in between", () => {
  const run = recording();
  assert.deepEqual(run.mechanismsAt("centre", 1), [
    [1, 0, -1],
    [5, 5, 5],
  ]);
  assert.deepEqual(run.mechanismsAt("centre", 1.25)[0], [1.25, 0, -1.25]);
  assert.deepEqual(run.mechanismsAt("momentum", 0.5)[0], [1, 0, 1]);
  assert.deepEqual(run.mechanismsAt("momentum", 9)[0], [4, 0, 1]);
});

test("a trail is where a point of the body was", () => {
  const path = recording().path(0, [1, 0, 3]);
  const expected = [1, 0, 3, 0, 0, 3, 3, 0, 3]; // it turns by 180° about z from frame to frame
  path.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-6, `${i}: ${x}`));
});
