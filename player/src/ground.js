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
  RingGeometry,
  Vector3,
} from "three";
import { matrixOf } from "./shapes.js";

/** 1, 2 or 5 times a power of ten, the largest that is not above `size`. */
export function roundDistance(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  return [5, 2, 1].find((digit) => digit * power <= size * (1 + 1e-9)) * power;
}

/** How much is seen of the plane at a part of its radius: all in the middle, nothing at the rim. */
const fading = (part) => 1 - Math.min(Math.max((part - 0.35) / 0.65, 0), 1) ** 0.8;

/** The plane z = 0 of a pose, some way around the ball of `radius` about `center`, m. Returns {object, spacing,
 * recolor(colors)}. */
export function plane(pose, center, radius) {
  const spacing = roundDistance(radius / 2);
  const half = Math.ceil((7 * radius) / spacing) * spacing;
  const inPlane = new Vector3(...center).applyMatrix4(matrixOf(pose).invert());
  // On the lattice, so that lines stay where they are in the world.
  const x = Math.round(inPlane.x / spacing) * spacing;
  const y = Math.round(inPlane.y / spacing) * spacing;
  const seen = (points) => {
    const colors = [];
    for (let i = 0; i < points.length; i += 3)
      colors.push(1, 1, 1, fading(Math.hypot(points[i], points[i + 1]) / half));
    return new Float32BufferAttribute(colors, 4);
  };
  const points = [];
  const count = Math.round(half / spacing);
  for (let i = -count; i <= count; i++) {
    for (let j = -count; j < count; j++) {
      const [a, b, c] = [i * spacing, j * spacing, (j + 1) * spacing];
      points.push(a, b, 0, a, c, 0, b, a, 0, c, a, 0);
    }
  }
  const lines = new LineSegments(
    new BufferGeometry(),
    new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }),
  );
  lines.geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
  lines.geometry.setAttribute("color", seen(points));
  lines.renderOrder = -1;
  const disc = new RingGeometry(0, half, 64, 16);
  disc.setAttribute("color", seen(disc.getAttribute("position").array));
  const look = { side: DoubleSide, vertexColors: true, transparent: true, depthWrite: false };
  const surface = new Mesh(
    disc,
    new MeshLambertMaterial({ ...look, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }),
  );
  surface.receiveShadow = true;
  surface.renderOrder = -2;
  const object = new Group();
  for (const part of [surface, lines]) object.add(part.translateX(x).translateY(y));
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
