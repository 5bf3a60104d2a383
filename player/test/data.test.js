import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, lonely, nearest, plottable, short } from "../src/data.js";
import { encode } from "./encode.js";

test("series survive base64, gaps and infinities included", () => {
  const values = [0, -1.5, 3.25, Infinity, 2 ** -126];
  assert.deepEqual(decode(encode(values)), values);
  assert.ok(Number.isNaN(decode(encode([NaN]))[0]));
  assert.deepEqual(decode(""), []);
});

test("what an axis can't show is a gap", () => {
  assert.deepEqual(plottable([1, NaN, Infinity, 0, -2], false), [1, null, null, 0, -2]);
  assert.deepEqual(plottable([1, 1e-30, NaN, 0, -2], true), [0, -30, null, null, null]);
});

test("values between gaps are found", () => {
  assert.deepEqual(lonely([1, null, 2, null, 3, 4, null, 5]), [0, 2, 7]);
  assert.deepEqual(lonely([1, 2, 3]), []);
  assert.deepEqual(lonely([null]), []);
});

test("numbers are short", () => {
  assert.equal(short(0), "0");
  assert.equal(short(null), "–");
  assert.equal(short(1.23456), "1.235");
  assert.equal(short(-12.5), "−12.5");
  assert.equal(short(1.5e-9), "1.50e−9");
});

test("the nearest time is found, as a search through all would", () => {
  const times = [0, 0.5, 0.6, 2, 5];
  for (let time = -1; time < 6; time += 0.01) {
    const distance = Math.min(...times.map((t) => Math.abs(t - time)));
    assert.equal(Math.abs(times[nearest(times, time)] - time), distance);
  }
});
