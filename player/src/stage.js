// The scene with what belongs to it: the picture, the line of time, what is shown, which runs, and the impacts.
import { ArrowScale, contactArrows, largestImpulse } from "./contact_arrows.js";
import { choice, css, draw, make, tick } from "./dom.js";
import { short } from "./data.js";
import { Timeline } from "./timeline.js";
import { toColor, View } from "./view.js";

/** Colours of the style sheet as three.js' own. */
function sceneColors() {
  const colors = (...names) => names.map((name) => toColor(css(name)));
  const palette = ["--c0", "--c1", "--c2", "--c3", "--c4", "--c5", "--c6", "--c7"];
  const [paper, ground, lines, world] = colors("--sky", "--ground", "--ground-lines", "--world");
  return {
    paper,
    ground,
    lines,
    world,
    bodies: colors(...palette),
    runs: colors(...palette),
    modes: colors("--separating", "--sliding", "--rolling", "--closed"),
    centre: toColor(css("--ink")),
    momentum: toColor(css("--momentum")),
  };
}

export class Stage {
  /** `runs`: [{name, recording, impacts, geometry}]; `act(index)` is told which run was chosen. */
  constructor(runs, geometries, clock, act) {
    this.runs = runs;
    this.geometries = geometries;
    this.clock = clock;
    this.act = act;
    this.chosen = 0;
    this.show = { impulses: true, normals: false, cones: false };
    this.motion = { trails: false, centres: false, momenta: false };
    this.lengths = "root";
    this.impact = -1;
    this.struck = null;
    this.canvas = make("canvas", {
      tabindex: "0",
      "aria-label": "The scene in three dimensions. Shift and arrow keys turn it, + and − come nearer.",
    });
    this.caption = make("div", { class: "caption" });
    this.axes = draw("svg", { viewBox: "-40 -40 80 80", class: "axes", "aria-hidden": "true" });
    this.label = make("div", { class: "label", "aria-hidden": "true", hidden: "" });
    this.frame = make("div", { class: "frame" }, this.canvas, this.axes, this.caption, this.label);
    this.canvas.addEventListener("pointermove", (event) => this.name(event));
    this.canvas.addEventListener("pointerleave", () => (this.label.hidden = true));
    this.timeline = new Timeline(clock, () => ({ events: this.run.recording.events, impacts: this.run.impacts.times }));
    this.side = make("div", { class: "side" });
    this.element = make(
      "section",
      { class: "stage", "aria-label": "The scene" },
      make("div", { class: "theatre" }, this.frame, this.timeline.element),
      this.side,
    );
    this.openView();
    this.fillSide();
    clock.onChange(() => this.update());
  }

  get run() {
    return this.runs[this.chosen];
  }

