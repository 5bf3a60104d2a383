// Opens pages of runs in a browser, presses what a reader would press, and reads back what they show (harness.mjs).
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { attempt, carom, finish, folder, near, nearAll, open, run } from "./harness.mjs";

const time = (page) => page.evaluate(() => player.clock.time);

/** Column k of the matrix with which the picture draws shape `i` of a body: 3 is its position, 0 to 2 its axes times
 * its size. */
const drawn = (page, body, column, i = 0, cast = 0) =>
  page.evaluate(
    ([body, column, i, cast]) => {
      const parts = [];
      const matrix = player.stage.view.camera.matrix.clone();
      for (const { mesh, list } of player.stage.view.casts[cast].groups) {
        list.forEach((part, k) => {
          if (part.body !== body) return;
          mesh.getMatrixAt(k, matrix);
          parts.push(matrix.elements.slice(4 * column, 4 * column + 3));
        });
      }
      return parts[i];
    },
    [body, column, i, cast],
  );

/** How many colours the picture has, how much of it is not its most frequent one, and how light it is. */
const picture = (page) =>
  page.evaluate(() => {
    const { canvas } = player.stage.view;
    player.stage.view.render();
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
    const counts = new Map();
    let light = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      const color = (pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2];
      counts.set(color, (counts.get(color) ?? 0) + 1);
      light += pixels[i] + pixels[i + 1] + pixels[i + 2];
    }
    const most = Math.max(...counts.values());
    const count = pixels.length / 4;
    return { colors: counts.size, other: 1 - most / count, light: light / (3 * 255 * count) };
  });

