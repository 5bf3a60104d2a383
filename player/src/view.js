// The scene in three dimensions: all runs, arrows at the contacts of the chosen one, a camera. z is up.
import {
  AmbientLight,
  Color,
  DirectionalLight,
  HemisphereLight,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Arrows, Cones } from "./arrows.js";
import { boundsOf, distanceToSee } from "./bounds.js";
import { Cast } from "./cast.js";
import { plane } from "./ground.js";
import { MotionMarks } from "./motion_marks.js";

export const views = { start: [0.5, -1, 0.42], front: [0, -1, 0], side: [1, 0, 0], top: [0, -1e-3, 1] };

export class View {
  /** `runs`: [{recording, geometry (an index), name}]. Throws where the browser draws no WebGL. `colors()` returns
   * those of the scheme in force: {paper, ground, lines, world, bodies: [...], runs: [...], modes: [...], normal},
   * each three.js' Color. */
  constructor(canvas, runs, geometries, colors) {
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.autoClear = false;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false; // a camera that turns moves no shadow
    this.colors = colors;
    this.canvas = canvas;
    this.time = 0;
    this.chosen = 0;
    this.follow = -1;
    this.shown = runs.map(() => true);
    this.scene = new Scene();
    this.overlay = new Scene(); // drawn over everything: contacts lie between bodies
    this.arrows = new Arrows(this.overlay);
    this.cones = new Cones(this.overlay);
    this.marks = new MotionMarks(this.scene, this.overlay);
    const surfaces = geometries.map(() => new Map());
    this.runs = runs;
    this.geometries = geometries;
    this.casts = runs.map((run) => new Cast(run.recording, geometries[run.geometry], surfaces[run.geometry]));
    for (const cast of this.casts) this.scene.add(cast.object);
    this.bounds = boundsOf(this.casts);
    for (const cast of this.casts) cast.setStickSize(0.009 * this.bounds.radius);
    this.addGround(geometries);
    this.addLights();
    this.addCamera();
    this.paint();
  }

  addGround(geometries) {
    const { center, radius } = this.bounds;
    this.planes = [];
    const seen = new Set();
    for (const geometry of geometries) {
      for (const { type, pose } of geometry.shapes) {
        if (type !== "half-space" || seen.has(String(pose))) continue;
        seen.add(String(pose));
        this.planes.push(plane(pose, center, radius));
      }
    }
    for (const { object } of this.planes) this.scene.add(object);
  }

