// Surfaces of a scene's shapes, for three.js. A shape is a surface that many may share, and a matrix that brings it to
// its place and size in its body.
import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  Matrix4,
  Quaternion,
  SphereGeometry,
  Vector3,
} from "three";
import { toCreasedNormals } from "three/addons/utils/BufferGeometryUtils.js";
import { floats } from "./data.js";

/** Matrix of a pose [x, y, z, w, x, y, z] and a size along its axes. */
export function matrixOf(pose, at = 0, scale = [1, 1, 1], out = new Matrix4()) {
  return out.compose(
    position.set(pose[at], pose[at + 1], pose[at + 2]),
    orientation.set(pose[at + 4], pose[at + 5], pose[at + 6], pose[at + 3]),
    size.set(...scale),
  );
}
const position = new Vector3();
const orientation = new Quaternion();
const size = new Vector3();

/** {key, make, matrix, radius}: shapes of one key share the surface that `make` makes; `radius` of a ball about the
 * shape's origin that holds it. Null for what has no end: half-spaces are drawn by ground.js. */
export function surfaceOf(shape, geometry) {
  const placed = (key, make, scale, radius) => ({ key, make, matrix: matrixOf(shape.pose, 0, scale), radius });
  const { radius, half_length: half } = shape;
  switch (shape.type) {
    case "sphere":
      return placed("sphere", sphere, [radius, radius, radius], radius);
    case "ellipsoid":
      return placed("sphere", sphere, shape.semi_axes, Math.max(...shape.semi_axes));
    case "box":
      return placed("box", box, shape.half_extents, Math.hypot(...shape.half_extents));
    case "cylinder":
      return placed("cylinder", cylinder, [radius, radius, half], Math.hypot(radius, half));
    case "capsule":
      return placed(`capsule ${radius} ${half}`, () => capsule(radius, half), [1, 1, 1], radius + half);
    case "mesh":
    case "cone":
    case "superquadric":
    case "rounded":
    case "implicit": // Carom cuts these into meshes
      return placed(
        `mesh ${shape.mesh}`,
        () => mesh(geometry.meshes[shape.mesh]),
        [1, 1, 1],
        reach(geometry.meshes[shape.mesh]),
      );
    case "heightfield": {
      const grid = geometry.grids[shape.grid];
      return placed(`grid ${shape.grid}`, () => heights(grid), [1, 1, 1], Math.hypot(...grid.corner));
    }
    default:
      return null;
  }
}

/** The same of a visual: in one tone where it has a colour of its own, and a mesh round where its faces meet at less
 * than a sixth of a right angle. */
export function visualSurfaceOf(visual, geometry) {
  const surface = surfaceOf(visual, geometry);
  if (visual.type === "mesh") return { ...surface, key: `round ${surface.key}`, make: () => creased(surface.make()) };
  return visual.color ? { ...surface, key: `plain ${surface.key}`, make: () => plain(surface.make()) } : surface;
}

const creased = (surface) => {
  const round = toCreasedNormals(surface, Math.PI / 12);
  surface.dispose();
  return round;
};

function plain(surface) {
  surface.getAttribute("color").array.fill(light);
  return surface;
}

// Two tones, so that one sees how a round body turns.
const light = 1;
const dark = 0.72;

/** Gives every triangle of a surface the tone that `tone` gives its centre. */
function shaded(surface, tone) {
  const cut = surface.index ? surface.toNonIndexed() : surface;
  const points = cut.getAttribute("position");
  const colors = [];
  for (let i = 0; i < points.count; i += 3) {
    const mean = (axis) =>
      (points.array[3 * i + axis] + points.array[3 * i + 3 + axis] + points.array[3 * i + 6 + axis]) / 3;
    const value = tone(mean(0), mean(1), mean(2));
    for (let k = 0; k < 9; k++) colors.push(value);
  }
  cut.setAttribute("color", new Float32BufferAttribute(colors, 3));
  cut.deleteAttribute("uv");
  return cut;
}

const octants = (x, y, z) => (x * y * z > 0 ? dark : light);
const quadrants = (x, y) => (x * y > 0 ? dark : light);

// three.js turns its round surfaces about y; Carom about z.
const sphere = () => shaded(new SphereGeometry(1, 32, 16).rotateX(Math.PI / 2), octants);
const cylinder = () => shaded(new CylinderGeometry(1, 1, 2, 32).rotateX(Math.PI / 2), quadrants);
const capsule = (radius, half) => shaded(new CapsuleGeometry(radius, 2 * half, 10, 24).rotateX(Math.PI / 2), quadrants);
const box = () => shaded(new BoxGeometry(2, 2, 2), () => light);

/** Flat faces, each with its own normals. */
function faces(points, triangles) {
  const surface = new BufferGeometry();
  surface.setAttribute("position", new Float32BufferAttribute(Array.from(points), 3));
  surface.setIndex(Array.from(triangles));
  const cut = shaded(surface, () => light);
  cut.computeVertexNormals();
  return cut;
}

const mesh = ({ vertices, triangles }) => faces(floats(vertices), floats(triangles));

function reach({ vertices }) {
  const points = floats(vertices);
  let longest = 0;
  for (let i = 0; i < points.length; i += 3)
    longest = Math.max(longest, Math.hypot(points[i], points[i + 1], points[i + 2]));
  return longest;
}

/** Samples from the grid's corner on; every cell is cut from (i + 1, j) to (i, j + 1), as carom/geometry/height_grid.h
 * has it. */
function heights({ nx, ny, spacing, corner, heights }) {
  const z = floats(heights);
  const points = [];
  const triangles = [];
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const s = i + nx * j;
      points.push(corner[0] + i * spacing[0], corner[1] + j * spacing[1], z[s]);
      if (i + 1 < nx && j + 1 < ny) triangles.push(s, s + 1, s + nx, s + nx + 1, s + nx, s + 1);
    }
  }
  return faces(points, triangles);
}
