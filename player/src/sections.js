// The words, tables and plots of a page: facts, certificate, events, sections.
import { fileButtons } from "./chart_files.js";
import { decode, short } from "./data.js";
import { dashes } from "./dashes.js";
import { make } from "./dom.js";
import { drawing } from "./drawing.js";
import { shades } from "./heat.js";

export function head(run) {
  const facts = run.facts.map(({ label, value }) => make("div", {}, make("dt", {}, label), make("dd", {}, value)));
  const header = make("header", {}, make("h1", {}, run.title));
  if (run.lead) header.append(make("p", { class: "lead" }, run.lead));
  if (facts.length) header.append(make("dl", {}, ...facts));
  return header;
}

export function certificate(run) {
  const rows = run.verdicts.map((line) =>
    make(
      "tr",
      { class: line.good ? "good" : "bad" },
      make("td", { class: "mark" }, line.judged ? (line.good ? "✓ ok" : "▲ look here") : ""),
      make("td", { class: "meaning" }, line.meaning),
      make("td", { class: "value" }, line.value),
    ),
  );
  return make(
    "section",
    {},
    make("h2", {}, "Certificate"),
    make("p", { class: "note" }, run.verdict),
    make("table", {}, make("tbody", {}, ...rows)),
  );
}

/** `act(time)` is told which event was pressed. */
export function events(run, act) {
  const shown = run.events.slice(0, 200).map((event) => {
    const button = make("button", { type: "button" }, `${short(event.time)} s`);
    button.addEventListener("click", () => act(event.time));
    return make("tr", {}, make("td", {}, button), make("td", {}, event.kind), make("td", {}, event.what));
  });
  const more = run.event_count - shown.length;
  return make(
    "details",
    { class: "events" },
    make("summary", {}, `Events (${run.event_count})`),
    make("table", {}, make("tbody", {}, ...shown)),
    more > 0 ? make("p", { class: "note" }, `and ${more} more, in the record`) : "",
  );
}

/** A row of buttons that show or hide one body's curves in all plots. */
function bodyKey(run, charts) {
  const key = make("div", { class: "key", role: "group", "aria-label": "Bodies shown" });
  run.bodies.forEach((name, body) => {
    const dash = dashes[Math.floor(body / 8) % dashes.length].name;
    const swatch = make("span", { class: "swatch stroke", style: `border-top: 3px ${dash} var(--c${body % 8})` });
    const button = make("button", { type: "button", "aria-pressed": "true" }, swatch, name);
    button.addEventListener("click", () => {
      const show = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(show));
      for (const { plot, bodies } of charts.plots) {
        bodies?.forEach((of, i) => of === body && plot.setSeries(i + 1, { show }));
      }
    });
    key.append(button);
  });
  return key;
}

function figureOf(chart) {
  const unit = chart.unit ? ` (${chart.unit})` : "";
  const title = make("span", {}, chart.title + unit);
  return make("figure", {}, make("figcaption", {}, title), make("div", { class: "plot" }));
}

function addChart(figure, chart, run, charts) {
  const [caption, place] = figure.children;
  const series = chart.series.map((line) => ({ ...line, color: `--${line.color}`, values: decode(line.data) }));
  const times = chart.times ? decode(chart.times) : run.times;
  const drawn = { ...chart, times, series };
  caption.append(fileButtons(charts.add(place, drawn, run.whole), drawn, run.name ?? run.title));
  if (chart.x) return;
  charts.plots.at(-1).bodies = chart.series.some((line) => "body" in line) && chart.series.map((line) => line.body);
}

/** A column of words is set as words are, one of numbers to the right. */
function isText(column) {
  const full = column.filter((cell) => cell !== "" && cell !== "–");
  return full.length === 0 || full.some((cell) => !/^[−+-]?[\d.]/.test(cell));
}

/** The colour of a cell that is a number from 1: that of the series of this number. */
const tintOf = (cell) => (/^[1-9]\d*$/.test(cell) ? { style: `--tint: var(--c${(cell - 1) % 11})` } : {});

function table({ caption, columns, rows, tint, heat }) {
  const kinds = columns.map((_, i) => (isText(rows.map((row) => row[i])) ? "text" : "number"));
  const shade = heat && shades(rows);
  const attributes = (cell, i) => {
    if (tint) return { class: `${kinds[i]} tint`, ...tintOf(cell) };
    return shade ? { class: `${kinds[i]} heat`, ...shade(cell, i) } : { class: kinds[i] };
  };
  const line = (tag, cells) => make("tr", {}, ...cells.map((cell, i) => make(tag, attributes(cell, i), cell)));
  return make(
    "div",
    { class: "table" },
    make(
      "table",
      {},
      caption ? make("caption", {}, caption) : "",
      make("thead", {}, line("th", columns)),
      make("tbody", {}, ...rows.map((row) => line("td", row))),
    ),
  );
}

/** Sections with whatever they hold of notes, paragraphs, tables and plots, into `main`. */
export function sections(run, charts, main) {
  for (const section of run.sections) {
    const element = make(section.folded ? "details" : "section", {});
    // A folded section has no width until it is opened.
    if (section.folded) element.addEventListener("toggle", () => charts.resize());
    if (section.title) element.append(make(section.folded ? "summary" : "h2", {}, section.title));
    if (section.note) element.append(make("p", { class: "note" }, section.note));
    for (const paragraph of section.paragraphs ?? []) element.append(make("p", {}, paragraph));
    for (const one of section.drawings ?? []) element.append(drawing(one));
    for (const one of section.tables ?? []) element.append(table(one));
    main.append(element);
    const keyed = section.key && run.bodies.length > 1;
    if (keyed) element.append(bodyKey(run, charts));
    if (!section.charts?.length) continue;
    const three = section.key || section.three;
    const layout = three ? "grid three" : section.charts.length > 1 ? "grid" : "";
    const grid = make("div", { class: keyed ? `${layout} keyed` : layout });
    element.append(grid);
    // First all places, which settle how wide each is.
    grid.append(...section.charts.map(figureOf));
    const { times } = section;
    section.charts.forEach((chart, i) => addChart(grid.children[i], { times, ...chart }, run, charts));
  }
}

/** The range of time that a sorted list of times spans, never empty. */
export function span(times) {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? 0;
  return { min: first, max: last > first ? last : first + 1 };
}
