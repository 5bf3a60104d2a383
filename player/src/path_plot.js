// A small drawing of curves in the plane, for the way of a contact through an impact.
import { draw, make } from "./dom.js";
import { short } from "./data.js";

/** Round values inside [low, high], about `count` of them. */
export function ticks(low, high, count = 4) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((digit) => digit * power >= rough * (1 - 1e-9)) * power;
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) found.push(k === 0 ? 0 : k * step);
  return found;
}

/** The range of values that a drawing shows: zero and all points with some room; a square about the same centre if
 * `equal`. */
export function frameOf(points, equal) {
  const range = (k) => {
    const values = [0, ...points.map((point) => point[k]).filter(Number.isFinite)];
    return [Math.min(...values), Math.max(...values)];
  };
  const grown = ([low, high], span) => [(low + high - span) / 2, (low + high + span) / 2];
  const [x, y] = [range(0), range(1)];
  const spans = [x, y].map(([low, high]) => 1.16 * (high - low));
  const largest = Math.max(...spans) || 1;
  if (equal) return { x: grown(x, largest), y: grown(y, largest) };
  return { x: grown(x, spans[0] || largest), y: grown(y, spans[1] || largest) };
}

/** plot: {title, x, y (names of the axes), equal, curves: [{points: [[x, y]], color, dashed, name}], signs: [{at: [x,
 * y], kind}]}. */
export function pathPlot(plot) {
  const [width, height] = [300, 268];
  const area = { left: 58, right: 12, top: 12, bottom: 40 };
  const points = [...plot.curves.flatMap((curve) => curve.points), ...plot.signs.map((sign) => sign.at)];
  const frame = frameOf(points, plot.equal);
  const toX = (x) => area.left + ((x - frame.x[0]) / (frame.x[1] - frame.x[0])) * (width - area.left - area.right);
  const toY = (y) =>
    height - area.bottom - ((y - frame.y[0]) / (frame.y[1] - frame.y[0])) * (height - area.top - area.bottom);
  const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, class: "path", role: "img", "aria-label": plot.title });
  for (const x of ticks(...frame.x)) {
    svg.append(
      draw("line", {
        x1: toX(x),
        x2: toX(x),
        y1: area.top,
        y2: height - area.bottom,
        class: x === 0 ? "zero" : "grid-line",
      }),
    );
    svg.append(draw("text", { x: toX(x), y: height - area.bottom + 15, "text-anchor": "middle" }, short(x)));
  }
  for (const y of ticks(...frame.y)) {
    svg.append(
      draw("line", {
        x1: area.left,
        x2: width - area.right,
        y1: toY(y),
        y2: toY(y),
        class: y === 0 ? "zero" : "grid-line",
      }),
    );
    svg.append(draw("text", { x: area.left - 6, y: toY(y) + 4, "text-anchor": "end" }, short(y)));
  }
  svg.append(draw("text", { x: (area.left + width - area.right) / 2, y: height - 6, "text-anchor": "middle" }, plot.x));
  const middle = (area.top + height - area.bottom) / 2;
  svg.append(
    draw("text", { x: 0, y: 0, "text-anchor": "middle", transform: `translate(11 ${middle}) rotate(-90)` }, plot.y),
  );
  for (const { points, color, dashed } of plot.curves) {
    const line = points.map(([x, y]) => `${toX(x).toFixed(2)},${toY(y).toFixed(2)}`).join(" ");
    const style = `stroke: var(${color})`;
    svg.append(draw("polyline", { points: line, class: dashed ? "curve dashed" : "curve", style }));
  }
  for (const { at, kind } of plot.signs) svg.append(sign(kind, toX(at[0]), toY(at[1])));
  return make("figure", { class: "path-figure" }, make("figcaption", {}, plot.title), svg);
}

/** The signs of the paper's figures: circle start, square end, star expansion begins, triangle rolling begins. */
function sign(kind, x, y) {
  const at = { transform: `translate(${x.toFixed(2)} ${y.toFixed(2)})`, class: `sign ${kind.split(" ")[0]}` };
  const shape = {
    start: () => draw("circle", { r: 4, ...at }),
    end: () => draw("rect", { x: -4, y: -4, width: 8, height: 8, ...at }),
    "expansion begins": () => draw("path", { d: star, ...at }),
    "rolling begins": () => draw("path", { d: "M0-5.5 5 4H-5z", ...at }),
  }[kind]();
  shape.append(draw("title", {}, kind));
  return shape;
}

const star =
  Array.from({ length: 10 }, (_, i) => {
    const radius = i % 2 ? 2.6 : 6;
    const angle = (Math.PI * i) / 5;
    return `${i ? "L" : "M"}${(radius * Math.sin(angle)).toFixed(2)} ${(-radius * Math.cos(angle)).toFixed(2)}`;
  }).join("") + "z";

/** One line that says what the signs mean. */
export function signKey() {
  const entry = (kind, text) =>
    make(
      "span",
      { class: "sign-entry" },
      draw("svg", { viewBox: "-8 -8 16 16", width: 16, height: 16, "aria-hidden": "true" }, sign(kind, 0, 0)),
      text,
    );
  return make(
    "p",
    { class: "note signs" },
    entry("start", "start"),
    entry("end", "end"),
    entry("expansion begins", "expansion begins"),
    entry("rolling begins", "rolling begins"),
  );
}
