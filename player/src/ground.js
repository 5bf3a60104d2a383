// Half-spaces: a plane with lines at round distances, about where the scene is.
import {
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  PlaneGeometry,
  Vector3,
} from "three";
import { matrixOf } from "./shapes.js";

/** 1, 2 or 5 times a power of ten, the largest that is not above `size`. */
export function roundDistance(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return [5, 2, 1].find((digit) => digit * power <= size * (1 + 1e-9)) * power;
}

/** The plane z = 0 of a pose, some way around the ball of `radius` about `center`, m. Returns {object, spacing, recolor(colors)}. */
export function plane(pose, center, radius) {
  const spacing = roundDistance(radius / 2);
  const half = Math.ceil((4 * radius) / spacing) * spacing;
  const inPlane = new Vector3(...center).applyMatrix4(matrixOf(pose).invert());
  // On the lattice, so that lines stay where they are in the world.
  const x = Math.round(inPlane.x / spacing) * spacing;
  const y = Math.round(inPlane.y / spacing) * spacing;
  const points = [];
  for (let s = -half; s <= half + spacing / 2; s += spacing) {
    points.push(x - half, y + s, 0, x + half, y + s, 0, x + s, y - half, 0, x + s, y + half, 0);
  }
  const lines = new LineSegments(
    new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3)),
    new LineBasicMaterial(),
  );
  const surface = new Mesh(
    new PlaneGeometry(2 * half, 2 * half).translate(x, y, 0),
    new MeshLambertMaterial({ side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
  );
  surface.receiveShadow = true;
  const object = new Group();
  object.add(surface, lines);
  object.applyMatrix4(matrixOf(pose));
  return {
    object,
    spacing,
    recolor(colors) {
      surface.material.color.copy(colors.ground);
      lines.material.color.copy(colors.lines);
    },
  };
}
