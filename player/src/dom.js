/** An element with text or children; never HTML, so that no name of a scene can be more than a name. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The value of a colour or font of the style sheet, in the scheme in force. */
export const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** An element of a drawing. */
export function draw(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A small sign of one path, in the text's colour. */
export function icon(path) {
  return draw(
    "svg",
    { viewBox: "0 0 16 16", width: 14, height: 14, "aria-hidden": "true" },
    draw("path", { d: path, fill: "currentColor" }),
  );
}

/** A choice among texts; `act` is told the index. */
export function choice(label, texts, act) {
  const select = make("select", { "aria-label": label });
  texts.forEach((text, i) => select.append(make("option", { value: i }, text)));
  select.addEventListener("change", () => act(Number(select.value)));
  return select;
}

/** A box to tick; `act` is told whether it is. */
export function tick(label, checked, act) {
  const box = make("input", { type: "checkbox" });
  box.checked = checked;
  box.addEventListener("change", () => act(box.checked));
  return { box, element: make("label", { class: "tick" }, box, " ", label) };
}
