// Arrows and cones that come and go with the contacts of a frame, as instances of one surface each.
import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  Vector3,
} from "three";

const up = new Vector3(0, 0, 1);
const matrix = new Matrix4();
const place = new Vector3();
const along = new Vector3();
const scale = new Vector3();
const turn = new Quaternion();

/** Instances of one surface, as many as are asked for. */
class Instances {
  constructor(parent, surface, material) {
    this.parent = parent;
    this.surface = surface;
    this.material = material;
    this.grow(64);
  }
  grow(capacity) {
    if (this.mesh) {
      this.parent.remove(this.mesh);
      this.mesh.dispose();
    }
    this.mesh = new InstancedMesh(this.surface, this.material, capacity);
    this.mesh.frustumCulled = false;
    this.mesh.setColorAt(0, new Color(1, 1, 1));
    this.parent.add(this.mesh);
  }
  /** `place(i)` returns the matrix of instance i, `color(i)` its colour. */
  show(count, place, color) {
    if (count > this.mesh.instanceMatrix.count) this.grow(2 * count);
    for (let i = 0; i < count; i++) {
      this.mesh.setMatrixAt(i, place(i));
      this.mesh.setColorAt(i, color(i));
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor.needsUpdate = true;
  }
}

export class Arrows {
  constructor(parent) {
    const material = new MeshBasicMaterial();
    const shaft = new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    const head = new ConeGeometry(1, 1, 14).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    this.shafts = new Instances(parent, shaft, material);
    this.heads = new Instances(parent, head, material);
    this.count = 0;
  }

  /** list: [{from, direction (unit), length, width, color}], lengths in m. */
  show(list) {
    const drawn = list.filter((arrow) => arrow.length > 0);
    const head = (arrow) => Math.min(5 * arrow.width, 0.6 * arrow.length);
    const part = (arrow, start, length, width) => {
      along.set(...arrow.direction);
      place.set(...arrow.from).addScaledVector(along, start);
      return matrix.compose(place, turn.setFromUnitVectors(up, along), scale.set(width, width, length));
    };
    const color = (i) => drawn[i].color;
    this.shafts.show(drawn.length, (i) => part(drawn[i], 0, drawn[i].length - head(drawn[i]), drawn[i].width), color);
    this.heads.show(
      drawn.length,
      (i) => part(drawn[i], drawn[i].length - head(drawn[i]), head(drawn[i]), 0.45 * head(drawn[i])),
      color,
    );
    this.count = drawn.length;
  }
}

/** Friction cones, open upwards along z from their tip. */
export class Cones {
  constructor(parent) {
    const surface = new ConeGeometry(1, 1, 32, 1, true).translate(0, -0.5, 0).rotateX(-Math.PI / 2);
    const material = new MeshBasicMaterial({ transparent: true, opacity: 0.28, side: DoubleSide, depthWrite: false });
    this.cones = new Instances(parent, surface, material);
    this.count = 0;
  }

  /** list: [{tip, frame (quaternion w, x, y, z), friction: [x, y], height, color}]. */
  show(list) {
    this.cones.show(
      list.length,
      (i) => {
        const { tip, frame, friction, height } = list[i];
        place.set(...tip);
        turn.set(frame[1], frame[2], frame[3], frame[0]);
        return matrix.compose(place, turn, scale.set(friction[0] * height, friction[1] * height, height));
      },
      (i) => list[i].color,
    );
    this.count = list.length;
  }
}
