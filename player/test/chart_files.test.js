import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf, exact, fileName } from "../src/chart_files.js";

test("texts of numbers give the float32 back, and are no longer than they must be", () => {
  let seed = 7;
  for (let i = 0; i < 2000; i++) {
    seed = (seed * 16807) % 2147483647;
    const value = Math.fround((seed / 2147483647 - 0.5) * 10 ** ((i % 60) - 30));
    assert.equal(Math.fround(Number(exact(value))), value);
  }
  assert.equal(exact(Math.fround(0.1)), "0.1");
  assert.equal(exact(-3), "-3");
  assert.equal(exact(NaN), "");
});

test("CSV has a line for each point, and names as texts", () => {
  const chart = {
    title: "force",
    unit: "N",
    times: [0, 0.5],
    series: [
      { name: "foot", values: [1, NaN] },
      { name: 'a "b", c', values: [-2.5, 1e-9] },
    ],
  };
  assert.equal(csvOf(chart), 'time (s),foot (N),"a ""b"", c (N)"\r\n0,1,-2.5\r\n0.5,,1e-9\r\n');
  assert.equal(csvOf({ ...chart, unit: "", x: "step", series: [] }), "step\r\n0\r\n0.5\r\n");
});

test("a file's name has no character that a system refuses", () => {
  assert.equal(fileName(["<b>every shape", "force x"], "csv"), "b-every-shape-force-x.csv");
  assert.equal(fileName(["../a/b", ""], "png"), "..-a-b.png");
});
