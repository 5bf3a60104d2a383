// A page of facts, tables and plots: the report of one run with its certificate and events, or whatever else is put side by
// side. Shows what the JSON in it holds, in this order; everything is in the page, and nothing is fetched.
import "uplot/dist/uPlot.min.css";
import "./report.css";
import { Charts } from "./charts.js";
import { decode, short } from "./data.js";

/** An element with text or children; never HTML, so that no name of a scene can be more than a name. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function head(run) {
  const facts = run.facts.map(({ label, value }) => make("div", {}, make("dt", {}, label), make("dd", {}, value)));
  return make("header", {}, make("h1", {}, run.title), make("p", { class: "lead" }, run.lead), make("dl", {}, ...facts));
}

function certificate(run) {
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

function events(run, charts) {
  const shown = run.events.slice(0, 200).map((event) => {
    const button = make("button", { type: "button" }, `${short(event.time)} s`);
    button.addEventListener("click", () => charts.plots.length && charts.point(charts.plots[0].plot, event.time));
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
    const swatch = make("span", { class: "swatch", style: `background: var(--c${body % 8})` });
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

function addChart(parent, chart, run, charts) {
  const place = make("div", { class: "plot" });
  const unit = chart.unit ? ` (${chart.unit})` : "";
  parent.append(make("figure", {}, make("figcaption", {}, chart.title + unit), place));
  const series = chart.series.map((line) => ({ ...line, color: `--${line.color}`, values: decode(line.data) }));
  const times = chart.times ? decode(chart.times) : run.times;
  charts.add(place, { ...chart, times, series }, run.whole);
  charts.plots.at(-1).bodies = chart.series.some((line) => "body" in line) && chart.series.map((line) => line.body);
}

function table({ columns, rows }) {
  const line = (tag, cells) => make("tr", {}, ...cells.map((cell) => make(tag, {}, cell)));
  return make(
    "div",
    { class: "table" },
    make("table", {}, make("thead", {}, line("th", columns)), make("tbody", {}, ...rows.map((row) => line("td", row)))),
  );
}

function sections(run, charts, main) {
  for (const section of run.sections) {
    const element = make("section", {}, make("h2", {}, section.title));
    if (section.note) element.append(make("p", { class: "note" }, section.note));
    for (const text of section.paragraphs ?? []) element.append(make("p", {}, text));
    if (section.table) element.append(table(section.table));
    main.append(element);
    if (section.key && run.bodies.length > 1) element.append(bodyKey(run, charts));
    const keyed = section.key && run.bodies.length > 1 ? " keyed" : "";
    const three = section.key || section.three;
    const grid = make("div", { class: three ? `grid three${keyed}` : section.charts.length > 1 ? "grid" : "" });
    element.append(grid);
    for (const chart of section.charts) addChart(grid, chart, run, charts);
  }
}

const run = JSON.parse(document.getElementById("run").textContent);
run.times = decode(run.times);
const first = run.times[0];
const last = run.times.at(-1);
run.whole = { min: first, max: last > first ? last : first + 1 };
const charts = new Charts(run.events ?? []);
const main = document.getElementById("page");
main.append(head(run));
if (run.verdicts) main.append(certificate(run));
if (run.events) main.append(events(run, charts));
main.append(
  make(
    "p",
    { class: "note wide" },
    "Drag over a plot to zoom all of them, double-click to see everything. With the keyboard: Tab to a plot, ← → move " +
      "the cursor, + − zoom, Escape shows everything." +
      (run.events ? " Strokes along the upper edge are events." : ""),
  ),
);
sections(run, charts, main);
if (run.scene) main.append(make("details", {}, make("summary", {}, "The scene file"), make("pre", {}, run.scene)));
main.append(make("footer", {}, run.footer));
document.documentElement.dataset.ready = String(charts.plots.length);
