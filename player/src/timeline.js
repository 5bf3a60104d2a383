// The line of time with its marks, and the buttons that move along it.
import { css, icon, make } from "./dom.js";
import { short } from "./data.js";
import { speeds } from "./clock.js";

const icons = {
  start: "M3 3h2v10H3zM14 3v10L6 8z",
  back: "M11 3v10L4 8zM12 3h2v10h-2z",
  play: "M4 2.5v11L13.5 8z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M2 3h2v10H2zM5 3v10l7-5z",
  end: "M11 3h2v10h-2zM2 3v10l8-5z",
  before: "M7.5 2 2 8l5.5 6V9.5H14v-3H7.5z",
  after: "M8.5 2 14 8l-5.5 6V9.5H2v-3h6.5z",
};

export class Timeline {
  /** `marks()`: {events: {times, kinds, names}, impacts: [time]} of the chosen run. */
  constructor(clock, marks) {
    this.clock = clock;
    this.marks = marks;
    this.strip = make("canvas", { class: "marks", "aria-hidden": "true" });
    this.slider = make("input", {
      type: "range",
      min: clock.range.min,
      max: clock.range.max,
      step: "any",
      value: clock.time,
      "aria-label": "Time",
    });
    this.slider.addEventListener("input", () => {
      clock.playing = false;
      clock.seek(Number(this.slider.value));
    });
    this.readout = make("output", { class: "time", "aria-live": "off" });
    this.element = make(
      "div",
      { class: "timeline" },
      make("div", { class: "line" }, this.strip, this.slider),
      make("div", { class: "controls" }, this.buttons(), this.readout, this.options()),
    );
    clock.onChange(() => this.show());
    new ResizeObserver(() => this.draw()).observe(this.strip);
    this.show();
  }

  button(name, label, act) {
    const button = make(
      "button",
      { type: "button", class: "tool", title: label, "aria-label": label },
      icon(icons[name]),
    );
    button.addEventListener("click", act);
    return button;
  }

  buttons() {
    const { clock } = this;
    this.play = this.button("play", "Play (space)", () => clock.toggle());
    return make(
      "div",
      { class: "buttons", role: "group", "aria-label": "Playing" },
      this.button("start", "To the start (Home)", () => clock.seek(clock.range.min)),
      this.button("before", "Event before (P)", () => this.jump(-1)),
      this.button("back", "Frame back (←)", () => clock.step(-1)),
      this.play,
      this.button("forward", "Frame on (→)", () => clock.step(1)),
      this.button("after", "Next event (N)", () => this.jump(1)),
      this.button("end", "To the end (End)", () => clock.seek(clock.range.max)),
    );
  }

  options() {
    const { clock } = this;
    const speed = make("select", { "aria-label": "Speed", title: "Speed ([ and ])" });
    for (const value of speeds) speed.append(make("option", { value }, `${value} ×`));
    speed.addEventListener("change", () => this.setSpeed(Number(speed.value)));
    this.speed = speed;
    const loop = make("input", { type: "checkbox" });
    loop.addEventListener("change", () => {
      clock.loop = loop.checked;
      clock.tell();
    });
    this.loop = loop;
    this.help = make("button", { type: "button", title: "Keys (?)", "aria-label": "Keys" }, "?");
    return make(
      "div",
      { class: "options" },
      make("label", {}, "Speed ", speed),
      make("label", {}, loop, " Loop"),
      this.help,
    );
  }

  setSpeed(value) {
    this.clock.speed = value;
    this.clock.tell();
  }
  /** A speed up or down in the list. */
  changeSpeed(by) {
    const at = speeds.indexOf(this.clock.speed) + by;
    if (speeds[at]) this.setSpeed(speeds[at]);
  }

  jump(direction) {
    const { events, impacts } = this.marks();
    this.clock.jump(Float64Array.from([...events.times, ...impacts]).sort(), direction);
  }

  show() {
    const { clock } = this;
    this.slider.value = clock.time;
    this.slider.setAttribute("aria-valuetext", `${short(clock.time)} seconds`);
    this.readout.textContent = `${clock.time.toFixed(this.digits())} s`;
    this.speed.value = clock.speed;
    this.loop.checked = clock.loop;
    if (this.wasPlaying === clock.playing) return;
    this.wasPlaying = clock.playing;
    const label = clock.playing ? "Pause (space)" : "Play (space)";
    this.play.replaceChildren(icon(icons[clock.playing ? "pause" : "play"]));
    this.play.setAttribute("aria-label", label);
    this.play.title = label;
  }

  /** As many as tell a thousandth of the run. */
  digits() {
    const { min, max } = this.clock.range;
    return Math.min(Math.max(Math.ceil(-Math.log10((max - min) / 2000)), 0), 9);
  }

  /** Strokes: events short, impacts long. They stand where the slider's knob is at their time. */
  draw() {
    const { strip } = this;
    const ratio = devicePixelRatio;
    strip.width = Math.max(1, Math.round(strip.clientWidth * ratio));
    strip.height = Math.max(1, Math.round(strip.clientHeight * ratio));
    const context = strip.getContext("2d");
    const { min, max } = this.clock.range;
    const knob = 16 * ratio;
    const place = (time) => knob / 2 + ((strip.width - knob) * (time - min)) / (max - min);
    const stroke = (times, color, from) => {
      context.beginPath();
      for (const time of times) {
        context.moveTo(place(time), from * strip.height);
        context.lineTo(place(time), strip.height);
      }
      context.strokeStyle = color;
      context.lineWidth = ratio;
      context.stroke();
    };
    const { events, impacts } = this.marks();
    stroke(events.times, css("--event"), 0.5);
    stroke(impacts, css("--impact"), 0);
  }
}
