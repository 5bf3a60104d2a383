// Plots over time that share their cursor and their zoom.
import uPlot from "uplot";
import { lonely, nearest, plottable, short } from "./data.js";
import { dashes } from "./dashes.js";
import { css, make } from "./dom.js";

const whole_decades = [1, 2, 3, 4, 5, 10, 20, 50, 100]; // between marks of a logarithmic axis

const font = () => `12px ${css("--font")}`;

export class Charts {
  constructor() {
    this.events = []; // marked along the upper edge
    this.owner = null; // of the plots that are added
    this.onPick = () => {}; // told the time of a click, or of a move with the keyboard
    this.plots = [];
    this.alone = []; // those that do not run over time
    this.sync = uPlot.sync("time");
    this.zooming = false;
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
    addEventListener("resize", () => this.resize());
  }

  /** Takes away all plots but those of no run. */
  clear() {
    for (const { plot, owner } of this.plots) {
      if (owner === null) continue;
      this.sync.unsub(plot);
      plot.destroy();
    }
    this.plots = this.plots.filter(({ owner }) => owner === null);
  }

  /** A line at this time in all plots; with `values` the key below tells what the curves are there. */
  showTime(time, values) {
    for (const { plot, now } of this.plots) {
      const left = plot.valToPos(time, "x");
      // The plot's own width: asking the element for it would lay out the page once for every plot.
      now.hidden = !(left >= 0 && left <= plot.bbox.width / devicePixelRatio);
      now.style.transform = `translateX(${left}px)`;
      if (values && plot.cursor.left < 0) plot.setLegend({ idx: nearest(plot.data[0], time) }, false);
    }
    this.time = time;
  }

  redraw() {
    for (const { plot } of [...this.plots, ...this.alone]) plot.redraw(false);
  }

  resize() {
    for (const { plot, place, height } of [...this.plots, ...this.alone]) plot.setSize({ width: place.clientWidth, height });
    if (this.time !== undefined) this.showTime(this.time, true);
  }

  /** The same range of time in every plot; null for all of it. */
  zoom(range) {
    if (this.zooming) return;
    this.zooming = true;
    for (const { plot, whole } of this.plots) plot.setScale("x", range ?? whole);
    this.zooming = false;
    if (this.time !== undefined) this.showTime(this.time, false);
  }

  /** Moves the cursor of all plots to one time. */
  point(plot, time) {
    const left = plot.valToPos(time, "x");
    plot.setCursor({ left, top: plot.bbox.height / devicePixelRatio / 2 }, true, true);
  }

  /** Adds a plot to `place`. chart: {title, unit, times, log, points, x, xLog, joined,
   * series: [{name, color, dash, values}]}.
   *
   * With `x`, a text, the curves run over what it says and not over time: the plot has cursor and zoom of its own.
   * A value between two gaps is drawn as a point. With `joined` every value is, and lines join them across gaps.
   *
   * A logarithmic plot is a plain plot of logarithms: uPlot's own gives up below 1e-16, where residuals live. */
  add(place, chart, span) {
    const height = chart.height ?? (chart.x ? 210 : 190);
    const across = chart.xLog ? plottable(chart.times, true) : chart.times;
    const whole = chart.xLog ? ends(decades(across[0], across.at(-1))) : chart.x ? ends([across[0], across.at(-1)]) : span;
    const at = (value) => (chart.x ? short(chart.xLog ? 10 ** value : value) : `${short(value)} s`);
    const axis = (extra) => ({
      stroke: () => css("--muted"),
      font: font(),
      grid: { stroke: () => css("--grid"), width: 1 },
      ticks: { show: false },
      ...extra,
    });
    const values = chart.series.map((line) => plottable(line.values, chart.log));
    const dots = (color, more) => ({ show: true, size: 5, fill: () => css(color), stroke: () => css(color), width: 0, ...more });
    const alone = values.map(lonely);
    const series = chart.series.map((line, i) => ({
      label: line.name,
      stroke: () => css(line.color),
      width: 1.5,
      dash: dashes[line.dash ?? 0].pattern,
      spanGaps: chart.joined ?? false,
      paths: chart.points ? () => null : undefined,
      points: chart.points || chart.joined
        ? dots(line.color)
        : alone[i].length > 0
          ? dots(line.color, { filter: () => alone[i] })
          : { show: false },
      value: (_, value) => short(chart.log && value !== null ? 10 ** value : value),
    }));
    const options = {
      width: place.clientWidth,
      height,
      padding: [10, 22, 0, 0],
      pxAlign: 0,
      scales: {
        x: { time: false, min: whole.min, max: whole.max },
        y: { range: (_, min, max) => (chart.log ? decades(min, max) : room(min, max)) },
      },
      axes: [
        axis({
          size: 28,
          incrs: chart.xLog ? whole_decades : undefined,
          values: (_, ticks) => ticks.map(chart.xLog ? power : at),
          ...(chart.x ? { label: chart.x, labelSize: 18, labelFont: font() } : {}),
        }),
        axis({
          size: 64,
          incrs: chart.log ? whole_decades : undefined,
          values: (_, ticks) => ticks.map(chart.log ? power : short),
        }),
      ],
      series: [{ label: chart.x || "time", value: (_, value) => (value === null ? "–" : at(value)) }, ...series],
      cursor: {
        ...(chart.x ? {} : { sync: { key: "time", scales: ["x", null] } }),
        drag: { x: true, y: false },
        points: { size: 6 },
      },
      legend: {
        live: true,
        markers: {
          width: 3,
          stroke: (_, i) => `var(${chart.series[i - 1].color})`,
          dash: (_, i) => dashes[chart.series[i - 1].dash ?? 0].name,
        },
      },
      hooks: chart.x
        ? {}
        : {
            draw: [(plot) => this.drawEvents(plot)],
            setScale: [(plot, key) => key === "x" && this.zoom({ min: plot.scales.x.min, max: plot.scales.x.max })],
          },
    };
    const data = [across, ...values];
    this.zooming = true; // the plot sets its own scale while it is made
    const plot = new uPlot(options, data, place);
    this.zooming = false;
    if (chart.x) return this.addAlone(plot, place, height, chart);
    this.sync.sub(plot);
    const now = make("div", { class: "now" });
    now.hidden = true;
    plot.over.append(now);
    this.plots.push({ plot, place, height, whole, now, owner: this.owner });
    this.listen(plot, place, chart);
    return plot;
  }

