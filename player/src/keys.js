// Keys that work anywhere on the page, except where an element has its own use for them, and their list that ? shows.
import { make } from "./dom.js";

/** [{show, does, keys: {key: act}, shifted: {key: act}}]: what the list says and what a key does. */
function bindings(stage) {
  const { clock, timeline, view } = stage;
  const turn = 0.12;
  const orbit = (around, up, nearer) => () => view?.orbit(around, up, nearer);
  const near = orbit(0, 0, 1.15);
  const loop = () => {
    clock.loop = !clock.loop;
    clock.tell();
  };
  return [
    { show: "Space", does: "play and pause", keys: { " ": () => clock.toggle() } },
    {
      show: "← →",
      does: "a frame back or on",
      keys: { ArrowLeft: () => clock.step(-1), ArrowRight: () => clock.step(1) },
    },
    {
      show: "P N",
      does: "to the event or impact before, to the next one",
      keys: { p: () => timeline.jump(-1), n: () => timeline.jump(1) },
    },
    {
      show: "Home End",
      does: "to the start, to the end",
      keys: { Home: () => clock.seek(clock.range.min), End: () => clock.seek(clock.range.max) },
    },
    {
      show: "[ ]",
      does: "play slower, faster",
      keys: { "[": () => timeline.changeSpeed(-1), "]": () => timeline.changeSpeed(1) },
    },
    { show: "L", does: "begin anew at the end", keys: { l: loop } },
    {
      show: "Shift + ← → ↑ ↓",
      does: "turn the camera",
      keys: {},
      shifted: {
        ArrowLeft: orbit(-turn, 0),
        ArrowRight: orbit(turn, 0),
        ArrowUp: orbit(0, turn),
        ArrowDown: orbit(0, -turn),
      },
    },
    { show: "+ −", does: "come nearer, go away", keys: { "+": near, "-": orbit(0, 0, 1 / 1.15) }, shifted: { "+": near } },
    { show: "F", does: "see everything", keys: { f: () => view?.fit("start") } },
    ...(stage.drawn
      ? [{ show: "V", does: "draw visuals, the shapes that collide, both", keys: { v: () => stage.turnDrawn() } }]
      : []),
  ];
}

const plotKeys = [
  ["← →", "through the plot, and the scene with it; Page Up and Page Down by 20 points"],
  ["Home End", "to its start, to its end"],
  ["+ −", "zoom all plots"],
  ["Escape", "see all of the time again"],
];

/** The list as a dialogue, which ? and Escape close. */
function keyList(all) {
  const rows = (pairs) =>
    pairs.map(([show, does]) => make("tr", {}, make("th", { scope: "row" }, show), make("td", {}, does)));
  const close = make("button", { type: "button" }, "Close");
  const dialog = make(
    "dialog",
    { class: "keys", "aria-label": "Keys" },
    make(
      "table",
      {},
      make("caption", {}, "Anywhere"),
      make("tbody", {}, ...rows([...all.map(({ show, does }) => [show, does]), ["?", "show and hide this list"]])),
    ),
    make("table", {}, make("caption", {}, "In a plot (Tab goes to it)"), make("tbody", {}, ...rows(plotKeys))),
    close,
  );
  close.addEventListener("click", () => dialog.close());
  return dialog;
}

export function listenToKeys(stage) {
  const all = bindings(stage);
  const plain = Object.assign({}, ...all.map(({ keys }) => keys));
  const shifted = Object.assign({}, ...all.map((binding) => binding.shifted ?? {}));
  const list = keyList(all);
  stage.element.append(list);
  const toggle = () => (list.open ? list.close() : list.showModal());
  stage.timeline.help.addEventListener("click", toggle);
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    // Which keys make a question mark differs from keyboard to keyboard.
    const act = key === "?" ? toggle : (event.shiftKey ? shifted : plain)[key];
    if (!act || isTaken(event.target, key)) return;
    act();
    event.preventDefault();
  });
}

/** Whether an element does something of its own with a key. The line of time does not: its arrows step from frame to
 * frame. */
function isTaken(target, key) {
  if (key === "?" || !target.closest || target === document.body) return false;
  if (target.closest("select, dialog, .numbers")) return true;
  if (target.closest(".plot")) return key !== " ";
  if (target.matches("input[type=radio]")) return key === " " || key.startsWith("Arrow");
  if (target.matches("input[type=checkbox], button, summary")) return key === " ";
  return false;
}
