// From the contacts of an instant to the arrows that show them: how long, in what colour.

/** Lengths of arrows of a run whose scene has this radius. The largest impulse gets 0.6 of it, longest of all; `mode`
 * says how the others compare: "root" by square roots, so that what rests is seen beside what strikes, or "linear". */
export class ArrowScale {
  constructor(largest, radius, mode = "root") {
    this.largest = largest;
    this.radius = radius;
    this.mode = mode;
  }
  length(size) {
    if (!(size > 0) || !(this.largest > 0)) return 0;
    const part = Math.min(size / this.largest, 1);
    return 0.6 * this.radius * (this.mode === "root" ? Math.sqrt(part) : part);
  }
}

const norm = (vector) => Math.hypot(...vector);

/** Largest impulse of all contacts of a recording and its impacts, N s. */
export function largestImpulse(recording, impacts) {
  let largest = 0;
  for (let at = 0; at < recording.rows.length; at += 15) {
    const [x, y, z] = recording.rows.subarray(at + 9, at + 12);
    largest = Math.max(largest, Math.hypot(x, y, z));
  }
  for (let impact = 0; impact < impacts.count; impact++) {
    for (const contact of impacts.impact(impact).contacts) {
      if (contact.pair.surface) largest = Math.max(largest, norm(contact.impulse));
    }
  }
  return largest;
}

/** What a struck contact did in all, as a mode: 0 no impulse, 1 it slides on, 2 its slip ended. */
export function struckMode({ local }) {
  if (norm(local.impulse) === 0) return 0;
  const slip = Math.hypot(local.after[0], local.after[1]);
  const scale = Math.max(norm(local.before), norm(local.after));
  return slip > 1e-6 * scale ? 1 : 2;
}

/** {arrows, cones} of contacts as Recording.contactsAt and Impacts.impact give them. `show`: {impulses, normals, cones},
 * booleans. `colors`: by mode. `chosen` is drawn thicker. */
export function contactArrows(contacts, scale, show, colors, chosen) {
  const arrows = [];
  const cones = [];
  const unit = scale.radius;
  for (const contact of contacts) {
    if (!contact.pair.surface) continue;
    const mode = contact.mode ?? struckMode(contact);
    const color = colors[mode];
    const size = norm(contact.impulse);
    const length = scale.length(size);
    const width = (contact === chosen ? 1.6 : 1) * 0.011 * unit;
    if (show.normals) {
      arrows.push({
        from: contact.position,
        direction: contact.normal,
        length: 0.16 * unit,
        width: 0.004 * unit,
        color,
      });
    }
    if (show.impulses && length > 0) {
      const direction = contact.impulse.map((x) => x / size);
      arrows.push({ from: contact.position, direction, length, width: Math.min(width, 0.12 * length), color });
    }
    const friction = contact.pair.friction;
    if (show.cones && size > 0 && (friction[0] > 0 || friction[1] > 0)) {
      const along = Math.max(contact.local.impulse[2] / size, 0.3) * length;
      cones.push({
        tip: contact.position,
        frame: contact.frame,
        friction,
        height: Math.max(along, 0.12 * unit),
        color,
      });
    }
  }
  return { arrows, cones };
}