const tests = {
  async "bodies are where the run says"(page) {
    await page.keyboard.press("End");
    assert.equal(await time(page), await page.evaluate(() => player.runs[0].recording.last));
    for (const [i, body] of whole.bodies.entries()) {
      const pose = await page.evaluate(
        (i) => Array.from(player.stage.view.casts[0].poses.subarray(7 * i, 7 * i + 7)),
        i,
      );
      nearAll(pose, [...body.position, ...body.orientation], 1e-6);
    }
    // Half way by a run that ends there.
    await page.evaluate(() => player.clock.seek(player.runs[0].recording.times[200]));
    near(await time(page), 0.4, 1e-6);
    const names = half.bodies.map((body) => body.name);
    for (const name of ["ball", "pill", "can", "egg"]) {
      const body = half.bodies[names.indexOf(name)];
      nearAll(await drawn(page, names.indexOf(name), 3), body.position, 1e-6);
    }
    // The brick's own x axis, from its quaternion, times its half length.
    const brick = half.bodies[names.indexOf("<img src=x onerror=alert(1)>")];
    const [w, x, y, z] = brick.orientation;
    const axis = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)];
    nearAll(
      await drawn(page, names.indexOf(brick.name), 0),
      axis.map((a) => 0.2 * a),
      1e-6,
    );
    // Two spheres of one body, 0.5 m apart.
    const dumbbell = names.indexOf("dumbbell");
    const ends = [await drawn(page, dumbbell, 3, 0), await drawn(page, dumbbell, 3, 1)];
    near(Math.hypot(...ends[0].map((a, k) => a - ends[1][k])), 0.5, 1e-6);
  },

  async "every shape is drawn, and what has none as sticks"(page) {
    const kinds = await page.evaluate(() => ({
      surfaces: player.stage.view.casts[0].groups.map(({ mesh }) => mesh.count).reduce((a, b) => a + b, 0),
      planes: player.stage.view.planes.length,
      sticks: player.stage.view.casts[0].bars.count,
      triangles: player.stage.view.renderer.info.render.triangles,
    }));
    assert.deepEqual([kinds.surfaces, kinds.planes], [9, 1], "eight on bodies, a hill and a floor");
    assert.ok(kinds.sticks >= 1, "the bob hangs on its hinge");
    assert.ok(
      await page.evaluate(() =>
        player.stage.view.casts[0].groups.every(({ mesh }) => mesh.geometry.attributes.position.count >= 12),
      ),
    );
  },

  async "keys and buttons move along the time line"(page) {
    const times = await page.evaluate(() => Array.from(player.runs[0].recording.times));
    assert.equal(times.length, whole.steps + 1);
    await page.keyboard.press("Home");
    assert.equal(await time(page), 0);
    for (const k of [1, 2]) {
      await page.keyboard.press("ArrowRight");
      assert.equal(await time(page), times[k]);
    }
    await page.getByRole("button", { name: "Frame back" }).click();
    assert.equal(await time(page), times[1]);
    await page.keyboard.press("n");
    near(await time(page), whole.impacts[0].time, 1e-6);
    await page.getByRole("slider", { name: "Time" }).focus();
    await page.keyboard.press("ArrowRight");
    assert.equal(
      await time(page),
      times.find((t) => t > Math.fround(whole.impacts[0].time)),
      "the slider steps by frames",
    );
    await page.getByRole("button", { name: "To the start" }).click();
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press(" ");
    await page.waitForFunction(() => player.clock.time > 0.02);
    await page.keyboard.press(" ");
    const stopped = await time(page);
    await page.waitForTimeout(120);
    assert.equal(await time(page), stopped, "space stops what plays");
    await page.getByLabel("Loop").check();
    await page.getByLabel("Speed").selectOption("2");
    await page.evaluate(() => player.clock.seek(player.clock.range.max - 0.05));
    await page.getByRole("button", { name: "Play" }).click();
    await page.waitForFunction(() => player.clock.time < 0.5);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.getByLabel("Loop").uncheck();
  },

  async "arrows show the impulses: a ball at rest is held by its weight times the step"(page) {
    await page.keyboard.press("End");
    const held = await page.evaluate(() =>
      player.stage.contacts.filter((one) => one.pair.name.startsWith("ball") && Math.hypot(...one.impulse) > 0),
    );
    assert.equal(held.length, 1);
    const mass = 1000 * (4 / 3) * Math.PI * 0.1 ** 3;
    nearAll(held[0].impulse, [0, 0, mass * 9.81 * 0.002], 1e-5 * mass * 9.81 * 0.002 + 1e-7);
    nearAll(held[0].position.slice(2), [0], 1e-6);
    const counts = () =>
      page.evaluate(() => ({
        arrows: player.stage.view.arrows.count,
        cones: player.stage.view.cones.count,
        loaded: player.stage.contacts.filter((one) => one.pair.surface && Math.hypot(...one.impulse) > 0).length,
        all: player.stage.contacts.filter((one) => one.pair.surface).length,
      }));
    const before = await counts();
    assert.equal(before.arrows, before.loaded);
    assert.equal(before.cones, 0);
    await page.getByLabel("normals").check();
    await page.getByLabel("friction cones").check();
    const after = await counts();
    assert.equal(after.arrows, before.loaded + before.all);
    assert.equal(after.cones, before.loaded);
    await page.getByLabel("impulses", { exact: true }).uncheck();
    assert.equal((await counts()).arrows, before.all);
    await page.getByLabel("impulses", { exact: true }).check();
    await page.getByLabel("normals").uncheck();
    await page.getByLabel("friction cones").uncheck();
  },

  async "an impact's way is the one that the run traced"(page) {
    const index = whole.impacts.findIndex((impact) => impact.trace.length > 3);
    const impact = whole.impacts[index];
    await page.getByLabel("Impact", { exact: true }).selectOption(String(index + 1));
    near(await time(page), impact.time, 1e-6);
    assert.equal(await page.evaluate(() => player.panel.selected), index);
    const shown = await page.evaluate(() => ({
      path: player.panel.path,
      row: player.panel.impact.contacts.indexOf(player.panel.contact),
    }));
    const contact = impact.contacts[shown.row];
    const scale = Math.hypot(...contact.impulse);
    const { points, traced } = shown.path;
    assert.ok(traced);
    nearAll(points[0].velocity, contact.before, 1e-6);
    nearAll(points.at(-1).velocity, contact.after, 1e-6);
    nearAll(points.at(-1).impulse, contact.impulse, 1e-5 * scale);
    const steps = impact.trace.flatMap((step) => step.contacts.filter((one) => one.contact === shown.row));
    assert.equal(points.length, steps.length + 1);
    steps.forEach((step, i) => nearAll(points[i + 1].velocity, step.velocity, 1e-6));
    assert.equal(await page.locator(".path-figure").count(), 4);
    const corners = await page.locator(".path-figure polyline").first().getAttribute("points");
    assert.equal(corners.split(" ").length, points.length);
    await page.screenshot({ path: join(folder, "impact.png"), fullPage: false });
    await page.getByLabel("Impact", { exact: true }).selectOption("0");
  },

  async "plots fill their places, side by side"(page) {
    const places = await page.evaluate(() =>
      player.charts.plots.map(({ plot, place }) => [place.clientWidth, plot.root.clientWidth]),
    );
    for (const [place, plot] of places) near(plot, place, 1);
    assert.ok(places[0][0] < 600, "more than one in a row");
  },

  async "plots and the time line move each other"(page) {
    await page.evaluate(() => player.clock.seek(0.25));
    const plot = page.locator(".plot .u-over").first();
    await plot.scrollIntoViewIfNeeded();
    const line = () =>
      page.evaluate(() => {
        const { plot, now } = player.charts.plots[0];
        return {
          at: new DOMMatrix(getComputedStyle(now).transform).e,
          expected: plot.valToPos(player.clock.time, "x"),
          hidden: now.hidden,
        };
      });
    const first = await line();
    assert.equal(first.hidden, false);
    near(first.at, first.expected, 0.6);
    const box = await plot.boundingBox();
    await page.mouse.click(box.x + 0.75 * box.width, box.y + box.height / 2);
    near(await time(page), 0.75 * 0.8, 0.8 / box.width + 1e-6);
    const second = await line();
    near(second.at, 0.75 * box.width, 1.5);
    await page.locator(".plot").first().focus();
    await page.keyboard.press("ArrowRight");
    assert.ok((await time(page)) > 0.6 - 0.002, "a move through a plot moves the scene");
    await page.evaluate(() => scrollTo(0, 0));
  },

  async "a plot's numbers come as a table, as CSV and as a picture"(page) {
    const figure = page.locator("figure", { has: page.locator("figcaption", { hasText: /^force z \(N\)/ }) });
    const file = async (label) => {
      const waiting = page.waitForEvent("download");
      await figure.getByRole("button", { name: `${label} of force z` }).click();
      const download = await waiting;
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
    };
    const csv = await file("CSV file");
    assert.equal(csv.name, "b-every-shape-force-z.csv");
    const [names, ...rows] = csv.bytes.toString().trim().split("\r\n").map((line) => line.split(","));
    assert.deepEqual([names[0], rows.length], ["time (s)", whole.steps + 1]);
    const ball = names.findIndex((name) => name.startsWith("ball"));
    const weight = 1000 * (4 / 3) * Math.PI * 0.1 ** 3 * 9.81;
    near(Number(rows.at(-1)[ball]), weight, 1e-4 * weight);
    const table = figure.getByRole("button", { name: "Table of force z" });
    await table.click();
    const cells = await figure.locator("tbody tr").last().locator("td").allTextContents();
    near(Number(cells[ball].replace("−", "-")), weight, 1e-3 * weight);
    await table.click();
    assert.equal(await figure.locator("tbody").count(), 1, "the plot's own key alone");
    const png = await file("Picture");
    assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
    const width = await figure.locator(".uplot").evaluate((plot) => plot.clientWidth);
    assert.ok(png.bytes.readUInt32BE(16) > width);
    writeFileSync(join(folder, "force.png"), png.bytes);
    await page.evaluate(() => scrollTo(0, 0));
  },

  async "a question mark shows the keys"(page) {
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Home");
    const list = page.getByRole("dialog", { name: "Keys" });
    await page.keyboard.press("?");
    assert.ok((await list.textContent()).includes("play and pause"));
    await page.keyboard.press("ArrowRight");
    assert.equal(await time(page), 0, "keys are the list's while it is open");
    await page.keyboard.press("?");
    assert.equal(await list.isVisible(), false);
    await page.getByRole("button", { name: "Keys", exact: true }).click();
    await page.keyboard.press("Escape");
    assert.equal(await list.isVisible(), false);
  },

  async "who wants less motion sees stills"(page) {
    await page.emulateMedia({ reducedMotion: "reduce" });
    const gaps = await page.evaluate(
      () =>
        new Promise((done) => {
          const { clock } = player;
          let [last, before] = [performance.now(), clock.time];
          const gaps = [];
          clock.onChange(() => {
            if (clock.time === before || gaps.length === 2) return;
            gaps.push(performance.now() - last);
            [last, before] = [performance.now(), clock.time];
            if (gaps.length < 2) return;
            clock.toggle();
            done(gaps);
          });
          clock.speed = 0.1;
          clock.toggle();
        }),
    );
    assert.ok(Math.min(...gaps) > 400, `stills after ${gaps} ms`);
    await page.emulateMedia({ reducedMotion: "no-preference" });
  },

  async "trails, mass centres and momenta are those of the run"(page) {
    await page.keyboard.press("Home");
    const labels = ["trails", "mass centre", "momentum"];
    for (const label of labels) await page.getByLabel(label, { exact: true }).check();
    const marks = () =>
      page.evaluate(() => {
        const { trails, centres, arrows } = player.stage.view.marks;
        return {
          shown: trails.filter(({ line }) => line.visible).map(({ line }) => line.geometry.drawRange.count),
          centres: centres.map((ball) => ball.position.toArray()),
          arrows: arrows.count,
        };
      });
    const start = await marks();
    assert.deepEqual(start.shown, Array(2 * whole.bodies.length).fill(1), "of bodies and their mass centres");
    await page.keyboard.press("End");
    const end = await marks();
    assert.equal(end.shown[0], whole.steps + 1);
    const centre = (name) => end.centres[whole.bodies.findIndex((body) => body.name === name)];
    for (const name of ["ball", "pill", "can"]) {
      nearAll(centre(name), whole.bodies.find((body) => body.name === name).position, 1e-6);
    }
    // The bob's lies 0.4 m from its hinge.
    near(Math.hypot(centre("bob")[0] + 1.5, centre("bob")[1], centre("bob")[2] - 1), 0.4, 1e-6);
    assert.ok(end.arrows > 0 && end.arrows <= whole.bodies.length);
    await page.screenshot({ path: join(folder, "motion.png") });
    for (const label of labels) await page.getByLabel(label, { exact: true }).uncheck();
    assert.deepEqual((await marks()).shown, []);
  },

  async "a camera for pictures stands where it is put"(page) {
    const look = (order) =>
      page.evaluate((order) => {
        const { view } = player.stage;
        view.look(order);
        view.camera.updateMatrixWorld();
        const ahead = view.controls.target.clone().sub(view.camera.position).normalize();
        const seen = view.camera.getWorldDirection(ahead.clone());
        return { eye: view.camera.position.toArray(), target: view.controls.target.toArray(), off: 1 - ahead.dot(seen) };
      }, order);
    const placed = await look({ camera: [3, -4, 2], target: [0, 0, 0.5] });
    nearAll([...placed.eye, ...placed.target, placed.off], [3, -4, 2, 0, 0, 0.5, 0], 1e-9);
    const tilt = Math.PI / 6;
    const turned = await look({ target: [1, 0, 0], azimuth: Math.PI / 2, elevation: tilt, distance: 2 });
    nearAll(turned.eye, [1, 2 * Math.cos(tilt), 2 * Math.sin(tilt)], 1e-9);
    await page.keyboard.press("Home");
    const ball = whole.bodies.findIndex((body) => body.name === "ball");
    const follow = await look({ follow: ball, distance: 1 });
    nearAll(follow.target, await drawn(page, ball, 3), 1e-6);
    await page.keyboard.press("End");
    const moved = await page.evaluate(() => player.stage.view.camera.position.toArray());
    const way = whole.bodies[ball].position.map((x, k) => x - follow.target[k]);
    nearAll(moved.map((x, k) => x - follow.eye[k]), way, 1e-6);
    await look({});
    await page.getByRole("button", { name: "All", exact: true }).click();
  },

  async "the camera turns, follows and comes back"(page) {
    await page.evaluate(() => document.activeElement.blur());
    const eye = () => page.evaluate(() => player.stage.view.camera.position.toArray());
    const target = () => page.evaluate(() => player.stage.view.controls.target.toArray());
    const start = await eye();
    await page.keyboard.press("Shift+ArrowLeft");
    const turned = await eye();
    const about = await target();
    const arm = (point) => Math.hypot(...point.map((x, k) => x - about[k]));
    near(arm(turned), arm(start), 1e-6);
    near(turned[2], start[2], 1e-6);
    assert.ok(Math.hypot(...turned.map((x, k) => x - start[k])) > 0.05 * arm(start));
    await page.getByLabel("Follow").selectOption({ label: "can" });
    const can = whole.bodies.findIndex((body) => body.name === "can");
    for (const t of [0, 0.33]) {
      await page.evaluate((t) => player.clock.seek(t), t);
      nearAll(await target(), await drawn(page, can, 3), 1e-6);
    }
    await page.getByLabel("Follow").selectOption({ label: "nothing" });
    await page.getByRole("button", { name: "Top", exact: true }).click();
    const high = await eye();
    assert.ok(high[2] - (await target())[2] > 0.99 * Math.hypot(...high.map((x, k) => x - about[k])) * 0.9);
    await page.getByRole("button", { name: "All", exact: true }).click();
    nearAll(await eye(), start, 1e-6);
  },

  async "the pointer tells the name of the body under it"(page) {
    const can = whole.bodies.findIndex((body) => body.name === "can");
    const at = await page.evaluate((can) => {
      const { view, canvas } = player.stage;
      view.render(); // where the camera is now
      const point = view.controls.target
        .clone()
        .set(...view.casts[0].position(can))
        .project(view.camera);
      const box = canvas.getBoundingClientRect();
      return [box.left + (0.5 + 0.5 * point.x) * box.width, box.top + (0.5 - 0.5 * point.y) * box.height];
    }, can);
    await page.mouse.move(...at);
    assert.equal(await page.locator(".label").textContent(), "can");
    await page.mouse.move(at[0], 5);
    assert.equal(await page.locator(".label").isVisible(), false);
  },

  async "names are texts, controls have names, and the keyboard reaches them all"(page) {
    assert.equal(await page.locator("img, b, script[src], link, iframe").count(), 0);
    assert.equal(await page.locator("h1").textContent(), "<b>every shape");
    assert.ok((await page.getByLabel("Follow").textContent()).includes("<img src=x onerror=alert(1)>"));
    await page.locator(".frame canvas").focus();
    await page.keyboard.press("Shift+Tab");
    const reached = [];
    for (let i = 0; i < 27; i++) {
      await page.keyboard.press("Tab");
      reached.push(
        await page.evaluate(() => {
          const element = document.activeElement;
          const style = getComputedStyle(element);
          const label = element.getAttribute("aria-label") || element.labels?.[0]?.textContent || element.textContent;
          return {
            label: label.trim().slice(0, 60),
            outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
          };
        }),
      );
    }
    for (const one of reached) assert.ok(one.label && one.outline, JSON.stringify(one));
    const labels = reached.map((one) => one.label).join("|");
    const order = [
      "The scene in three",
      "Time",
      "To the start",
      "Play (space)",
      "Speed",
      "Keys",
      "impulses",
      "normals",
      "friction cones",
      "Arrow lengths",
      "trails",
      "Follow",
      "Impact",
    ];
    const places = order.map((label) => labels.indexOf(label));
    assert.ok(
      places.every((place, i) => place >= 0 && (i === 0 || place > places[i - 1])),
      labels,
    );
    await page.evaluate(() => document.activeElement.blur());
  },
};

