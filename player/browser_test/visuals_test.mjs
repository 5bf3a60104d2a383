// A robot's visuals on its page, in place of the shapes that collide and beside them (harness.mjs).
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, carom, finish, folder, near, nearAll, open } from "./harness.mjs";

const inertial =
  '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>';
/** A trunk that collides as a box of 0.4 m and is drawn by a mesh; on its side, a quarter turned, a red ball. */
const robot = (mesh) => `<robot name="r"><link name="trunk">${inertial}
  <collision><geometry><box size="0.4 0.4 0.4"/></geometry></collision>
  <visual name="skin"><origin xyz="0 0 0.1"/><geometry><mesh filename="${mesh}" scale="0.5 0.5 0.5"/></geometry>
    <material name="blue"><color rgba="0 0 1 1"/></material></visual></link>
  <link name="arm"><visual name="ball"><origin xyz="0.2 0 0"/><geometry><sphere radius="0.15"/></geometry>
    <material name="red"><color rgba="1 0 0 1"/></material></visual></link>
  <joint name="weld" type="fixed"><parent link="trunk"/><child link="arm"/>
    <origin xyz="0.3 0 0" rpy="0 0 -1.5707963267948966"/></joint></robot>`;
const skin = join(folder, "skin.obj");
writeFileSync(skin, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
for (const [name, mesh] of [["whole", "skin.obj"], ["missing", "gone.obj"]]) {
  const file = join(folder, `${name}.urdf`);
  writeFileSync(file, robot(mesh));
  const words = ["run", file, "--drop", "0.5", "--until", "0.05", "--out", join(folder, `${name}.h5`)];
  execFileSync(carom, words, { stdio: ["ignore", "ignore", "pipe"] });
}

/** The surfaces that are drawn: what they are, and where their instances lie in their body. */
const surfaces = (page) =>
  page.evaluate(() =>
    player.stage.view.casts[0].groups
      .filter(({ mesh }) => mesh.visible)
      .flatMap(({ role, list, mesh }) =>
        list.map(({ body, matrix }) => ({
          role,
          body,
          corners: mesh.geometry.getAttribute("position").count,
          place: matrix.elements.slice(12, 15),
          x: matrix.elements.slice(0, 3),
        })),
      ),
  );
const roles = async (page) => (await surfaces(page)).map(({ role }) => role).sort();

/** Counts the pixels that are clearly red. */
const redness = (page) =>
  page.evaluate(() => {
    const { canvas } = player.stage.view;
    player.stage.view.render();
    const copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const pixels = context.getImageData(0, 0, copy.width, copy.height).data;
    let count = 0;
    for (let i = 0; i < pixels.length; i += 4) {
      count += pixels[i] > 90 && pixels[i] > 3 * pixels[i + 1] && pixels[i] > 3 * pixels[i + 2];
    }
    return count;
  });

async function visualsFirst() {
  const page = await open(join(folder, "whole.html"));
  const drawn = await surfaces(page);
  assert.deepEqual(drawn.map(({ role }) => role), ["visual", "visual"]);
  const [mesh, ball] = drawn;
  assert.equal(mesh.corners, 12); // of four faces
  nearAll(mesh.place, [0, 0, 0.1], 1e-6);
  // The arm's x axis is the trunk's −y axis, from (0.3, 0, 0) on.
  nearAll(ball.place, [0.3, -0.2, 0], 1e-6);
  nearAll(ball.x, [0, -0.15, 0], 1e-6);
  // The farthest corner of the mesh is 0.5 m from where it lies; the ball ends nearer.
  near(await page.evaluate(() => player.stage.view.casts[0].reach[0]), 0.1 + 0.5, 1e-6);
  assert.ok((await redness(page)) > 200, "the ball is red");
  await page.screenshot({ path: join(folder, "visuals.png") });

  await page.keyboard.press("v");
  assert.deepEqual(await roles(page), ["instead"]);
  assert.equal(await redness(page), 0);
  await page.keyboard.press("v");
  assert.deepEqual(await roles(page), ["behind", "visual", "visual"]);
  assert.ok((await redness(page)) > 50, "the ball is seen through what collides");
  await page.screenshot({ path: join(folder, "both.png") });
  const pressed = () => page.locator('button[data-drawn][aria-pressed="true"]').allTextContents();
  assert.deepEqual(await pressed(), ["both"]);
  await page.locator('button[data-drawn="visuals"]').click();
  assert.deepEqual(await pressed(), ["visuals"]);
  assert.deepEqual(await roles(page), ["visual", "visual"]);

  await page.keyboard.press("?");
  assert.ok((await page.locator("dialog.keys th").allTextContents()).includes("V"));
  await page.keyboard.press("Escape");
  page.check();
  await page.close();
}

async function withoutTheFiles() {
  rmSync(skin);
  rmSync(join(folder, "whole.urdf"));
  const file = join(folder, "again.html");
  execFileSync(carom, ["view", join(folder, "whole.h5"), "--out", file], { stdio: "ignore" });
  const page = await open(file);
  assert.deepEqual(await roles(page), ["visual", "visual"]);
  assert.equal(await page.getByText("skin.obj").count(), 0, "nothing is missing");
  await page.close();
}

async function missingMesh() {
  const page = await open(join(folder, "missing.html"));
  assert.deepEqual(await roles(page), ["shape", "visual"]);
  assert.equal(await page.locator("fieldset", { hasText: "gone.obj" }).locator("p.note").count(), 1);
  page.check();
  await page.close();
}

await attempt("visuals are drawn where the file puts them, and V turns to what collides", visualsFirst);
await attempt("a record draws them without the files", withoutTheFiles);
await attempt("a missing mesh is told, and its body drawn as it collides", missingMesh);
await finish();
