// A drawing in a plane as SVG: marks with labels that keep out of one another's way, lines, circles, a bar of the scale.
import { draw, make } from "./dom.js";

const width = 760;
const margin = 56; // for labels
const letter = 6.7; // width of a letter, about
const height = 15; // of a line of text

/** The smallest box that holds everything, [left, bottom, right, top]. */
export function extent({ marks, lines, circles }) {
  const points = [
    ...marks.map(({ x, y }) => [x, y]),
    ...lines.flatMap(({ points }) => points),
    ...circles.flatMap(({ x, y, radius }) => [
      [x - radius, y - radius],
      [x + radius, y + radius],
    ]),
  ];
  if (!points.length) return [-1, -1, 1, 1];
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  const size = Math.max(box[2] - box[0], box[3] - box[1]) || 1;
  // A flat drawing still gets some height, and the other way round.
  for (const axis of [0, 1]) {
    const lack = 0.3 * size - (box[axis + 2] - box[axis]);
    if (lack > 0) {
      box[axis] -= lack / 2;
      box[axis + 2] += lack / 2;
    }
  }
  return box;
}

/** A round number of about `size`: 1, 2 or 5 times a power of ten. */
export function roundNumber(size) {
  const power = 10 ** Math.floor(Math.log10(size));
  const part = size / power;
  return power * (part < 2 ? 1 : part < 5 ? 2 : 5);
}

/** Marks that fall within `reach` of one another, as [{ x, y, label, marks }]. */
export function gather(marks, reach) {
  const groups = [];
  for (const mark of marks) {
    const near = groups.find(({ x, y }) => Math.hypot(x - mark.x, y - mark.y) <= reach);
    if (near) near.marks.push(mark);
    else groups.push({ x: mark.x, y: mark.y, marks: [mark] });
  }
  for (const group of groups) {
    group.label = [...new Set(group.marks.map(({ label }) => label).filter(Boolean))].join(", ");
  }
  return groups;
}

const overlap = (a, b) =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) * Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

/** Places for labels around their points, each where it covers least of what is there. Boxes in pixels, y down. */
export function placeLabels(groups, bounds) {
  const taken = groups.map(({ x, y, faint }) => (faint ? [x, y, x, y] : [x - 10, y - 12, x + 10, y + 12]));
  const center = [(bounds[0] + bounds[2]) / 2, (bounds[1] + bounds[3]) / 2];
  const directions = [[1, 0], [-1, 0], [0, -1], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];
  return groups.map((group, own) => {
    if (!group.label) return null;
    const out = [group.x - center[0], group.y - center[1]];
    const away = Math.hypot(...out) || 1;
    const w = group.label.length * letter;
    let best = null;
    for (const far of [13, 28, 46, 66]) {
      for (const [dx, dy] of directions) {
        const slant = dx && dy ? 0.8 : 1;
        const x = group.x + dx * far * slant + (dx < 0 ? -w : dx > 0 ? 0 : -w / 2);
        const y = group.y + dy * far * slant - height / 2;
        const box = [x, y, x + w, y + height];
        const inside = overlap(box, bounds);
        const outwards = (dx * out[0] + dy * out[1]) / (away * Math.hypot(dx, dy));
        const covered = taken.reduce((sum, other, i) => sum + (i === own ? 0 : overlap(box, other)), 0);
        const cost = covered + 4 * (w * height - inside) + far - 8 * outwards;
        if (!best || cost < best.cost) best = { cost, box, far };
      }
    }
    taken.push(best.box);
    return best;
  });
}

function shape({ shape: name, color }, x, y) {
  const paint = `var(--${color})`;
  const full = { style: `fill: ${paint}; stroke: var(--paper)` };
  if (name === "ring") return draw("circle", { cx: x, cy: y, r: 5, style: `fill: none; stroke: ${paint}; stroke-width: 2` });
  if (name === "square") return draw("rect", { x: x - 6.5, y: y - 6.5, width: 13, height: 13, ...full });
  if (name === "diamond") return draw("path", { d: `M${x} ${y - 5.5}l4.5 5.5l-4.5 5.5l-4.5 -5.5z`, ...full });
  if (name === "cross") {
    return draw("path", { d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`, style: `stroke: ${paint}; stroke-width: 1.6; fill: none` });
  }
  return draw("circle", { cx: x, cy: y, r: 7, ...full });
}

function legend(kinds) {
  const entries = kinds.map((kind) =>
    make("span", {}, draw("svg", { width: 16, height: 16, "aria-hidden": "true" }, shape(kind, 8, 8)), kind.name),
  );
  return make("div", { class: "legend" }, ...entries);
}

function bar(scale, tall, unit) {
  const length = roundNumber((0.25 * width) / scale);
  const [x, y] = [14, tall - 12];
  return draw(
    "g",
    {},
    draw("path", { d: `M${x} ${y - 4}v4h${length * scale}v-4`, style: "fill: none; stroke: var(--muted)" }),
    draw("text", { x: x + 4, y: y - 7, class: "faint" }, `${Number(length.toPrecision(1))} ${unit}`),
  );
}

export function drawing(data) {
  const [left, bottom, right, top] = extent(data);
  const scale = Math.min((width - 2 * margin) / (right - left), 520 / (top - bottom));
  const side = (width - scale * (right - left)) / 2;
  const tall = scale * (top - bottom) + 2 * margin;
  const X = (x) => side + (x - left) * scale;
  const Y = (y) => tall - margin - (y - bottom) * scale;
  const svg = draw("svg", { viewBox: `0 0 ${width} ${tall}`, class: "drawing", role: "img", "aria-label": data.title });
  for (const { x, y, radius } of data.circles) {
    svg.append(draw("circle", { cx: X(x), cy: Y(y), r: radius * scale, class: "energy" }));
  }
  const ends = [];
  for (const { points, label, style } of data.lines) {
    const path = points.map(([x, y], i) => `${i ? "L" : "M"}${X(x).toFixed(2)} ${Y(y).toFixed(2)}`).join("");
    svg.append(draw("path", { d: path + (style === "area" ? "Z" : ""), class: style }));
    if (label) ends.push({ x: X(points.at(-1)[0]), y: Y(points.at(-1)[1]), label, faint: true });
  }
  const kinds = new Map(data.kinds.map((kind) => [kind.name, kind]));
  const marks = data.marks.map((mark) => ({ ...mark, x: X(mark.x), y: Y(mark.y) }));
  const groups = [...gather(marks, 5), ...ends];
  placeLabels(groups, [0, 0, width, tall]).forEach((place, i) => {
    if (!place) return;
    const { x, y, label, faint } = groups[i];
    const middle = (place.box[0] + place.box[2]) / 2;
    if (place.far > 13 && !faint) {
      svg.append(draw("line", { x1: x, y1: y, x2: middle, y2: (place.box[1] + place.box[3]) / 2, class: "leader" }));
    }
    groups[i].text = draw(
      "text",
      { x: middle, y: place.box[3] - 3.5, "text-anchor": "middle", class: faint ? "faint" : "" },
      label,
    );
  });
  for (const mark of marks) {
    const sign = shape(kinds.get(mark.kind), mark.x, mark.y);
    if (mark.label) sign.append(draw("title", {}, mark.label));
    svg.append(sign);
  }
  for (const { text } of groups) if (text) svg.append(text);
  svg.append(bar(scale, tall, data.unit));
  const used = data.kinds.filter(({ name }) => data.marks.some(({ kind }) => kind === name));
  return make("figure", {}, make("figcaption", {}, data.title), svg, legend(used));
}
