// A page of facts, tables and plots, whatever is put side by side. Shows what the JSON in it holds, in this order;
// everything is in the page, and nothing is fetched.
import "uplot/dist/uPlot.min.css";
import "./report.css";
import { Charts } from "./charts.js";
import { decode } from "./data.js";
import { make } from "./dom.js";
import { head, sections, span } from "./sections.js";

const page = JSON.parse(document.getElementById("run").textContent);
page.times = decode(page.times);
page.whole = span(page.times);
const charts = new Charts();
const main = document.getElementById("page");
main.append(head(page));
if (page.sections.some((section) => section.charts?.length)) {
  main.append(
    make(
      "p",
      { class: "note wide" },
      "Drag over a plot to zoom all of them, double-click to see everything. With the keyboard: Tab to a plot, ← → move " +
        "the cursor, + − zoom, Escape shows everything.",
    ),
  );
}
sections(page, charts, main);
main.append(make("footer", {}, page.footer));
document.documentElement.dataset.ready = String(charts.plots.length);
