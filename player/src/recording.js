// A run as it is played: poses of its bodies and contacts at any time between its frames.
import { floats } from "./data.js";

const poseSize = 7; // x, y, z, and a quaternion w, x, y, z
const rowSize = 15; // pair, mode, position, quaternion of the frame, impulse, velocity

/** Index of the first entry of the sorted list that is at least `time`; its length if there is none. */
export function firstFrom(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The vector v turned by the unit quaternion [w, x, y, z]. */
export function turned([w, x, y, z], [a, b, c]) {
  // v + 2 w (u × v) + 2 u × (u × v), with u the quaternion's vector part
  const p = 2 * (y * c - z * b);
  const q = 2 * (z * a - x * c);
  const r = 2 * (x * b - y * a);
  return [a + w * p + y * r - z * q, b + w * q + z * p - x * r, c + w * r + x * q - y * p];
}

export class Recording {
  /** `play` as carom/record/player_data.h describes it, `bodyCount` of its geometry. */
  constructor(play, bodyCount) {
    this.times = floats(play.times);
    this.poses = floats(play.poses);
    this.bodyCount = bodyCount;
    this.pairs = play.pairs;
    this.modes = play.modes;
    this.step = play.step;
    this.events = { times: floats(play.events.times), kinds: floats(play.events.kinds), names: play.events.kind_names };
    this.contactFrames = floats(play.contacts.frames);
    this.offsets = floats(play.contacts.offsets);
    this.rows = floats(play.contacts.rows);
    const { names, mass_centre, momentum } = play.mechanisms;
    this.mechanisms = { names, centre: floats(mass_centre), momentum: floats(momentum) };
  }

  get first() {
    return this.times[0];
  }
  get last() {
    return this.times[this.times.length - 1];
  }

  /** Poses of all bodies, 7 numbers each, into `out`: of a frame exactly its own, in between straight from one to the
   * next. Before the first frame and after the last one these stand. */
  posesAt(time, out) {
    const size = poseSize * this.bodyCount;
    const after = Math.min(firstFrom(this.times, time), this.times.length - 1);
    const before = Math.max(after - 1, 0);
    const span = this.times[after] - this.times[before];
    const part = span > 0 ? Math.min(Math.max((time - this.times[before]) / span, 0), 1) : 1;
    const a = before * size;
    const b = after * size;
    if (part === 1) {
      out.set(this.poses.subarray(b, b + size));
      return out;
    }
    for (let i = 0; i < size; i += poseSize) blend(this.poses, a + i, b + i, part, out, i);
    return out;
  }

  /** The vectors of the mechanisms, `centre` or `momentum`, each [x, y, z]: of a frame its own, in between straight. */
  mechanismsAt(what, time) {
    const after = Math.min(firstFrom(this.times, time), this.times.length - 1);
    const before = Math.max(after - 1, 0);
    const span = this.times[after] - this.times[before];
    const part = span > 0 ? Math.min(Math.max((time - this.times[before]) / span, 0), 1) : 1;
    const size = 3 * this.mechanisms.names.length;
    const numbers = this.mechanisms[what];
    const value = (k) => (1 - part) * numbers[before * size + k] + part * numbers[after * size + k];
    return this.mechanisms.names.map((_, i) => [0, 1, 2].map((k) => value(3 * i + k)));
  }

  /** Where a point of a body, given in its own frame, is in every frame: 3 numbers each. */
  path(body, point) {
    const path = new Float32Array(3 * this.times.length);
    for (let frame = 0; frame < this.times.length; frame++) {
      const pose = this.poses.subarray(poseSize * (frame * this.bodyCount + body), poseSize * (frame * this.bodyCount + body + 1));
      const arm = turned(pose.subarray(3), point);
      for (let k = 0; k < 3; k++) path[3 * frame + k] = pose[k] + arm[k];
    }
    return path;
  }

  /** Contacts of the step that leads to this time, and the time of the frame that they belong to: {time, contacts},
   * each {pair, mode, position, impulse, normal, frame, local: {impulse, velocity}}, vectors in world axes but for
   * `local`. */
  contactsAt(time) {
    const frame = Math.min(firstFrom(this.times, time), this.times.length - 1);
    const k = Math.min(firstFrom(this.contactFrames, frame), this.contactFrames.length - 1);
    if (k < 0) return { time, contacts: [] };
    const contacts = [];
    for (let row = this.offsets[k]; row < this.offsets[k + 1]; row++) contacts.push(this.contact(row * rowSize));
    return { time: this.times[this.contactFrames[k]], contacts };
  }

  contact(at) {
    const part = (from, count) => Array.from(this.rows.subarray(at + from, at + from + count));
    const frame = part(5, 4);
    const impulse = part(9, 3);
    return {
      pair: this.pairs[this.rows[at]],
      mode: this.rows[at + 1],
      position: part(2, 3),
      frame,
      normal: turned(frame, [0, 0, 1]),
      impulse: turned(frame, impulse),
      local: { impulse, velocity: part(12, 3) },
    };
  }
}

/** One pose between two: positions straight, orientations by the shorter way, brought back to unit length. */
function blend(poses, a, b, part, out, at) {
  for (let k = 0; k < 3; k++) out[at + k] = poses[a + k] + part * (poses[b + k] - poses[a + k]);
  let dot = 0;
  for (let k = 3; k < 7; k++) dot += poses[a + k] * poses[b + k];
  const sign = dot < 0 ? -1 : 1;
  let norm = 0;
  for (let k = 3; k < 7; k++) {
    out[at + k] = (1 - part) * poses[a + k] + sign * part * poses[b + k];
    norm += out[at + k] ** 2;
  }
  norm = Math.sqrt(norm);
  for (let k = 3; k < 7; k++) out[at + k] /= norm;
}
