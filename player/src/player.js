// The page of one run or of several: sections above, the scene in three dimensions, sections below. The chosen run has
// its impacts, certificate, events and plots. Everything is in the page, and nothing is fetched.
import "uplot/dist/uPlot.min.css";
import "./report.css";
import "./player.css";
import { Charts } from "./charts.js";
import { Clock } from "./clock.js";
import { decode } from "./data.js";
import { make } from "./dom.js";
import { film } from "./film.js";
import { ImpactPanel } from "./impact_panel.js";
import { Impacts } from "./impacts.js";
import { listenToKeys } from "./keys.js";
import { Recording } from "./recording.js";
import { certificate, events, head, sections } from "./sections.js";
import { Stage } from "./stage.js";

const page = JSON.parse(document.getElementById("run").textContent);
const runs = page.runs.map((run) => {
  const recording = new Recording(run.play, page.geometries[run.geometry].bodies.length);
  return { ...run, recording, impacts: new Impacts(run.play.impacts, recording.pairs) };
});
const first = Math.min(...runs.map(({ recording }) => recording.first));
const last = Math.max(...runs.map(({ recording }) => recording.last));
const whole = { min: first, max: last > first ? last : first + 1 };
const clock = new Clock(whole, runs[0].recording.times);
const main = document.getElementById("page");
const charts = new Charts();
charts.onPick = (time) => clock.seek(time);

/** What belongs to one run, made anew when another is chosen. */
function showRun(index, place) {
  const run = runs[index];
  charts.clear();
  place.replaceChildren();
  charts.events = run.events;
  charts.owner = index;
  const drawn = { ...run, times: decode(run.times), whole };
  if (runs.length > 1) place.append(make("h2", { class: "run-name" }, run.name));
  place.append(
    make(
      "dl",
      {},
      ...run.facts.map(({ label, value }) => make("div", {}, make("dt", {}, label), make("dd", {}, value))),
    ),
    certificate(run),
    events(run, (time) => clock.seek(time)),
    make("p", { class: "note wide" }, howPlotsWork),
  );
  sections(drawn, charts, place);
  if (run.scene) place.append(make("details", {}, make("summary", {}, "The scene file"), make("pre", {}, run.scene)));
  place.append(make("footer", {}, run.footer));
  charts.showTime(clock.time, true);
}

const howPlotsWork =
  "Click on a plot to go to that time. Drag over it to zoom all of them, double-click to see everything. With the keyboard: " +
  "Tab to a plot, ← → move through it, + − zoom, Escape shows everything; ? lists all keys. Strokes along the upper edge " +
  "are events. Table, CSV and PNG have a plot's numbers, of a long run the points that it draws.";

main.append(head({ title: page.title, lead: runs.length === 1 ? runs[0].lead : "", facts: [] }));
charts.owner = null;
sections({ sections: page.above ?? [], whole, bodies: [] }, charts, main);
const below = make("div", {});
const place = make("div", {});
const panel = new ImpactPanel((impact, contact) => stage.select(impact, contact));
const stage = new Stage(runs, page.geometries, clock, (index) => {
  panel.setImpacts(runs[index].impacts, runs[index].has_impacts);
  showRun(index, place);
});
main.append(stage.element, panel.element, below, place);
sections({ sections: page.below ?? [], whole, bodies: [] }, charts, below);
showRun(0, place);
panel.setImpacts(runs[0].impacts, runs[0].has_impacts);
stage.start();
clock.onChange(() => charts.showTime(clock.time, !clock.playing));
listenToKeys(stage);

// Who wants less motion sees stills, two a second.
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let shown = 0;
function tick(now) {
  const still = calm.matches ? 0.5 : 0;
  const passed = (now - shown) / 1000;
  if (passed >= still) {
    clock.advance(Math.min(passed, still + 0.1));
    shown = now;
  }
  if (clock.playing) requestAnimationFrame(tick);
  else shown = 0;
}
clock.onChange(() => {
  if (!clock.playing || shown) return;
  shown = performance.now();
  requestAnimationFrame(tick);
});

window.player = { clock, stage, panel, runs, charts };
film(stage);
document.documentElement.dataset.ready = String(charts.plots.length);
window.ready = true;
