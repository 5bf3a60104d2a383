// The impacts of a run, and the way that a contact takes through one.
import { floats } from "./data.js";
import { turned } from "./recording.js";

const impactSize = 6; // time, first and number of struck contacts, first and number of intervals, energy change
const struckSize = 17; // pair, position, quaternion of the frame, impulse, velocity before and after
const intervalSize = 5; // group, round, jammed, first and number of contacts
const contactSize = 9; // struck contact, role, motion, impulse, velocity

export class Impacts {
  /** `data` as carom/record/player_impacts.h describes it. */
  constructor(data, pairs) {
    this.pairs = pairs;
    this.roles = data.roles;
    this.motions = data.motions;
    this.statuses = data.statuses;
    this.leftOut = data.left_out;
    this.impacts = floats(data.impacts);
    this.struckRows = floats(data.struck);
    this.intervalRows = floats(data.intervals);
    this.contactRows = floats(data.interval_contacts);
    this.count = this.statuses.length;
    this.times = Array.from({ length: this.count }, (_, i) => this.impacts[i * impactSize]);
  }

  /** {time, status, energyChange, intervals, contacts: [struck]}; a struck contact has its pair, place and velocities,
   * in world axes `normal` and `impulse`, in its own frame the rest, and `label`, which tells apart contacts of one
   * pair. */
  impact(index) {
    const [time, firstStruck, struckCount, , intervals, energyChange] = this.impacts.subarray(index * impactSize);
    const contacts = Array.from({ length: struckCount }, (_, i) => this.struck(firstStruck + i));
    for (const contact of contacts) {
      const same = contacts.filter((other) => other.pair === contact.pair);
      contact.label = contact.pair.name + (same.length > 1 ? `, ${same.indexOf(contact) + 1} of ${same.length}` : "");
    }
    return { time, status: this.statuses[index], energyChange, intervals, contacts };
  }

  struck(row) {
    const at = row * struckSize;
    const part = (from, count) => Array.from(this.struckRows.subarray(at + from, at + from + count));
    const frame = part(4, 4);
    const impulse = part(8, 3);
    return {
      row,
      pair: this.pairs[this.struckRows[at]],
      position: part(1, 3),
      frame,
      normal: turned(frame, [0, 0, 1]),
      impulse: turned(frame, impulse),
      local: { impulse, before: part(11, 3), after: part(14, 3) },
    };
  }

  /** Points of a contact's way through an impact: {velocity, impulse (gathered so far), role, motion, round, jammed}, of
   * the contact frame; the first is the start. `traced` is false where only the two ends are known. */
  path(index, contact) {
    const [, , , firstInterval, intervalCount] = this.impacts.subarray(index * impactSize);
    const points = [{ velocity: contact.local.before, impulse: [0, 0, 0] }];
    for (let i = firstInterval; i < firstInterval + intervalCount; i++) {
      const [, round, jammed, firstContact, contactCount] = this.intervalRows.subarray(i * intervalSize);
      for (let row = firstContact; row < firstContact + contactCount; row++) {
        const at = row * contactSize;
        if (this.contactRows[at] !== contact.row) continue;
        const so_far = points.at(-1).impulse;
        points.push({
          velocity: Array.from(this.contactRows.subarray(at + 6, at + 9)),
          impulse: so_far.map((sum, k) => sum + this.contactRows[at + 3 + k]),
          role: this.roles[this.contactRows[at + 1]],
          motion: this.motions[this.contactRows[at + 2]],
          round,
          jammed: jammed !== 0,
        });
      }
    }
    const traced = points.length > 1;
    if (!traced) points.push({ velocity: contact.local.after, impulse: contact.local.impulse });
    return { points, traced };
  }

  /** Impacts in the half-open span of time (from, to]. */
  between(from, to) {
    const found = [];
    this.times.forEach((time, i) => time > from && time <= to && found.push(i));
    return found;
  }
}

/** Where compression turns into expansion and slip into rolling: [{at, kind}], with the index of the point where it
 * happens. */
export function turns(points) {
  const found = [];
  for (let i = 2; i < points.length; i++) {
    const [before, after] = [points[i - 1], points[i]];
    if (before.role === "compressing" && after.role === "expanding")
      found.push({ at: i - 1, kind: "expansion begins" });
    const slides = (point) => point.motion === "sliding" || point.motion === "slipping";
    if (slides(before) && after.motion === "rolling") found.push({ at: i - 1, kind: "rolling begins" });
  }
  return found;
}
