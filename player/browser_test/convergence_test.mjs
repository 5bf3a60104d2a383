// The page of carom converge in a browser (harness.mjs).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { attempt, carom, finish, folder, near, open, scene } from "./harness.mjs";

/** Work against precision: each method's curve by fixed steps and by accuracy, over the same logarithmic distances. */
async function workAgainstPrecision() {
  const file = join(folder, "converge.html");
  const methods = ["semi-explicit/plus", "stewart-trinkle/newton"];
  const words = ["converge", scene, "--until", "0.2", "--steps", "0.004,0.002,0.001", "--accuracies", "1e-2,1e-3"];
  const told = JSON.parse(
    execFileSync(carom, [...words, "--methods", methods.join(), "--out", file, "--json"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  const page = await open(file);
  const figure = page.locator('.plot[aria-label^="steps and parts tried"]');
  // Runs that can't be told from the one with the smallest step have no place.
  const names = told.methods.flatMap((method) => [
    method.method,
    ...(method.accuracy_runs.some((run) => run.own_error > 0) ? [`${method.method}, by accuracy`] : []),
  ]);
  assert.ok(names.length > methods.length);
  assert.deepEqual(await figure.locator(".u-legend .u-label").allTextContents(), ["off by, m", ...names]);
  const all = told.methods.flatMap((method) => [...method.runs, ...method.accuracy_runs]).filter((run) => run.own_error > 0);
  const left = all.reduce((a, b) => (a.own_error < b.own_error ? a : b));
  await figure.focus();
  const box = await figure.locator(".u-over").boundingBox();
  const decades = (list) => [Math.floor(Math.log10(Math.min(...list))), Math.ceil(Math.log10(Math.max(...list)))];
  const [from, to] = decades(all.map((run) => run.own_error));
  // The pointer at the leftmost run: the key below tells its distance and its work.
  const share = (Math.log10(left.own_error) - from) / (to - from);
  await page.mouse.move(box.x + share * box.width, box.y + box.height / 2);
  const values = await figure.locator(".u-legend .u-value").allTextContents();
  near(Math.log10(Number(values[0].replace("−", "-"))), Math.log10(left.own_error), 0.01);
  assert.ok(values.slice(1).some((text) => Number(text) === left.trials), `${values} has ${left.trials}`);
  await page.screenshot({ path: join(folder, "converge.png"), fullPage: true });
  page.check();
  await page.close();
}

await attempt("work against precision", workAgainstPrecision);
await finish();
