// The place of a scene: the ball that a camera should see.

/** {center, radius, half: [x, y, z] of a box} about the bodies of all casts in up to 200 of their frames. What flies
 * far off is left out: nothing counts that is more than ten times as far away as bodies are at the start. */
export function boundsOf(casts) {
  const box = () => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });
  const include = ({ low, high }, point, reach) => {
    point.forEach((x, k) => {
      if (!Number.isFinite(x)) return;
      low[k] = Math.min(low[k], x - reach);
      high[k] = Math.max(high[k], x + reach);
    });
  };
  const ballOf = ({ low, high }) => {
    if (!Number.isFinite(low[0] + low[1] + low[2])) return { center: [0, 0, 0], radius: 1, half: [0.6, 0.6, 0.6] };
    const half = high.map((x, k) => 0.5 * (x - low[k]));
    return { center: low.map((x, k) => 0.5 * (x + high[k])), radius: Math.hypot(...half) || 1, half };
  };
  const start = box();
  for (const { recording, reach } of casts) eachPose(recording, 0, (body, point) => include(start, point, reach[body]));
  const first = ballOf(start);
  const whole = box();
  for (const { recording, reach } of casts) {
    const frames = recording.times.length;
    const stride = Math.max(1, Math.floor(frames / 200));
    for (let frame = 0; frame < frames; frame += stride) {
      eachPose(recording, frame, (body, point) => {
        const far = Math.hypot(...point.map((x, k) => x - first.center[k]));
        if (far <= 10 * first.radius) include(whole, point, reach[body]);
      });
    }
  }
  return ballOf(whole);
}

function eachPose({ poses, bodyCount }, frame, visit) {
  for (let body = 0; body < bodyCount; body++) {
    const at = 7 * (frame * bodyCount + body);
    visit(body, [poses[at], poses[at + 1], poses[at + 2]]);
  }
}

/** How far from its centre a camera must be that looks along `forward` to see a whole box, m. `right`, `up`, `forward`:
 * the camera's axes; `wide`, `high`: tangents of its half angles. */
export function distanceToSee(half, { right, up, forward }, wide, high) {
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const point = half.map((x, k) => ((corner >> k) & 1 ? x : -x));
    const far = Math.max(Math.abs(dot(point, right)) / wide, Math.abs(dot(point, up)) / high);
    distance = Math.max(distance, far - dot(point, forward));
  }
  return distance;
}
