// The bodies of one run in the scene: instances of their surfaces, solid or as a ghost, and sticks for bodies without a
// shape. Surfaces are those that collide, and visuals of model files, which stand for some of them.
import {
  Color,
  CylinderGeometry,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  Quaternion,
  SRGBColorSpace,
  SphereGeometry,
  Vector3,
} from "three";
import { matrixOf, surfaceOf, visualSurfaceOf } from "./shapes.js";

const poseSize = 7;
const body = new Matrix4();
const product = new Matrix4();
const size = new Vector3();
const turn = new Quaternion();
const up = new Vector3(0, 0, 1);

export class Cast {
  /** `surfaces`: a map that casts of one geometry share. */
  constructor(recording, geometry, surfaces) {
    this.recording = recording;
    this.geometry = geometry;
    this.poses = new Float32Array(poseSize * recording.bodyCount);
    this.object = new Group();
    this.materials = new Map(); // by opacity
    this.material = this.materialOf(1);
    this.groups = [];
    this.reach = new Float32Array(recording.bodyCount); // of a body's shapes from its origin, m
    this.addShapes(surfaces);
    this.addSticks();
    this.setDrawn("visuals");
  }

  materialOf(opacity) {
    if (!this.materials.has(opacity)) this.materials.set(opacity, new MeshLambertMaterial({ vertexColors: true }));
    return this.materials.get(opacity);
  }

  addShapes(surfaces) {
    const parts = new Map();
    const add = (shape, surface, role, opacity, color) => {
      if (!surface) return;
      if (!surfaces.has(surface.key)) surfaces.set(surface.key, surface.make());
      const key = `${role} ${opacity} ${surface.key}`;
      if (!parts.has(key)) parts.set(key, { role, opacity, surface: surface.key, list: [] });
      parts.get(key).list.push({ body: shape.body, matrix: surface.matrix, color });
      if (shape.body < 0) return;
      const far = Math.hypot(...shape.pose.slice(0, 3)) + surface.radius;
      this.reach[shape.body] = Math.max(this.reach[shape.body], far);
    };
    for (const shape of this.geometry.shapes) {
      // Beside visuals one should see through what collides.
      if (shape.behind) add(shape, surfaceOf(shape, this.geometry), "behind", 0.35);
      add(shape, surfaceOf(shape, this.geometry), shape.behind ? "instead" : "shape", 1);
    }
    for (const visual of this.geometry.visuals) {
      const [red, green, blue, opacity] = visual.color ?? [0, 0, 0, 1];
      const color = visual.color && new Color().setRGB(red, green, blue, SRGBColorSpace);
      add(visual, visualSurfaceOf(visual, this.geometry), "visual", opacity, color);
    }
    for (const { role, opacity, surface, list } of parts.values()) {
      const mesh = new InstancedMesh(surfaces.get(surface), this.materialOf(opacity), list.length);
      mesh.frustumCulled = false;
      this.object.add(mesh);
      this.groups.push({ mesh, list, role, opacity });
    }
  }

  /** Draws "visuals", and the shapes that none stands for; the "shapes" that collide; or "both". */
  setDrawn(what) {
    const roles = { visuals: ["visual"], shapes: ["instead"], both: ["visual", "behind"] }[what];
    this.drawn = what;
    for (const { mesh, role } of this.groups) mesh.visible = role === "shape" || roles.includes(role);
  }

