// Pictures for `carom view --png` and `--mp4`. The fragment #film=ORDER, a JSON object, makes the page draw them, and
// leaves nothing of it but a line of base64 for each:
//
//   from, to, count          times of the first and the last, s, and how many
//   type, width, height      "png" or "jpeg"; pixels
//   follow                   body of the first run that the camera goes with; −1 for none
//   camera, target, azimuth, elevation, distance   as View.look has them; each may be missing
import { make } from "./dom.js";

export function film(stage) {
  const start = "#film=";
  if (!location.hash.startsWith(start)) return;
  const order = JSON.parse(decodeURIComponent(location.hash.slice(start.length)));
  const pictures = make("pre", { id: "film" });
  if (stage.view) {
    const { from, to, count } = order;
    stage.view.resize(order.width, order.height);
    stage.clock.seek(from);
    stage.view.look(order);
    for (let i = 0; i < count; i++) {
      stage.clock.seek(from + (count > 1 ? (i * (to - from)) / (count - 1) : 0));
      stage.view.render();
      pictures.append(`${picture(stage, order)}\n`);
    }
  }
  document.body.replaceChildren(pictures);
}

/** The scene and its time, as base64 of an image file. */
function picture(stage, { width, height, type }) {
  const canvas = make("canvas", { width, height });
  const context = canvas.getContext("2d");
  context.drawImage(stage.view.canvas, 0, 0, width, height);
  context.fillStyle = getComputedStyle(document.body).color;
  context.font = `${Math.round(height / 36)}px sans-serif`;
  context.fillText(stage.timeline.readout.textContent, height / 36, height - height / 36);
  return canvas.toDataURL(`image/${type}`, 0.92).split(",")[1];
}