  /** A plot that does not follow time. */
  addAlone(plot, place, height, chart) {
    place.tabIndex = 0;
    place.setAttribute("role", "figure");
    place.setAttribute("aria-label", `${chart.title}, ${chart.series.map((line) => line.name).join(", ")}, over ${chart.x}`);
    this.alone.push({ plot, place, height, owner: this.owner });
    return plot;
  }

  listen(plot, place, chart) {
    place.tabIndex = 0;
    place.setAttribute("role", "figure");
    place.setAttribute("aria-label", `${chart.title}, ${chart.series.map((line) => line.name).join(", ")}, over time`);
    plot.over.addEventListener("dblclick", () => this.zoom(null));
    let pressed = 0;
    plot.over.addEventListener("mousedown", (event) => (pressed = event.clientX));
    plot.over.addEventListener("click", (event) => {
      // If the pointer moved, this was a zoom.
      if (Math.abs(event.clientX - pressed) < 3)
        this.onPick(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, "x"));
    });
    place.addEventListener("keydown", (event) => {
      const times = chart.times;
      const at = plot.cursor.idx ?? nearest(times, plot.scales.x.min);
      const move = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20, Home: -Infinity, End: Infinity }[
        event.key
      ];
      if (move !== undefined) {
        const time = times[Math.max(0, Math.min(times.length - 1, at + move))];
        this.point(plot, time);
        this.onPick(time);
      } else if (event.key === "+" || event.key === "-") {
        const { min, max } = plot.scales.x;
        const middle = times[at];
        const half = ((max - min) / 2) * (event.key === "+" ? 0.5 : 2);
        const all = this.plots[0].whole;
        this.zoom({ min: Math.max(all.min, middle - half), max: Math.min(all.max, middle + half) });
      } else if (event.key === "Escape") {
        this.zoom(null);
      } else {
        return;
      }
      event.preventDefault();
    });
  }

  /** Short strokes along the upper edge, one per event. */
  drawEvents(plot) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    for (const { time } of this.events) {
      const x = plot.valToPos(time, "x", true);
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + 6 * devicePixelRatio);
    }
    ctx.strokeStyle = css("--event");
    ctx.lineWidth = devicePixelRatio;
    ctx.stroke();
    ctx.restore();
  }
}

/** A range with a little room around the data, and around zero where all of it is one number. */
function room(min, max) {
  if (min === null || max === null) return [-1, 1];
  const span = max - min || Math.abs(max) || 1;
  return [min - 0.06 * span, max + 0.06 * span];
}

const ends = ([min, max]) => ({ min, max });

/** Whole decades around logarithms of data. */
function decades(min, max) {
  if (!Number.isFinite(min) || !Number.isFinite(max)) return [-1, 1];
  const low = Math.floor(min);
  return [low, Math.max(Math.ceil(max), low + 1)];
}

/** 10 to a whole power, as text. */
function power(exponent) {
  return "10" + String(exponent).replace(/./g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit] ?? "⁻");
}