  addLights() {
    const { center, radius } = this.bounds;
    const sun = new DirectionalLight(0xffffff, 2);
    sun.position.set(center[0] + 1.2 * radius, center[1] - 1.6 * radius, center[2] + 3 * radius);
    sun.target.position.set(...center);
    sun.castShadow = true;
    const camera = sun.shadow.camera;
    [camera.left, camera.right, camera.bottom, camera.top] = [-1.6, 1.6, -1.6, 1.6].map((x) => x * radius);
    [camera.near, camera.far] = [0.1 * radius, 8 * radius];
    sun.shadow.mapSize.set(2048, 2048);
    sun.shadow.normalBias = 0.01 * radius;
    const sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.1);
    sky.position.set(0, 0, 1);
    this.scene.add(sun, sun.target, sky, new AmbientLight(0xffffff, 0.5));
  }

  addCamera() {
    const { radius } = this.bounds;
    this.camera = new PerspectiveCamera(35, 1, 0.01 * radius, 200 * radius);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.maxDistance = 60 * radius;
    this.controls.addEventListener("change", () => this.ask());
    this.fit("start");
  }

  /** Looks at the whole motion from where the camera is, or from one of `views`. */
  fit(name) {
    const direction = name ? new Vector3(...views[name]) : this.camera.position.clone().sub(this.controls.target);
    this.aim(new Vector3(...this.bounds.center), direction.normalize());
    this.fitted = true;
  }

  /** Looks at `target` from a direction, from as far as it takes to see the whole motion's box about it unless
   * `distance` says otherwise, m. */
  aim(target, direction, distance) {
    const right = this.camera.up.clone().cross(direction).normalize();
    const axes = {
      right: right.toArray(),
      up: direction.clone().cross(right).toArray(),
      forward: direction.clone().negate().toArray(),
    };
    const high = Math.tan((Math.PI / 360) * this.camera.fov);
    const far = distance ?? 1.12 * distanceToSee(this.bounds.half, axes, high * this.camera.aspect, high);
    this.controls.target.copy(target);
    this.camera.position.copy(target).addScaledVector(direction, far);
    this.controls.update();
    this.ask();
  }

  /** A camera for pictures: at the place `camera`, or at `distance` m from `target` in the direction of `azimuth` about
   * z from x on and `elevation` above the horizontal, rad. A missing value is as at the start; a missing target is the
   * body that it shall `follow`, or the middle of the motion. */
  look({ camera, target, azimuth, elevation, distance, follow = -1 }) {
    const [x, y, z] = views.start;
    const around = azimuth ?? Math.atan2(y, x);
    const tilt = elevation ?? Math.atan2(z, Math.hypot(x, y));
    const center = target ?? (follow >= 0 ? this.casts[this.chosen].position(follow) : this.bounds.center);
    const aim = new Vector3(...center);
    const arm = camera
      ? new Vector3(...camera).sub(aim)
      : new Vector3(Math.cos(around) * Math.cos(tilt), Math.sin(around) * Math.cos(tilt), Math.sin(tilt));
    const far = camera ? arm.length() || undefined : distance;
    if (!(arm.length() > 0)) arm.set(...views.start);
    // The camera can't hold z up where it looks along z.
    const level = Math.hypot(arm.x, arm.y);
    if (level < 1e-4 * Math.abs(arm.z)) arm.y -= 1e-4 * Math.abs(arm.z);
    this.controls.maxDistance = Infinity;
    this.aim(aim, arm.normalize(), far);
    const away = this.camera.position.distanceTo(aim);
    this.camera.near = Math.min(this.camera.near, 0.02 * away);
    this.camera.far += 2 * away;
    this.camera.updateProjectionMatrix();
    this.follow = follow;
    this.fitted = false;
  }

  /** Turns about the target, rad, and comes nearer by a factor. */
  orbit(around, up, nearer = 1) {
    const arm = this.camera.position.clone().sub(this.controls.target);
    const height = Math.asin(arm.z / arm.length());
    const angle = Math.atan2(arm.y, arm.x) + around;
    const tilt = Math.min(Math.max(height + up, -1.55), 1.55);
    const length = arm.length() / nearer;
    arm.set(Math.cos(angle) * Math.cos(tilt), Math.sin(angle) * Math.cos(tilt), Math.sin(tilt)).multiplyScalar(length);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.ask();
  }

  /** The camera goes with a body of the chosen run; −1 for none. */
  setFollow(body) {
    this.follow = body;
    if (body >= 0) this.move(new Vector3(...this.casts[this.chosen].position(body)).sub(this.controls.target));
    this.ask();
  }
  move(by) {
    if (!Number.isFinite(by.lengthSq())) return;
    this.controls.target.add(by);
    this.camera.position.add(by);
    this.controls.update();
  }

  /** Colours of the scheme, and which runs are solid, ghosts or hidden. */
  paint() {
    const colors = this.colors();
    const several = this.casts.length > 1;
    this.scene.background = colors.paper;
    for (const { recolor } of this.planes) recolor(colors);
    this.casts.forEach((cast, i) => {
      const run = colors.runs[i % colors.runs.length];
      // Bodies are paler than arrows.
      const tone = (body) =>
        colors.world.clone().lerp(several ? run : colors.bodies[body % colors.bodies.length], several ? 0.85 : 0.62);
      // Several runs are told apart by their colours.
      const color = (body, own) => (own && !several ? own : body < 0 ? colors.world : tone(body));
      cast.paint(color, several && i !== this.chosen);
      cast.object.visible = this.shown[i];
      cast.object.renderOrder = i === this.chosen ? 0 : 1;
    });
    this.shareWorlds();
    this.show(this.time);
  }

  /** What does not move is drawn once for all runs of a scene, by the chosen one if it is among them. */
  shareWorlds() {
    const drawn = new Set();
    const order = this.casts.map((_, i) => i).sort((a, b) => Number(b === this.chosen) - Number(a === this.chosen));
    for (const i of order) {
      const world = this.runs[i].geometry;
      this.casts[i].setWorldShown(this.shown[i] && !drawn.has(world));
      if (this.shown[i]) drawn.add(world);
    }
  }

  /** "visuals", "shapes" or "both" (cast.js). */
  setDrawn(what) {
    for (const cast of this.casts) cast.setDrawn(what);
    this.show(this.time);
  }

  choose(index) {
    this.chosen = index;
    this.follow = -1;
    this.paint();
  }
  setShown(index, shown) {
    this.shown[index] = shown;
    this.paint();
  }

  show(time) {
    this.time = time;
    const before = this.follow >= 0 && new Vector3(...this.casts[this.chosen].position(this.follow));
    this.casts.forEach((cast, i) => this.shown[i] && cast.show(time));
    this.renderer.shadowMap.needsUpdate = true;
    if (before) this.move(new Vector3(...this.casts[this.chosen].position(this.follow)).sub(before));
    this.ask();
  }

  /** Arrows and cones of the contacts that are shown (contact_arrows.js). */
  showContacts({ arrows, cones }) {
    this.arrows.show(arrows);
    this.cones.show(cones);
    this.ask();
  }

  /** Trails, mass centres and momenta of the chosen run at this time (motion_marks.js); `show`: what of them. */
  showMotion(show) {
    const { recording, geometry } = this.runs[this.chosen];
    const shown = this.shown[this.chosen] ? show : {};
    this.marks.show(recording, this.geometries[geometry].bodies, this.time, this.bounds.radius, shown, this.colors());
    this.ask();
  }

  /** {run, body (−1: the world)} of what is seen at a place of the picture, parts of its width and height from the upper
   * left corner; null where nothing is. */
  bodyAt(x, y) {
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2(2 * x - 1, 1 - 2 * y), this.camera);
    let nearest = null;
    this.casts.forEach((cast, run) => {
      const hit = this.shown[run] && cast.bodyOn(ray);
      if (hit && !(nearest?.distance <= hit.distance)) nearest = { ...hit, run };
    });
    return nearest;
  }

  resize(width, height) {
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.fitted) this.fit();
    this.render();
  }

  /** Draws before the browser's next picture, once however often it is asked. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => this.asked && this.render());
  }
  render() {
    this.asked = false;
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    this.renderer.clearDepth();
    this.renderer.render(this.overlay, this.camera);
    this.onRender?.(this.camera);
  }
}

export const toColor = (text) => new Color(text);