  openView() {
    try {
      this.view = new View(this.canvas, this.runs, this.geometries, sceneColors);
    } catch (error) {
      this.frame.replaceChildren(
        make(
          "p",
          { class: "note" },
          "This browser draws no WebGL, which the scene needs; the rest of the page does without.",
        ),
      );
      this.frame.classList.add("empty");
      return;
    }
    this.scales = this.runs.map(({ recording, impacts }) => largestImpulse(recording, impacts));
    this.view.onRender = (camera) => this.drawAxes(camera);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.view.paint();
      this.timeline.draw();
      this.update();
    });
  }

  /** Once the element is in the page. */
  start() {
    if (!this.view) return;
    new ResizeObserver(() => this.resize()).observe(this.frame);
    this.resize();
    this.update();
    this.view.render();
  }
  resize() {
    const { clientWidth, clientHeight } = this.frame;
    if (clientWidth > 0 && clientHeight > 0) this.view.resize(clientWidth, clientHeight);
  }

  /** Everything to the clock's time. */
  update() {
    if (!this.view) return;
    this.view.show(this.clock.time);
    this.updateContacts();
  }

  updateContacts() {
    const { recording, impacts } = this.run;
    const time = this.clock.time;
    const within = time >= recording.first && time <= recording.last;
    const drawn = within && this.view.shown[this.chosen];
    const now = drawn ? recording.contactsAt(time) : { time, contacts: [] };
    this.contacts = now.contacts;
    for (const impact of drawn ? this.impactsNow() : []) {
      const struck = impacts.impact(impact).contacts;
      const same = impact === this.impact && this.struck && struck.find((contact) => contact.row === this.struck.row);
      if (same) this.marked = same;
      this.contacts.push(...struck);
    }
    const scale = new ArrowScale(this.scales[this.chosen], this.view.bounds.radius, this.lengths);
    this.view.showMotion(this.motion);
    this.view.showContacts(contactArrows(this.contacts, scale, this.show, sceneColors().modes, this.marked));
    this.tell(now.time);
  }

  /** Impacts since the frame before; of a selected one no others, while it is its time. */
  impactsNow() {
    const { recording, impacts } = this.run;
    const time = this.clock.time;
    if (this.impact >= 0 && impacts.times[this.impact] === time) return [this.impact];
    const before = recording.times.findLast((frame) => frame < time);
    return impacts.between(before ?? -Infinity, time);
  }

  /** `contactTime`: of the frame that the contacts belong to; of very many not every frame's are on the page. */
  tell(contactTime) {
    const { planes } = this.view;
    const count = this.contacts.filter((contact) => contact.pair.surface).length;
    const parts = [`${count} contact${count === 1 ? "" : "s"}`];
    const thinned = this.run.recording.contactFrames.length < this.run.recording.times.length;
    if (thinned && count) parts[0] += ` of ${short(contactTime)} s`;
    const longest = this.scales[this.chosen];
    if (this.show.impulses && longest > 0) {
      const { recording, impacts } = this.run;
      // An impact has no force.
      const force = impacts.count ? "" : `, ${short(longest / recording.step)} N over its step`;
      parts.push(`the longest arrow is ${short(longest)} N s${force}`);
    }
    const momentum = this.motion.momenta && this.view.marks.largest;
    if (momentum > 0) parts.push(`the longest momentum is ${short(momentum)} kg m/s`);
    if (planes.length) parts.push(`lines ${short(planes[0].spacing)} m apart`);
    this.caption.textContent = parts.join(" · ");
  }

  /** The name of the body under the pointer, and of its run where there are several. */
  name(event) {
    const { clientWidth, clientHeight } = this.canvas;
    const { offsetX, offsetY } = event;
    const hit = event.buttons === 0 && this.view?.bodyAt(offsetX / clientWidth, offsetY / clientHeight);
    this.label.hidden = !hit || hit.body < 0;
    if (this.label.hidden) return;
    const run = this.runs[hit.run];
    const body = this.geometries[run.geometry].bodies[hit.body].name;
    this.label.textContent = this.runs.length > 1 ? `${body} · ${run.name}` : body;
    this.label.style.left = `${Math.min(offsetX + 14, clientWidth - this.label.offsetWidth - 6)}px`;
    this.label.style.top = `${Math.max(offsetY - 26, 4)}px`;
  }

  /** The world's axes, as the camera sees them. */
  drawAxes(camera) {
    const inverse = camera.matrixWorldInverse.elements; // columns are the world's axes
    const parts = ["x", "y", "z"].map((name, k) => ({
      name,
      x: 26 * inverse[4 * k],
      y: -26 * inverse[4 * k + 1],
      z: inverse[4 * k + 2],
    }));
    parts.sort((a, b) => a.z - b.z);
    this.axes.replaceChildren(
      ...parts.map(({ name, x, y }) =>
        draw(
          "g",
          { class: `axis-${name}` },
          draw("line", { x1: 0, y1: 0, x2: x, y2: y }),
          draw("text", { x: 1.32 * x, y: 1.32 * y + 4, "text-anchor": "middle" }, name),
        ),
      ),
    );
  }

  fillSide() {
    const { show } = this;
    const redraw = () => this.view && this.updateContacts();
    const toggles = {
      impulses: tick("impulses", show.impulses, (on) => ((show.impulses = on), redraw())),
      normals: tick("normals", show.normals, (on) => ((show.normals = on), redraw())),
      cones: tick("friction cones", show.cones, (on) => ((show.cones = on), redraw())),
    };
    this.toggles = toggles;
    const lengths = choice("Arrow lengths", ["by square root", "in proportion"], (i) => {
      this.lengths = ["root", "linear"][i];
      redraw();
    });
    const key = ["separating", "sliding", "rolling"].map((mode) =>
      make("span", { class: "mode" }, make("span", { class: "swatch", style: `background: var(--${mode})` }), mode),
    );
    this.followBox = make("div", {});
    const names = { start: "All", front: "Front", side: "Side", top: "Top" };
    const looks = Object.entries(names).map(([view, name]) => {
      const button = make(
        "button",
        { type: "button", title: view === "start" ? "See everything (F)" : `From the ${view}` },
        name,
      );
      button.addEventListener("click", () => this.view?.fit(view));
      return button;
    });
    this.side.append(
      ...(this.runs.length > 1 ? [this.runList()] : []),
      group(
        "Contacts",
        toggles.impulses.element,
        toggles.normals.element,
        toggles.cones.element,
        make("div", { class: "modes" }, ...key),
        make("label", { class: "row" }, "Lengths ", lengths),
      ),
      group("Motion", ...this.motionTicks(redraw)),
      ...this.drawnGroup(),
      group("Camera", make("div", { class: "buttons" }, ...looks), this.followBox),
    );
    this.fillFollow();
  }

  motionTicks(redraw) {
    const { motion } = this;
    const none = this.runs.every(({ recording }) => recording.mechanisms.names.length === 0);
    const mark = (label, what, note, missing) => {
      const { box, element } = tick(label, motion[what], (on) => ((motion[what] = on), redraw()));
      box.disabled = missing;
      element.title = missing ? "There are too many trees of joints to tell them apart" : note;
      return element;
    };
    return [
      mark("trails", "trails", "Where the bodies' centres of mass have been", false),
      mark("mass centre", "centres", "Of each tree of joints", none),
      mark("momentum", "momenta", "Of each tree of joints, from its mass centre", none),
    ];
  }

  /** Buttons for what bodies are drawn by, where model files have visuals, and what of these is drawn otherwise. */
  drawnGroup() {
    const has = (what) => this.geometries.some((geometry) => geometry[what].length > 0);
    const notes = [...new Set(this.geometries.flatMap((geometry) => geometry.notes))];
    const told = notes.map((note) => make("p", { class: "note" }, note));
    this.drawn = has("visuals") ? "visuals" : null;
    if (!this.drawn) return told.length ? [group("Drawn", ...told)] : [];
    const titles = {
      visuals: "As the model files draw the bodies (V)",
      shapes: "By the shapes that collide (V)",
      both: "As the files draw them, with the shapes that collide (V)",
    };
    this.drawnButtons = Object.entries(titles).map(([what, title]) => {
      const button = make("button", { type: "button", title, "data-drawn": what }, what);
      button.addEventListener("click", () => this.setDrawn(what));
      return button;
    });
    this.setDrawn(this.drawn);
    return [group("Drawn", make("div", { class: "buttons" }, ...this.drawnButtons), ...told)];
  }

  setDrawn(what) {
    this.drawn = what;
    for (const button of this.drawnButtons) button.setAttribute("aria-pressed", String(button.dataset.drawn === what));
    this.view?.setDrawn(what);
  }

  /** The next of visuals, shapes and both; nothing where there are no visuals. */
  turnDrawn() {
    const order = ["visuals", "shapes", "both"];
    if (this.drawn) this.setDrawn(order[(order.indexOf(this.drawn) + 1) % order.length]);
  }

  fillFollow() {
    const bodies = this.geometries[this.run.geometry].bodies;
    const moving = bodies.map((body, i) => ({ ...body, i })).filter((body) => body.moves);
    this.follow = choice("Follow", ["nothing", ...moving.map((body) => body.name)], (i) =>
      this.view?.setFollow(i ? moving[i - 1].i : -1),
    );
    this.followBox.replaceChildren(make("label", { class: "row" }, "Follow ", this.follow));
  }

  runList() {
    const rows = this.runs.map((run, i) => {
      const shown = make("input", { type: "checkbox", "aria-label": `Show ${run.name}` });
      shown.checked = true;
      shown.addEventListener("change", () => {
        this.view?.setShown(i, shown.checked);
        this.update();
      });
      const radio = make("input", { type: "radio", name: "run" });
      radio.checked = i === 0;
      radio.addEventListener("change", () => this.choose(i));
      const swatch = make("span", { class: "swatch", style: `background: var(--c${i % 8})` });
      return make("div", { class: "run" }, shown, make("label", {}, radio, " ", swatch, run.name));
    });
    return group(
      "Runs",
      make(
        "div",
        { class: "runs", role: "radiogroup", "aria-label": "The run whose contacts and plots are shown" },
        ...rows,
      ),
    );
  }

  /** Makes a run the one whose contacts, impacts and plots are shown. */
  choose(index) {
    this.chosen = index;
    this.clock.times = this.run.recording.times;
    this.view?.choose(index);
    this.fillFollow();
    this.timeline.draw();
    this.act(index);
    this.update();
  }

  /** A struck contact of an impact; −1 for none. Goes to its instant. */
  select(impact, struck) {
    this.impact = impact;
    this.struck = struck;
    this.marked = null;
    if (impact >= 0) {
      this.clock.playing = false;
      this.clock.seek(this.run.impacts.times[impact]);
    } else {
      this.update();
    }
  }
}

const group = (title, ...children) => make("fieldset", {}, make("legend", {}, title), ...children);
