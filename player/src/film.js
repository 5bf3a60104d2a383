// Pictures for `carom view --png` and `--mp4`. The fragment #film=FROM,TO,COUNT,WIDTH,HEIGHT,TYPE makes the page draw
// so many pictures from one time to the other, and leaves nothing of itself but a line of base64 for each.
import { make } from "./dom.js";

export function film(stage) {
  const order = location.hash.match(/^#film=([^&]+)$/);
  if (!order) return;
  const [from, to, count, width, height, type] = decodeURIComponent(order[1]).split(",");
  const pictures = make("pre", { id: "film" });
  if (stage.view) {
    stage.view.resize(Number(width), Number(height));
    const n = Number(count);
    for (let i = 0; i < n; i++) {
      stage.clock.seek(Number(from) + (n > 1 ? (i * (Number(to) - Number(from))) / (n - 1) : 0));
      stage.view.render();
      pictures.append(`${picture(stage, Number(width), Number(height), type)}\n`);
    }
  }
  document.body.replaceChildren(pictures);
}

/** The scene and its time, as base64 of an image file. */
function picture(stage, width, height, type) {
  const canvas = make("canvas", { width, height });
  const context = canvas.getContext("2d");
  context.drawImage(stage.view.canvas, 0, 0, width, height);
  context.fillStyle = getComputedStyle(document.body).color;
  context.font = `${Math.round(height / 36)}px sans-serif`;
  context.fillText(stage.timeline.readout.textContent, height / 36, height - height / 36);
  return canvas.toDataURL(`image/${type}`, 0.92).split(",")[1];
}
