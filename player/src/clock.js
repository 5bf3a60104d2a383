// The time that a page shows: it runs, stands, steps from frame to frame, and tells those who asked.
import { firstFrom } from "./recording.js";

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

export class Clock {
  /** `range`: {min, max}, s. `times`: of the frames that steps go through, ascending. */
  constructor(range, times) {
    this.range = range;
    this.times = times;
    this.time = range.min;
    this.playing = false;
    this.loop = false;
    // A whole run lasts at least two seconds on the screen.
    this.speed = speeds.findLast((speed) => speed <= 1 && (range.max - range.min) / speed >= 2) ?? speeds[0];
    this.listeners = [];
  }

  onChange(listener) {
    this.listeners.push(listener);
  }
  tell() {
    for (const listener of this.listeners) listener(this);
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.range.min), this.range.max);
    this.tell();
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.range.max) this.time = this.range.min;
    this.tell();
  }

  /** To the next frame, or with −1 the one before; stops what plays. */
  step(direction) {
    this.playing = false;
    this.seek(neighbour(this.times, this.time, direction) ?? (direction > 0 ? this.range.max : this.range.min));
  }

  /** To the next of these times, or with −1 the one before; stays if there is none. */
  jump(times, direction) {
    const time = neighbour(times, this.time, direction);
    if (time === undefined) return;
    this.playing = false;
    this.seek(time);
  }

  /** What so many seconds of wall-clock time do to it. */
  advance(seconds) {
    if (!this.playing) return;
    const { min, max } = this.range;
    const time = this.time + seconds * this.speed;
    if (time < max) {
      this.time = time;
    } else if (this.loop) {
      this.time = min + ((time - min) % (max - min));
    } else {
      this.time = max;
      this.playing = false;
    }
    this.tell();
  }
}

/** The nearest entry of a sorted list on one side of `time`. */
export function neighbour(times, time, direction) {
  let at = firstFrom(times, time);
  if (direction < 0) return times[at - 1];
  while (times[at] === time) at++;
  return times[at];
}