  /** Sticks: of bodies without a shape from their centre of mass, of rods, ropes and springs from end to end. */
  addSticks() {
    const { links, ties } = this.geometry;
    this.sticks = [
      ...links.map((link) => ({ a: link.body, b: link.body, ...link, thick: 1 })),
      ...ties.map((tie) => ({ a: tie.a, b: tie.b, from: tie.from, to: tie.to, thick: 0.4 })),
    ];
    for (const link of links) {
      const far = Math.max(Math.hypot(...link.from), Math.hypot(...link.to));
      this.reach[link.body] = Math.max(this.reach[link.body], far);
    }
    const surfaces = {
      bars: new CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2),
      knots: new SphereGeometry(1, 16, 10),
    };
    for (const [name, surface] of Object.entries(surfaces)) {
      const white = new Float32BufferAttribute(
        new Float32Array(surface.getAttribute("position").array.length).fill(1),
        3,
      );
      surface.setAttribute("color", white);
      this[name] = new InstancedMesh(surface, this.material, Math.max(1, this.sticks.length));
      this[name].frustumCulled = false;
      this[name].count = this.sticks.length;
      this.object.add(this[name]);
    }
    this.knots.count = links.length;
  }

  /** Radius of the sticks, m. */
  setStickSize(size) {
    this.stickSize = size;
  }

  /** `color(body, own)` of its bodies, `own` that of a visual; a ghost lets through what is behind it. */
  paint(color, ghost) {
    const tone = new Color();
    for (const { mesh, list, opacity } of this.groups) {
      list.forEach((part, i) => mesh.setColorAt(i, tone.copy(color(part.body, part.color))));
      mesh.instanceColor.needsUpdate = true;
      mesh.castShadow = !ghost && opacity === 1;
      mesh.receiveShadow = !ghost;
    }
    this.sticks.forEach(({ a, b }, i) => {
      tone.copy(color(Math.max(a, b)));
      this.bars.setColorAt(i, tone);
      this.knots.setColorAt(i, tone);
    });
    for (const mesh of [this.bars, this.knots]) {
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      mesh.castShadow = !ghost;
    }
    for (const [opacity, material] of this.materials) {
      material.transparent = ghost || opacity < 1;
      material.opacity = (ghost ? 0.34 : 1) * opacity;
      material.depthWrite = !material.transparent;
      material.polygonOffset = ghost; // where it is in the place of the solid run, that one is seen
      material.polygonOffsetFactor = material.polygonOffsetUnits = 2;
      material.needsUpdate = true;
    }
  }

  /** Whether shapes of the world are drawn: of several runs of one scene, once. */
  setWorldShown(shown) {
    this.worldShown = shown;
  }

  /** Moves everything to where it is at this time. */
  show(time) {
    this.recording.posesAt(time, this.poses);
    for (const { mesh, list } of this.groups) {
      list.forEach((part, i) => mesh.setMatrixAt(i, this.matrixOf(part)));
      mesh.instanceMatrix.needsUpdate = true;
    }
    this.sticks.forEach((stick, i) => this.placeStick(stick, i));
    this.bars.instanceMatrix.needsUpdate = true;
    this.knots.instanceMatrix.needsUpdate = true;
  }

  placeStick({ a, b, from, to, thick, behind }, i) {
    const start = this.inWorld(a, from, new Vector3());
    const along = this.inWorld(b, to, new Vector3()).sub(start);
    const length = along.length();
    const width = behind && this.drawn === "visuals" ? 0 : thick * this.stickSize;
    turn.setFromUnitVectors(up, length > 0 ? along.clone().divideScalar(length) : up);
    const middle = start.clone().addScaledVector(along, 0.5);
    this.bars.setMatrixAt(i, product.compose(middle, turn, size.set(width, width, width && length)));
    this.knots.setMatrixAt(i, product.compose(start, turn, size.setScalar(2.2 * width)));
  }

  matrixOf(part) {
    if (part.body < 0) return this.worldShown ? part.matrix : product.makeScale(0, 0, 0);
    matrixOf(this.poses, poseSize * part.body, undefined, body);
    return product.multiplyMatrices(body, part.matrix);
  }

  inWorld(index, local, point) {
    point.set(...local);
    return index >= 0 ? point.applyMatrix4(matrixOf(this.poses, poseSize * index, undefined, body)) : point;
  }

  /** What a ray strikes first: {distance, body}, or null. */
  bodyOn(ray) {
    const seen = this.groups.filter(({ mesh }) => mesh.visible);
    const found = seen.flatMap(({ mesh, list }) => {
      mesh.boundingSphere = null; // its instances have moved
      return ray
        .intersectObject(mesh, false)
        .map((hit) => ({ distance: hit.distance, body: list[hit.instanceId].body }));
    });
    return found.sort((a, b) => a.distance - b.distance)[0] ?? null;
  }

  /** Position of a body's origin at the time that is shown. */
  position(index) {
    return Array.from(this.poses.subarray(poseSize * index, poseSize * index + 3));
  }
}
