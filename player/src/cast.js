// The bodies of one run in the scene: instances of their surfaces, solid or as a ghost, and lines for bodies without a shape.
import {
  BufferGeometry,
  Color,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Matrix4,
  MeshLambertMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import { matrixOf, surfaceOf } from "./shapes.js";

const poseSize = 7;
const body = new Matrix4();
const product = new Matrix4();
const point = new Vector3();

export class Cast {
  /** `surfaces`: a map that casts of one geometry share. */
  constructor(recording, geometry, surfaces) {
    this.recording = recording;
    this.geometry = geometry;
    this.poses = new Float32Array(poseSize * recording.bodyCount);
    this.object = new Group();
    this.material = new MeshLambertMaterial({ vertexColors: true });
    this.groups = [];
    this.reach = new Float32Array(recording.bodyCount); // of a body's shapes from its origin, m
    this.addShapes(surfaces);
    this.addLines();
  }

  addShapes(surfaces) {
    const parts = new Map();
    for (const shape of this.geometry.shapes) {
      const surface = surfaceOf(shape, this.geometry);
      if (!surface) continue;
      if (!surfaces.has(surface.key)) surfaces.set(surface.key, surface.make());
      if (!parts.has(surface.key)) parts.set(surface.key, []);
      parts.get(surface.key).push({ body: shape.body, matrix: surface.matrix });
      if (shape.body < 0) continue;
      const far = Math.hypot(...shape.pose.slice(0, 3)) + surface.radius;
      this.reach[shape.body] = Math.max(this.reach[shape.body], far);
    }
    for (const [key, list] of parts) {
      const mesh = new InstancedMesh(surfaces.get(key), this.material, list.length);
      mesh.frustumCulled = false;
      this.object.add(mesh);
      this.groups.push({ mesh, list });
    }
  }

  /** Bodies without a shape as lines from their centre of mass; rods and ropes from end to end. */
  addLines() {
    const { links, ties } = this.geometry;
    this.segments = [
      ...links.map((link) => ({ a: link.body, b: link.body, from: link.from, to: link.to })),
      ...ties.map((tie) => ({ a: tie.a, b: tie.b, from: tie.from, to: tie.to })),
    ];
    const points = new Float32BufferAttribute(new Float32Array(6 * this.segments.length), 3);
    this.lines = new LineSegments(new BufferGeometry().setAttribute("position", points), new LineBasicMaterial());
    this.lines.frustumCulled = false;
    for (const link of links) {
      const length = Math.hypot(...link.to.map((x, k) => x - link.from[k]));
      this.reach[link.body] = Math.max(this.reach[link.body], length + Math.hypot(...link.from));
    }
    this.knots = new InstancedMesh(new SphereGeometry(1, 12, 8), new MeshLambertMaterial(), Math.max(1, links.length));
    this.knots.frustumCulled = false;
    this.knots.count = links.length;
    if (this.segments.length) this.object.add(this.lines, this.knots);
  }

  /** Radius of the dots at the centres of mass of bodies without a shape, m. */
  setKnotSize(size) {
    this.knotSize = size;
  }

  /** `color(body)` of its bodies; a ghost lets through what is behind it. */
  paint(color, ghost) {
    const tone = new Color();
    for (const { mesh, list } of this.groups) {
      list.forEach((part, i) => mesh.setColorAt(i, tone.copy(color(part.body))));
      mesh.instanceColor.needsUpdate = true;
      mesh.castShadow = !ghost;
      mesh.receiveShadow = !ghost;
    }
    const line = color(0);
    this.lines.material.color.copy(line);
    this.knots.material.color.copy(line);
    for (const material of [this.material, this.lines.material, this.knots.material]) {
      material.transparent = ghost;
      material.opacity = ghost ? 0.38 : 1;
      material.depthWrite = !ghost;
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
    if (!this.segments.length) return;
    const points = this.lines.geometry.getAttribute("position");
    this.segments.forEach(({ a, b, from, to }, i) => {
      points.setXYZ(2 * i, ...this.inWorld(a, from));
      points.setXYZ(2 * i + 1, ...this.inWorld(b, to));
    });
    points.needsUpdate = true;
    const knot = [this.knotSize, this.knotSize, this.knotSize];
    this.geometry.links.forEach((link, i) => {
      this.knots.setMatrixAt(i, matrixOf([...this.inWorld(link.body, link.from), 1, 0, 0, 0], 0, knot, product));
    });
    this.knots.instanceMatrix.needsUpdate = true;
  }

  matrixOf(part) {
    if (part.body < 0) return this.worldShown ? part.matrix : product.makeScale(0, 0, 0);
    matrixOf(this.poses, poseSize * part.body, undefined, body);
    return product.multiplyMatrices(body, part.matrix);
  }

  inWorld(index, local) {
    point.set(...local);
    if (index >= 0) point.applyMatrix4(matrixOf(this.poses, poseSize * index, undefined, body));
    return [point.x, point.y, point.z];
  }

  /** Position of a body's origin at the time that is shown. */
  position(index) {
    return Array.from(this.poses.subarray(poseSize * index, poseSize * index + 3));
  }
}
