// Any impact of the chosen run: a list of them, and of each contact the hodograph and the impulse on its way through it.
import { choice, make } from "./dom.js";
import { short } from "./data.js";
import { turns } from "./impacts.js";
import { pathPlot, signKey } from "./path_plot.js";

export class ImpactPanel {
  /** `act(impact, contact)` is told what was selected; `contact` as Impacts.impact gives it, or null. */
  constructor(act) {
    this.act = act;
    this.body = make("div", {});
    this.element = make("section", { class: "impacts" }, make("h2", {}, "Impacts"), this.body);
    this.selected = -1;
  }

  /** Another run's impacts. */
  setImpacts(impacts, hasImpacts) {
    this.impacts = impacts;
    this.selected = -1;
    this.contact = null;
    this.impact = null;
    this.act(-1, null);
    if (impacts.count === 0) {
      const why = hasImpacts
        ? "Nothing struck in this run."
        : "Time steppers resolve impact and contact within a step, and know no impact as an instant; steppers semi-explicit, event-driven and variational do.";
      this.body.replaceChildren(make("p", { class: "note" }, why));
      return;
    }
    const texts = impacts.times.map((time, i) => `${short(time)} s · ${this.what(impacts.impact(i))}`);
    this.list = choice("Impact", ["none", ...texts], (i) => this.select(i - 1));
    this.contacts = make("span", {});
    this.details = make("div", {});
    const rest =
      impacts.leftOut > 0 ? make("p", { class: "note" }, `${impacts.leftOut} later ones are in the record.`) : "";
    this.body.replaceChildren(
      make("div", { class: "pick" }, make("label", {}, "Impact ", this.list), this.contacts),
      rest,
      this.details,
    );
    this.details.append(
      make("p", { class: "note" }, "Select an impact to see the way that a contact takes through it."),
    );
  }

  what(impact) {
    const moved = impact.contacts.filter((contact) => Math.hypot(...contact.impulse) > 0);
    const names = moved.slice(0, 2).map((contact) => contact.pair.name);
    return names.join("; ") + (moved.length > 2 ? ` and ${moved.length - 2} more` : "");
  }

  select(index, contact = 0) {
    this.selected = index;
    this.list.value = index + 1;
    if (index < 0) {
      this.impact = this.contact = null;
      this.contacts.replaceChildren();
      this.details.replaceChildren();
      this.act(-1, null);
      return;
    }
    this.impact = this.impacts.impact(index);
    // Those with an impulse first: others were only near.
    this.order = [...this.impact.contacts].sort((a, b) => size(b) - size(a));
    const picker = choice(
      "Contact",
      this.order.map((one) => one.label),
      (i) => this.show(i),
    );
    this.contacts.replaceChildren(make("label", {}, "Contact ", picker));
    this.show(contact);
  }

  show(index) {
    this.contact = this.order[index];
    const { points, traced } = this.impacts.path(this.selected, this.contact);
    this.path = { points, traced };
    const facts = [
      ["status", this.impact.status],
      ["energy change", `${short(this.impact.energyChange)} J`],
      ["intervals", this.impact.intervals ? String(this.impact.intervals) : "not recorded"],
      ["impulse", `${short(size(this.contact))} N s`],
      ["friction coefficient", this.contact.pair.surface ? coefficient(this.contact.pair.friction) : "–"],
    ];
    const note = traced
      ? "Of A relative to B, in the contact frame; every corner is the end of an interval of the law."
      : "Start and end only: the way between is recorded with law: plus and record: {traces: true} in the scene.";
    this.details.replaceChildren(
      make("dl", {}, ...facts.map(([label, value]) => make("div", {}, make("dt", {}, label), make("dd", {}, value)))),
      make("div", { class: "paths" }, ...this.plots(points, traced)),
      traced ? signKey() : "",
      make("p", { class: "note" }, note),
    );
    this.act(this.selected, this.contact);
  }

  plots(points, traced) {
    const along = (name, kind, i, j) => ({
      curves: [{ points: points.map((point) => [point[kind][i], point[kind][j]]), color: name, dashed: !traced }],
      signs: [
        { at: [points[0][kind][i], points[0][kind][j]], kind: "start" },
        ...turns(points).map(({ at, kind: what }) => ({ at: [points[at][kind][i], points[at][kind][j]], kind: what })),
        { at: [points.at(-1)[kind][i], points.at(-1)[kind][j]], kind: "end" },
      ],
    });
    const normal = {
      title: "Normal velocity over normal impulse",
      x: "normal impulse (N s)",
      y: "normal velocity (m/s)",
      curves: [{ points: points.map((p) => [p.impulse[2], p.velocity[2]]), color: "--c2", dashed: !traced }],
      signs: [
        { at: [0, points[0].velocity[2]], kind: "start" },
        ...turns(points).map(({ at, kind }) => ({ at: [points[at].impulse[2], points[at].velocity[2]], kind })),
        { at: [points.at(-1).impulse[2], points.at(-1).velocity[2]], kind: "end" },
      ],
    };
    if (!this.contact.pair.surface) return [pathPlot(normal)];
    return [
      pathPlot({
        title: "Hodograph: tangential velocity",
        x: "x (m/s)",
        y: "y (m/s)",
        equal: true,
        ...along("--c0", "velocity", 0, 1),
      }),
      pathPlot({
        title: "Tangential impulse gathered",
        x: "x (N s)",
        y: "y (N s)",
        equal: true,
        ...along("--c1", "impulse", 0, 1),
      }),
      pathPlot(this.against(points, traced)),
      pathPlot(normal),
    ];
  }

  /** Friction over the normal impulse, within the lines that its coefficient allows. */
  against(points, traced) {
    const last = points.at(-1).impulse[2];
    const friction = Math.max(...this.contact.pair.friction);
    const tangential = (point) => Math.hypot(point.impulse[0], point.impulse[1]);
    const curves = [{ points: points.map((p) => [p.impulse[2], tangential(p)]), color: "--c1", dashed: !traced }];
    if (friction > 0)
      curves.unshift({
        points: [
          [0, 0],
          [last, friction * last],
        ],
        color: "--muted",
        dashed: true,
      });
    const end = points.at(-1);
    return {
      title: "Friction over normal impulse; dashed: its limit",
      x: "normal impulse (N s)",
      y: "friction impulse (N s)",
      curves,
      signs: [
        { at: [0, 0], kind: "start" },
        ...turns(points).map(({ at, kind }) => ({ at: [points[at].impulse[2], tangential(points[at])], kind })),
        { at: [end.impulse[2], tangential(end)], kind: "end" },
      ],
    };
  }
}

const size = (contact) => Math.hypot(...contact.impulse);
const coefficient = ([x, y]) => (x === y ? short(x) : `${short(x)} along x, ${short(y)} along y`);
