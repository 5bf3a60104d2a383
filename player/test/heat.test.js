import assert from "node:assert/strict";
import { test } from "node:test";
import { shades } from "../src/heat.js";

test("cells are shaded from the least to the greatest, without the first column", () => {
  const rows = [
    ["100", "1", "2"],
    ["-5", "", "3"],
  ];
  const shade = shades(rows);
  assert.deepEqual(shade("1", 1), { style: "--heat: 0%" });
  assert.deepEqual(shade("2", 2), { style: "--heat: 50%" });
  assert.deepEqual(shade("3", 2), { style: "--heat: 100%" });
  assert.deepEqual(shade("100", 0), {});
  assert.deepEqual(shade("", 1), {});
});

test("a map of one number is shaded alike", () => {
  assert.deepEqual(shades([["a", "4", "4"]])("4", 1), { style: "--heat: 0%" });
});
