// What keys do anywhere on the page, but where an element has its own use for them.

export function listenToKeys(stage) {
  const { clock, timeline } = stage;
  const turn = 0.12;
  const orbit = (around, up, nearer) => () => stage.view?.orbit(around, up, nearer);
  const plain = {
    " ": () => clock.toggle(),
    ArrowLeft: () => clock.step(-1),
    ArrowRight: () => clock.step(1),
    Home: () => clock.seek(clock.range.min),
    End: () => clock.seek(clock.range.max),
    n: () => timeline.jump(1),
    p: () => timeline.jump(-1),
    l: () => {
      clock.loop = !clock.loop;
      clock.tell();
    },
    f: () => stage.view?.fit("start"),
    "[": () => timeline.changeSpeed(-1),
    "]": () => timeline.changeSpeed(1),
    "+": orbit(0, 0, 1.15),
    "-": orbit(0, 0, 1 / 1.15),
  };
  const shifted = {
    ArrowLeft: orbit(-turn, 0),
    ArrowRight: orbit(turn, 0),
    ArrowUp: orbit(0, turn),
    ArrowDown: orbit(0, -turn),
    "+": plain["+"],
  };
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (isTaken(event.target, key)) return;
    const act = (event.shiftKey ? shifted : plain)[key];
    if (!act) return;
    act();
    event.preventDefault();
  });
}

/** Whether an element does something of its own with a key. The line of time does not: its arrows step from frame to
 * frame. */
function isTaken(target, key) {
  if (!target.closest || target === document.body) return false;
  if (target.closest("select")) return true;
  if (target.closest(".plot")) return key !== " ";
  if (target.matches("input[type=radio]")) return key === " " || key.startsWith("Arrow");
  if (target.matches("input[type=checkbox], button, summary")) return key === " ";
  return false;
}
