// The run that a report carries: JSON with series of numbers as base64 of little-endian float32.

/** Numbers as they are stored. */
export function floats(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const view = new DataView(bytes.buffer);
  const values = new Float32Array(bytes.length / 4);
  for (let i = 0; i < values.length; i++) values[i] = view.getFloat32(4 * i, true);
  return values;
}

/** Numbers of one series; NaN stands for "nothing here". */
export function decode(base64) {
  return Array.from(floats(base64));
}

/** The same for a plot: gaps are null. With `log` their decimal logarithms, and null for what has none. */
export function plottable(values, log) {
  if (!log) return values.map((value) => (Number.isFinite(value) ? value : null));
  return values.map((value) => (Number.isFinite(value) && value > 0 ? Math.log10(value) : null));
}

/** Indices of the values between gaps, which no line shows. `values`: as plottable makes them. */
export function lonely(values) {
  const gap = (i) => (values[i] ?? null) === null;
  return values.map((_, i) => i).filter((i) => !gap(i) && gap(i - 1) && gap(i + 1));
}

/** Short text of a number, as a person would write it. */
export function short(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3)
    return value.toExponential(2).replace("e+", "e").replace("-", "−").replace("e-", "e−");
  return String(Number(value.toPrecision(4))).replace("-", "−");
}

/** Index of the entry of the sorted list `times` that is nearest to `time`. */
export function nearest(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle;
    else high = middle;
  }
  return Math.abs(times[low] - time) <= Math.abs(times[high] - time) ? low : high;
}
