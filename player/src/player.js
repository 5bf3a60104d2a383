// The page of one run or of several: what is put above them, the scene in three dimensions, and of the run that is
// chosen its certificate, events and plots. Everything is in the page, and nothing is fetched.
import "uplot/dist/uPlot.min.css";
import "./report.css";
import { Charts } from "./charts.js";
import { decode } from "./data.js";
import { make } from "./dom.js";
import { certificate, events, head, sections, span } from "./sections.js";

const page = JSON.parse(document.getElementById("run").textContent);
const charts = new Charts();
const main = document.getElementById("page");
const run = page.runs[0];
run.times = decode(run.times);
run.whole = span(run.times);
main.append(head(run));
sections({ sections: page.top ?? [], whole: run.whole, bodies: [] }, charts, main);
charts.events = run.events;
main.append(certificate(run), events(run, charts));
sections(run, charts, main);
main.append(make("details", {}, make("summary", {}, "The scene file"), make("pre", {}, run.scene)));
main.append(make("footer", {}, run.footer));
document.documentElement.dataset.ready = String(charts.plots.length);
