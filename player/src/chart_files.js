// The files of a plot for a reader: its numbers as a table and as CSV, itself as a picture.
import { short } from "./data.js";
import { dashes } from "./dashes.js";
import { css, make } from "./dom.js";

/** The shortest text of a number that was stored as a float32, so that reading it gives the number back; none for what
 * is not there. */
export function exact(value) {
  if (!Number.isFinite(value)) return "";
  for (let digits = 6; digits < 9; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === Math.fround(value)) return text;
  }
  return String(Number(value.toPrecision(9)));
}

const withUnit = (name, unit) => (unit ? `${name} (${unit})` : name);
const columnNames = (chart) => [
  chart.x || withUnit("time", "s"),
  ...chart.series.map((line) => withUnit(line.name, chart.unit)),
];
const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** The numbers of a chart {times, x, unit, series: [{name, values}]}, a line for each point, as RFC 4180 has it. */
export function csvOf(chart) {
  const rows = Array.from(chart.times, (time, i) => [time, ...chart.series.map((line) => line.values[i])].map(exact));
  return [columnNames(chart).map(cell), ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

/** The same to look at. */
export function tableOf(chart) {
  const line = (tag, cells) => make("tr", {}, ...cells.map((text) => make(tag, { class: "number" }, text)));
  const rows = Array.from(chart.times, (time, i) =>
    line("td", [time, ...chart.series.map((one) => one.values[i])].map(short)),
  );
  return make(
    "div",
    { class: "table numbers", tabindex: "0", role: "region", "aria-label": `Numbers of ${chart.title}` },
    make("table", {}, make("thead", {}, line("th", columnNames(chart))), make("tbody", {}, ...rows)),
  );
}

/** A name for a file: letters and digits of its parts. */
export const fileName = (parts, ending) =>
  `${parts.map((part) => part.replace(/[^\p{L}\p{N}.]+/gu, "-").replace(/^-+|-+$/g, "")).filter(Boolean).join("-")}.${ending}`;

/** Hands the reader a file; nothing leaves the page. */
function save(name, blob) {
  const address = URL.createObjectURL(blob);
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** A canvas with the plot as it is now, its title above and the curves' names below. */
export function pictureOf(plot, chart) {
  const source = plot.ctx.canvas;
  const unit = devicePixelRatio;
  const [margin, line] = [12 * unit, 20 * unit];
  const canvas = make("canvas", { width: source.width + 2 * margin });
  const context = canvas.getContext("2d");
  const font = `${13 * unit}px ${css("--font")}`;
  context.font = font;
  // Names go from left to right, in as many lines as they take.
  const places = [];
  let [x, row] = [0, 0];
  for (const series of chart.series) {
    const width = 40 * unit + context.measureText(series.name).width;
    if (x > 0 && x + width > source.width) [x, row] = [0, row + 1];
    places.push({ ...series, x: margin + x, row });
    x += width;
  }
  const top = margin + line;
  canvas.height = top + source.height + (row + 1) * line + margin;
  context.fillStyle = css("--paper");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = font;
  context.textBaseline = "middle";
  context.fillStyle = css("--ink");
  context.fillText(withUnit(chart.title, chart.unit), margin, margin + line / 2);
  context.drawImage(source, margin, top);
  context.lineWidth = 2 * unit;
  for (const place of places) {
    const y = top + source.height + (place.row + 0.5) * line;
    context.strokeStyle = css(place.color);
    context.setLineDash(dashes[place.dash ?? 0].pattern.map((length) => length * unit));
    context.beginPath();
    context.moveTo(place.x, y);
    context.lineTo(place.x + 22 * unit, y);
    context.stroke();
    context.fillText(place.name, place.x + 28 * unit, y);
  }
  return canvas;
}

/** Buttons for the table, CSV and PNG of a plot. `name`: of the run, for the files. */
export function fileButtons(plot, chart, name) {
  const button = (text, label, act) => {
    const element = make("button", { type: "button", "aria-label": `${label} of ${chart.title}` }, text);
    element.addEventListener("click", act);
    return element;
  };
  let numbers = null;
  const table = button("Table", "Table", () => {
    if (numbers) {
      numbers.remove();
      numbers = null;
    } else {
      numbers = tableOf(chart);
      plot.root.closest("figure").append(numbers);
    }
    table.setAttribute("aria-expanded", String(numbers !== null));
  });
  table.setAttribute("aria-expanded", "false");
  return make(
    "span",
    { class: "files" },
    table,
    button("CSV", "CSV file", () =>
      save(fileName([name, chart.title], "csv"), new Blob([csvOf(chart)], { type: "text/csv" })),
    ),
    button("PNG", "Picture", () =>
      pictureOf(plot, chart).toBlob((blob) => save(fileName([name, chart.title], "png"), blob)),
    ),
  );
}
