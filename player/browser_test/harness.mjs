// The tests of pages in a browser share this: Chromium without a window, runs of the command, and a report.
//   node NAME_test.mjs CAROM FOLDER
// Works in FOLDER, where its pictures stay; packages come from the working folder. Skipped (status 77) where there is
// no chromium.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

export const [carom, folder] = process.argv.slice(2);
const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!chromium) {
  console.log("skipped: chromium is not installed (scripts/install.sh test)");
  process.exit(77);
}
const playwright = createRequire(join(process.cwd(), "package.json"))("playwright-core");
export const scene = join(dirname(fileURLToPath(import.meta.url)), "scene.yaml");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** Runs the scene; its JSON. */
export function run(name, ...options) {
  const words = ["run", scene, "--out", join(folder, `${name}.h5`), "--json", ...options];
  return JSON.parse(execFileSync(carom, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
}

// WebGL without a graphics card.
const browser = await playwright.chromium.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});

/** Opens a page from disk; it must ask nothing of anyone and complain about nothing. */
export async function open(file) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 760 }, colorScheme: "light" });
  const asked = [];
  const said = [];
  page.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(error.message));
  page.on("dialog", (dialog) => said.push(dialog.message()));
  const address = pathToFileURL(file).href;
  await page.goto(address);
  await page.waitForFunction(() => window.ready || document.documentElement.dataset.ready, null, { timeout: 30000 });
  page.check = () => {
    const files = asked.filter((url) => !url.startsWith("blob:")); // those that the page hands the reader
    assert.deepEqual(files, [address], "nothing but the page itself is asked for");
    // The software renderer tells how long it takes to read its pictures back.
    assert.deepEqual(
      said.filter((text) => !text.includes("GPU stall due to ReadPixels")),
      [],
    );
  };
  return page;
}

export const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) <= tolerance, `${a} is not ${b} to ${tolerance}`);
export const nearAll = (a, b, tolerance) => a.forEach((x, i) => near(x, b[i], tolerance));

let failed = 0;
export async function attempt(name, test) {
  const start = Date.now();
  try {
    await test();
    console.log(`ok      ${name} (${Date.now() - start} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n${error.stack}`);
  }
}

export async function finish() {
  await browser.close();
  process.exit(failed ? 1 : 0);
}