async function overlaid() {
  const page = await open(join(folder, "all.html"));
  assert.deepEqual(await page.evaluate(() => player.clock.range), { min: 0, max: Math.fround(0.8) });
  const end = Object.fromEntries(
    ["a", "b"].map((name, i) => [name, [whole, late][i].bodies.find((body) => body.name === "pill").position]),
  );
  await page.keyboard.press("End");
  const pill = whole.bodies.findIndex((body) => body.name === "pill");
  nearAll(await drawn(page, pill, 3, 0, 0), end.a, 1e-6);
  nearAll(await drawn(page, pill, 3, 0, 1), end.b, 1e-6);
  const casts = () =>
    page.evaluate(() =>
      player.stage.view.casts.map(({ object, material }) => ({ visible: object.visible, ghost: material.opacity < 1 })),
    );
  assert.deepEqual(await casts(), [
    { visible: true, ghost: false },
    { visible: true, ghost: true },
    { visible: true, ghost: true },
  ]);
  await page.getByRole("checkbox", { name: "Show whole" }).uncheck();
  assert.equal((await casts())[0].visible, false);
  const worlds = await page.evaluate(() => player.stage.view.casts.map((cast) => cast.worldShown));
  assert.deepEqual(worlds, [false, true, false], "the world is drawn once, by a run that is shown");
  await page.getByRole("checkbox", { name: "Show whole" }).check();
  const plots = await page.evaluate(() => player.charts.plots.length);
  await page.getByRole("radio", { name: "coarse" }).check();
  assert.deepEqual(
    (await casts()).map((cast) => cast.ghost),
    [true, false, true],
  );
  assert.deepEqual(await page.evaluate(() => player.stage.view.casts.map((cast) => cast.worldShown)), [
    false,
    true,
    false,
  ]);
  assert.ok((await page.locator(".run-name").textContent()) === "coarse");
  assert.equal(
    await page.evaluate(() => player.charts.plots.length),
    await page.evaluate(() => document.querySelectorAll(".uplot").length),
  );
  assert.ok(plots > 5);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  near(await time(page), 0.004, 1e-7); // its own step
  await page.getByRole("radio", { name: "stepped" }).check();
  assert.ok((await page.locator(".impacts").textContent()).includes("Time steppers"));
  await page.evaluate(() => player.clock.seek(0.5));
  await page.screenshot({ path: join(folder, "all.png") });
  page.check();
  await page.close();
}

