// Marks of a run's motion: trails of its bodies, mass centres of its mechanisms, their momenta as arrows.
import { BufferAttribute, BufferGeometry, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, SphereGeometry } from "three";
import { Arrows } from "./arrows.js";
import { firstFrom } from "./recording.js";

/** Bodies that have trails: more would hide one another. */
const largestTrails = 24;

export class MotionMarks {
  /** Trails go into `scene`, among the bodies; what lies within bodies goes into `overlay`, drawn over everything. */
  constructor(scene, overlay) {
    this.scene = scene;
    this.overlay = overlay;
    this.arrows = new Arrows(overlay);
    this.ball = new SphereGeometry(1, 16, 10);
    this.trails = [];
    this.centres = [];
    this.largest = 0; // momentum of the recording that is shown, kg m/s
  }

  /** `bodies`: [{moves, center}]; `show`: {trails, centres, momenta}, booleans; `radius` of the scene, m. */
  show(recording, bodies, time, radius, show, colors) {
    if (recording !== this.recording) this.take(recording, bodies);
    const frames = Math.max(firstFrom(recording.times, time + 1e-12 * Math.abs(time)), 1);
    for (const { line, color, ofCentre } of this.trails) {
      line.visible = Boolean(show.trails && (show.centres || !ofCentre));
      line.geometry.setDrawRange(0, frames);
      line.material.color.copy(color(colors));
    }
    const centres = recording.mechanismsAt("centre", time);
    this.centres.forEach((ball, i) => {
      ball.visible = Boolean(show.centres);
      ball.position.set(...centres[i]);
      ball.scale.setScalar(0.018 * radius);
      ball.material.color.copy(colors.centre);
    });
    this.arrows.show(
      show.momenta ? recording.mechanismsAt("momentum", time).map((p, i) => this.arrow(p, centres[i], radius, colors)) : [],
    );
  }

  arrow(momentum, from, radius, colors) {
    const size = Math.hypot(...momentum);
    const length = size > 0 && this.largest > 0 ? (0.6 * radius * size) / this.largest : 0;
    const direction = momentum.map((p) => p / size);
    return { from, direction, length, width: Math.min(0.011 * radius, 0.12 * length), color: colors.momentum };
  }

  /** Makes the marks of a recording, in place of those of another. */
  take(recording, bodies) {
    this.recording = recording;
    for (const { line } of this.trails) {
      this.scene.remove(line);
      line.geometry.dispose();
    }
    for (const ball of this.centres) this.overlay.remove(ball);
    const trail = (path, color, ofCentre = false) => {
      const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(path, 3));
      const line = new Line(geometry, new LineBasicMaterial());
      line.frustumCulled = false;
      line.renderOrder = ofCentre ? 0 : 1; // a body alone shows its own colour
      this.scene.add(line);
      return { line, color, ofCentre };
    };
    this.trails = bodies
      .map((body, i) => ({ ...body, i }))
      .filter((body) => body.moves)
      .slice(0, largestTrails)
      .map(({ i, center }) => trail(recording.path(i, center), (colors) => colors.bodies[i % colors.bodies.length]));
    const { names, centre, momentum } = recording.mechanisms;
    this.centres = names.map(() => {
      const ball = new Mesh(this.ball, new MeshBasicMaterial());
      this.overlay.add(ball);
      return ball;
    });
    names.forEach((_, i) => {
      const path = Float32Array.from({ length: 3 * recording.times.length }, (_, k) => {
        const frame = Math.floor(k / 3);
        return centre[3 * (frame * names.length + i) + (k % 3)];
      });
      this.trails.push(trail(path, (colors) => colors.centre, true));
    });
    this.largest = 0;
    for (let k = 0; k < momentum.length; k += 3) {
      const size = Math.hypot(momentum[k], momentum[k + 1], momentum[k + 2]);
      if (Number.isFinite(size)) this.largest = Math.max(this.largest, size);
    }
  }
}
