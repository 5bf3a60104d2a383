import assert from "node:assert/strict";
import { test } from "node:test";
import { Clock, neighbour, speeds } from "../src/clock.js";

const clock = () => new Clock({ min: 0, max: 2 }, [0, 0.5, 1, 2]);

test("steps go from frame to frame and stop what plays", () => {
  const c = clock();
  const seen = [];
  c.onChange(() => seen.push(c.time));
  c.toggle();
  c.step(1);
  assert.equal(c.playing, false);
  c.step(1);
  c.seek(0.75);
  c.step(-1);
  c.step(-1);
  c.step(-1);
  assert.deepEqual(seen, [0, 0.5, 1, 0.75, 0.5, 0, 0]);
});

test("beyond the frames of a run that ends early steps go to the end of all", () => {
  const c = new Clock({ min: 0, max: 3 }, [0, 1]);
  c.step(1);
  c.step(1);
  assert.equal(c.time, 3);
  c.step(-1);
  assert.equal(c.time, 1);
});

test("time passes at its speed, ends at the end, and starts anew from there", () => {
  const c = clock();
  c.speed = 0.5;
  c.toggle();
  c.advance(1);
  assert.equal(c.time, 0.5);
  c.advance(100);
  assert.equal(c.time, 2);
  assert.equal(c.playing, false);
  c.advance(1);
  assert.equal(c.time, 2, "what stands stays");
  c.toggle();
  assert.equal(c.time, 0);
});

test("a loop goes on by what was beyond the end", () => {
  const c = clock();
  c.loop = true;
  c.speed = 1;
  c.toggle();
  c.advance(5.25);
  assert.equal(c.time, 1.25);
  assert.ok(c.playing);
});

test("no time is outside the range", () => {
  const c = clock();
  c.seek(-1);
  assert.equal(c.time, 0);
  c.seek(9);
  assert.equal(c.time, 2);
});

test("a short run starts so slow that it can be seen", () => {
  for (const length of [0.003, 0.04, 0.5, 1.9, 2, 60]) {
    const { speed } = new Clock({ min: 0, max: length }, [0, length]);
    assert.ok(speeds.includes(speed) && speed <= 1);
    assert.ok(length / speed >= 2);
    const faster = speeds[speeds.indexOf(speed) + 1];
    assert.ok(faster > 1 || length / faster < 2, "and no slower");
  }
});

test("neighbours are strictly before and after, as a search through all would find them", () => {
  const times = [0, 1, 1, 1.5, 4];
  for (let time = -1; time <= 5; time += 0.25) {
    assert.equal(
      neighbour(times, time, 1),
      times.find((entry) => entry > time),
    );
    assert.equal(neighbour(times, time, -1), times.filter((entry) => entry < time).at(-1));
  }
});