/** The page follows the reader's scheme, also when it changes. */
async function pictures(page) {
  const seen = {};
  await page.evaluate(() => {
    scrollTo(0, 0);
    player.clock.seek(0.3);
  });
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    seen[colorScheme] = await picture(page);
    const { colors, other } = seen[colorScheme];
    assert.ok(colors > 200 && other > 0.2, `${colorScheme}: ${JSON.stringify(seen[colorScheme])}`);
    await page.screenshot({ path: join(folder, `${colorScheme}.png`) });
  }
  assert.ok(seen.light.light > 0.6 && seen.dark.light < 0.4, JSON.stringify(seen));
}

async function commandPicture() {
  const png = join(folder, "view.png");
  const done = spawnSync(carom, [
    "view",
    join(folder, "whole.h5"),
    "--out",
    join(folder, "one.html"),
    "--png",
    png,
    "--time",
    "0.3",
    ...["--size", "640x360", "--follow", "can", "--azimuth", "30", "--elevation", "20", "--distance", "1"],
  ]);
  assert.equal(done.status, 0, String(done.stderr));
  const bytes = readFileSync(png);
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [640, 360]);
  assert.ok(bytes.length > 10000, "something is on it");
}

/** The exported motion as three.js reads and plays it. */
async function exportedMotion() {
  const glb = join(folder, "whole.glb");
  execFileSync(carom, ["export", join(folder, "whole.h5"), "--gltf", glb]);
  const load = (path) => import(pathToFileURL(join(process.cwd(), "node_modules/three", path)).href);
  const { GLTFLoader } = await load("examples/jsm/loaders/GLTFLoader.js");
  const { AnimationMixer, Vector3 } = await load("build/three.module.js");
  const bytes = readFileSync(glb);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await new Promise((done, fail) => new GLTFLoader().parse(buffer, "", done, fail));
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(gltf.animations[0]);
  action.setLoop(2200, 1); // once
  action.clampWhenFinished = true;
  action.play();
  const nodes = gltf.scene.children[0].children;
  for (const [at, run] of [
    [0.4, half],
    [0.8, whole],
  ]) {
    mixer.setTime(at);
    gltf.scene.updateMatrixWorld(true);
    for (const [i, body] of run.bodies.entries()) {
      const [x, y, z] = body.position;
      const place = nodes[i].getWorldPosition(new Vector3());
      nearAll(place.toArray(), [x, z, -y], 2e-6); // y is up
      const [w, a, b, c] = body.orientation;
      const axis = [1 - 2 * (b * b + c * c), 2 * (a * b + w * c), 2 * (a * c - w * b)];
      const ahead = nodes[i].localToWorld(new Vector3(1, 0, 0)).sub(place);
      nearAll(ahead.toArray(), [axis[0], axis[2], -axis[1]], 1e-5);
    }
  }
}

const whole = run("whole");
const half = run("half", "--until", "0.4");
const late = run("coarse", "--step", "0.004", "--law", "newton");
run("stepped", "--stepper", "stewart-trinkle", "--law", "newton", "--until", "0.6");
execFileSync(carom, [
  "view",
  ...["whole", "coarse", "stepped"].map((name) => join(folder, `${name}.h5`)),
  "--out",
  join(folder, "all.html"),
]);

const page = await open(join(folder, "whole.html"));
for (const [name, test] of Object.entries(tests)) await attempt(name, () => test(page));
await attempt("pictures in light and dark", () => pictures(page));
await attempt("no request and no complaint", () => page.check());
await page.close();
await attempt("runs of several steps and methods lie over one another", overlaid);
await attempt("carom view --png", commandPicture);
await attempt("carom export --gltf plays as the run moved", exportedMotion);
await finish();
