"""The command line as a user meets it: exit statuses, JSON, records, resuming, Ctrl-C.

Usage: test_command.py CAROM SCENES
"""
import base64
import json
import math
import os
import pty
import shutil
import signal
import struct
import subprocess
import time
import unittest

from carom_command import CAROM, FOUR_BALLS, SCENES, CommandTest, h5py, numpy

ROBOTS = SCENES / "robots"


def contents(path):
    """Every dataset of a record but the texts and times that name the run itself."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
    return found


class Command(CommandTest):
    def test_json_is_one_object_and_alone_on_standard_output(self):
        done = self.carom("run", FOUR_BALLS, "--json")
        run = json.loads(done.stdout)
        self.assertEqual(done.stderr, "")
        for field in ("scene", "stepper", "law", "dynamics", "step", "steps", "time", "wall_seconds", "state", "bodies",
                      "events", "certificate", "record"):
            self.assertIn(field, run)
        self.assertEqual(run["steps"], 400)
        self.assertEqual(len(run["state"]["q"]), 28)
        self.assertEqual([body["name"] for body in run["bodies"]], ["thrown", "first", "second", "third"])
        self.assertTrue((self.folder / run["record"]).is_file())
        self.assertTrue(all(event["kind"] in ("touch", "separate", "slide", "roll") for event in run["events"]))

    def test_files_and_words_are_left_out_where_nobody_wants_them(self):
        scene = SCENES / "sliding_box.yaml"
        plain = json.loads(self.carom("run", scene, "--json").stdout)
        for path in (plain["record"], plain["report"]):
            os.remove(path if os.path.isabs(path) else os.path.join(self.folder, path))
        bare = json.loads(self.carom("run", scene, "--json", "--no-record").stdout)
        self.assertEqual((bare["record"], bare["report"]), (None, None))
        self.assertEqual(bare["state"], plain["state"])
        self.assertEqual(os.listdir(os.path.join(self.folder, "runs")), [])
        text = self.carom("run", scene, "--no-report").stdout
        self.assertIn("record ", text)
        self.assertNotIn("report ", text)
        self.assertEqual(os.listdir(os.path.join(self.folder, "runs")), ["sliding_box.h5"])
        self.assertEqual(self.carom("run", scene, "--quiet").stdout, "")
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "runs"))), ["sliding_box.h5", "sliding_box.html"])
        for pair in (("--no-record", "--out", "a.h5"), ("--quiet", "--json")):
            self.assertEqual(self.carom("run", scene, *pair, status=2).stdout, "", pair)

    def test_options_override_the_scene(self):
        run = json.loads(self.carom("run", FOUR_BALLS, "--stepper", "anitescu-potra", "--dynamics", "dense", "--step",
                                    "0.01", "--until", "0.5", "--out", "other/name.h5", "--json").stdout)
        self.assertEqual((run["stepper"], run["dynamics"], run["step"], run["steps"]),
                         ("anitescu-potra", "dense", 0.01, 50))
        self.assertTrue((self.folder / "other" / "name.h5").is_file())
        self.assertTrue((self.folder / "other" / "name.html").is_file())

    def test_exact_cone_is_certified_and_leaves_no_polyhedral_error(self):
        done = self.carom("run", FOUR_BALLS, "--cone", "exact", "--json", "--out", "exact.h5")
        self.assertIn("directions", done.stderr)  # the scene's, which has no effect
        run = json.loads(done.stdout)
        self.assertEqual((run["cone"], run["directions"]), ("exact", None))
        self.assertLess(run["certificate"]["natural_map"], 1e-8)
        self.assertEqual(run["certificate"]["unsolved_steps"], 0)
        self.assertIsNone(run["certificate"]["polyhedral_error"])
        self.assertIn("polyhedral_error", run["certificate"]["reasons"])
        more = json.loads(self.carom("run", "--resume", "exact.h5", "--until", "1.1", "--json").stdout)
        self.assertEqual(more["cone"], "exact")
        refused = self.carom("run", "--resume", "exact.h5", "--until", "1.2", "--cone", "polyhedral", status=2)
        self.assertIn("cone exact and not polyhedral", refused.stderr)
        refused = self.carom("run", "--resume", "exact.h5", "--until", "1.2", "--step", "0.5", status=2)
        self.assertIn("holds steps of", refused.stderr)
        self.assertIn("leave --step out", refused.stderr)

    def test_faults_of_words_name_the_command_and_its_help(self):
        for words in (("run", FOUR_BALLS, "--step", "abc"), ("compare",), ("new",)):
            told = self.carom(*words, status=2).stderr
            self.assertTrue(told.startswith(f"carom {words[0]}: "), msg=told)
            self.assertIn(f"see carom help {words[0]}", told)

    def test_what_is_asked_for_in_vain_is_told(self):
        row = SCENES / "ball_row.yaml"
        for stepper, option, value, told in (("event-driven", "--contact-tolerance", "1e-6", "contact_tolerance"),
                                             ("event-driven", "--cone", "polyhedral", "cone"),
                                             ("variational", "--contact-tolerance", "1e-6", "contact_tolerance"),
                                             ("variational", "--smooth", "first-order", "smooth"),
                                             ("stewart-trinkle", "--smooth", "first-order", None),
                                             ("stewart-trinkle", "--contact-tolerance", "1e-6", None)):
            done = self.carom("run", row, "--stepper", stepper, "--law", "newton", option, value, "--until", "0.01",
                              "--no-record", "--check-step", "off")
            self.assertEqual("asked for is in vain" in done.stderr, told is not None, msg=(stepper, done.stderr))
            if told is not None:
                self.assertIn(f"{told} has no effect with stepper {stepper}", done.stderr)

    def test_smooth_parts_of_second_order_are_asked_for(self):
        def fall(*words):
            done = self.carom("run", SCENES / "bouncing_ball.yaml", "--until", "0.2", "--no-record", "--json", *words)
            return json.loads(done.stdout)["accuracy"]["largest"]
        # A fall by steps of first order is off by half a step's speed of it; by the second order it is exact.
        self.assertGreater(fall("--smooth", "first-order"), 1e-4)
        self.assertEqual(fall(), fall("--smooth", "first-order"))
        self.assertLess(fall("--smooth", "second-order"), 1e-9)

    def test_the_cone_of_integrated_motion_is_told_as_it_is(self):
        row = SCENES / "ball_row.yaml"
        run = json.loads(self.carom("run", row, "--until", "0.01", "--out", "row.h5", "--json").stdout)
        self.assertEqual((run["cone"], run["directions"]), ("exact", None))
        words = ("run", row, "--stepper", "compliant", "--until", "0.01", "--out", "soft.h5")
        self.assertIn("law none", self.carom(*words, status=2).stderr)
        run = json.loads(self.carom(*words, "--law", "none", "--json").stdout)
        self.assertEqual((run["stepper"], run["law"], run["cone"], run["directions"]), ("compliant", "none", None, None))
        self.assertLess(run["certificate"]["momentum_residual"], 1e-8)
        self.assertIn("rises with slip", run["certificate"]["reasons"]["polyhedral_error"])

    def test_a_motion_that_is_not_known_is_never_ok(self):
        hopper = SCENES / "accuracy" / "hopper.yaml"
        text = self.carom("run", hopper, "--no-record").stdout
        self.assertRegex(text.splitlines()[1], r"^  LOOK HERE accuracy +accurate to ± ")
        self.assertNotIn("All equations were solved. The motion is accurate", text)
        run = json.loads(self.carom("run", hopper, "--out", "hopper.h5", "--json").stdout)["accuracy"]
        self.assertEqual((run["verdict"], run["solved"], run["good"]), ("accurate", True, False))
        refused = self.carom("run", hopper, "--no-record", "--require-accuracy", "0.01", status=1)
        self.assertIn("the motion is not known to 0.01 m", refused.stderr)
        text = self.carom("run", hopper, "--no-record", "--check-step", "off").stdout
        self.assertRegex(text.splitlines()[1], r"^ +accuracy +not checked ")
        self.assertIn("The motion was not checked.", text)
        whole = self.carom("run", "--resume", "hopper.h5", "--until", "2.1", "--json")
        self.assertEqual(json.loads(whole.stdout)["accuracy"]["steps_checked"], 2100)

    def test_wrong_input_ends_with_2_and_a_sentence(self):
        bad = self.folder / "bad.yaml"
        bad.write_text("carom: 1\nname: bad\ngravity: [0, 0, down]\n")
        for words, part in (
                (("run", "missing.yaml"), "missing.yaml"),
                (("run", bad), "bad.yaml:3:"),
                (("run", FOUR_BALLS, "--stepper", "euler"), "stewart-trinkle"),
                (("run", FOUR_BALLS, "--cone", "square"), "polyhedral, exact"),
                (("run", FOUR_BALLS, "--stepper", "compliant"), "youngs_modulus"),
                (("run", FOUR_BALLS, "--step", "-1"), "--step -1"),
                (("run", FOUR_BALLS, "--until", "nan"), "--until nan"),
                (("run", FOUR_BALLS, "--check-step", "maybe"), "--check-step maybe"),
                (("run", FOUR_BALLS, "--require-accuracy", "0"), "--require-accuracy 0"),
                (("run", FOUR_BALLS, "--require-accuracy", "1", "--check-step", "off"), "leave --check-step off out"),
                (("run", "some.h5"), "--resume some.h5"),
                (("run", FOUR_BALLS, "--resume", "missing.h5"), "missing.h5"),
                (("run",), "scene"),
                (("validate", "newton1687"), "stewart2000"),
                (("validate", "cube_tosses"), "--data"),
                (("validate", "cube_tosses", "--data", "x.h5", "--scenes", SCENES, "--laws", "mach"),
                 "there are: semi-explicit_"),
                (("validate", "cube_tosses", "--data", "x.h5", "--scenes", SCENES), "x.h5: there is no such file"),
                (("validate", "cube_tosses", "--data", "x.h5", "--tosses", "0"), "--tosses"),
                (("validate", "stewart2000", "--tosses", "3"), "--tosses is an option of cube_tosses, square_drops; what was asked"),
                (("validate", "--data", "x.h5"), "--data is an option of cube_tosses, planar_impacts"),
                (("validate", "planar_impacts", "--data", "x.h5", "--predictions", "y.h5"), "--predictions is an option of cube_tosses;"),
                (("validate", "--data", "x.h5", "--laws", "stronge", "planar_impacts"), "name the validation first"),
                (("validate", "planar_impacts", "--data", "x.h5", "--evaluations", "9"), "add --fit"),
                (("validate", "stewart2000", "--scenes", SCENES, "--out", "/dev/null/page"), "/dev/null"),
                (("validate", "planar_impacts"), "docs/validation/planar_impacts.md"),
                (("validate", "planar_impacts", "--data", "x.h5", "--scenes", SCENES, "--laws", "mach"), "there are: stronge"),
                (("validate", "planar_impacts", "--data", "x.h5", "--scenes", SCENES), "x.h5: there is no such file"),
                (("validate", "square_drops"), "docs/validation/square_drops.md"),
                (("validate", "square_drops", "--data", "x.h5", "--scenes", SCENES, "--laws", "mach"), "there are: stronge"),
                (("validate", "square_drops", "--data", "x.h5", "--scenes", SCENES), "x.h5: there is no such file"),
                (("validate", "sphere_impacts"), "docs/validation/sphere_impacts.md"),
                (("validate", "sphere_impacts", "--data", "x.csv", "--scenes", SCENES), "x.csv: there is no such file"),
                (("validate", "cassie_jumps"), "docs/validation/cassie_jumps.md"),
                (("validate", "cassie_jumps", "--data", "x.h5", "--scenes", SCENES, "--laws", "mach"), "there are: inelastic"),
                (("validate", "cassie_jumps", "--data", "x.h5", "--scenes", SCENES), "x.h5: there is no such file"),
                (("fly",), "")):  # no command
            done = self.carom(*words, status=2)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_a_program_that_is_not_there_is_told_with_what_makes_it(self):
        alone = self.folder / "carom"
        shutil.copy(CAROM, alone)
        done = subprocess.run([alone, "validate", "stewart2000"], env={"PATH": ""}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("make validate", done.stderr)
        self.assertIn("Debian package carom", done.stderr)

    def test_wrong_words_are_answered_with_those_that_are_meant(self):
        for words, sentence in (
                (("rum", FOUR_BALLS), "there is no command 'rum'; did you mean 'run'?"),
                (("help", "rum"), "there is no command 'rum'; did you mean 'run'?"),
                (("simulate", FOUR_BALLS), "there is no command 'simulate'; there are: run, compare"),
                (("--duration", "2"), "options follow a command: carom run SCENE --until 2"),
                (("--step=0.1", "compare", FOUR_BALLS), "options follow a command: carom compare SCENE --step=0.1"),
                (("--bogus",), "options follow a command, and none has '--bogus'; carom --help lists the commands"),
                (("-x",), "options follow a command, and none has '-x'"),
                (("run", FOUR_BALLS, "--duration", "1"), "carom run has no option --duration; did you mean --until?"),
                (("run", FOUR_BALLS, "--dt=0.1"), "carom run has no option --dt; did you mean --step?"),
                (("run", FOUR_BALLS, "--steper", "variational"), "did you mean --stepper?"),
                (("view", "a.h5", "--zzzzzz"), "carom view --help lists those it has")):
            done = self.carom(*words, status=2)
            self.assertIn(sentence, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_help_of_a_command(self):
        self.assertEqual(self.carom().stdout, self.carom("help").stdout)
        self.assertEqual(self.carom("help").stdout, self.carom("--help").stdout)
        for command in ("run", "solve"):
            self.assertEqual(self.carom("help", command).stdout, self.carom(command, "--help").stdout)
            self.assertIn("Example", self.carom("help", command).stdout)

    def test_a_model_that_is_not_there_is_one_fault(self):
        text = (ROBOTS / "quadruped_drop.yaml").read_text().replace("quadruped.urdf", "nowhere.urdf")
        (self.folder / "drop.yaml").write_text(text)
        told = self.carom("run", "drop.yaml", status=2).stderr
        self.assertEqual(len(told.splitlines()), 1, told)
        self.assertIn("nowhere.urdf", told)

    def test_nothing_but_a_record_is_written_over(self):
        scene = self.folder / "mine.yaml"
        scene.write_text(FOUR_BALLS.read_text())
        (self.folder / "page.html").write_text("my own page")
        for out in ("mine.yaml", "page.h5", ".", "new/../mine.yaml"):
            self.carom("run", scene, "--out", out, status=2)
        self.assertEqual(scene.read_text(), FOUR_BALLS.read_text())
        self.assertEqual((self.folder / "page.html").read_text(), "my own page")
        for _ in range(2):
            self.carom("run", scene, "--until", "0.1", "--out", "again.h5")

    def test_view_lays_runs_over_one_another(self):
        for name, step in (("fine", 0.005), ("coarse", 0.01)):
            self.carom("run", FOUR_BALLS, "--step", step, "--until", "0.2", "--out", f"{name}.h5")
        (self.folder / "coarse.html").unlink()
        self.assertIn("coarse.html", self.carom("view", "coarse.h5").stdout)
        self.assertTrue((self.folder / "coarse.html").is_file())
        self.carom("view", "fine.h5", "coarse.h5")
        self.carom("view", "fine.h5", "coarse.h5", "--out", "new/page.html")
        self.assertEqual((self.folder / "fine-and-others.html").read_bytes(),
                         (self.folder / "new" / "page.html").read_bytes())
        page = (self.folder / "new" / "page.html").read_text()
        data = json.loads(page.split('id="run">')[1].split("</script>")[0])
        self.assertEqual([run["name"] for run in data["runs"]], ["fine", "coarse"])
        self.assertEqual([run["play"]["recorded"] for run in data["runs"]], [41, 21])

    def test_export_writes_what_the_record_holds(self):
        self.carom("run", FOUR_BALLS, "--until", "0.5", "--out", "balls.h5")
        listed = json.loads(self.carom("export", "balls.h5", "--list", "--json").stdout)["columns"]
        units = {column["name"]: column["unit"] for column in listed}
        self.assertEqual(units["time"], "s")
        force = next(name for name in units if name.endswith(".force.z"))
        self.assertEqual(units[force], "N")
        self.carom("export", "balls.h5", "--csv", "tables/forces.csv", "--sto", "forces.sto", "--column", "*.force.z")
        names, *rows = (self.folder / "tables/forces.csv").read_text().splitlines()
        self.assertEqual(names.split(",")[0], "time")
        self.assertTrue(all(name == "time" or name.endswith(".force.z") for name in names.split(",")))
        if h5py:
            with h5py.File(self.folder / "balls.h5") as record:
                forces = record["colliders/force"][:, :, 2]
                table = numpy.array([[float(entry) for entry in row.split(",")] for row in rows])
                self.assertTrue((table[:, 1:] == forces).all())
        head = (self.folder / "forces.sto").read_text().splitlines()[:7]
        self.assertEqual((head[1], head[4], head[5]), ("version=1", "inDegrees=no", "endheader"))

    def test_export_writes_the_motion_as_gltf(self):
        told = json.loads(self.carom("run", FOUR_BALLS, "--until", "0.5", "--out", "balls.h5", "--json").stdout)
        self.carom("export", "balls.h5", "--gltf", "balls.gltf")
        self.carom("export", "balls.h5", "--gltf", "new/balls.glb")
        self.assertEqual((self.folder / "new/balls.glb").read_bytes()[:4], b"glTF")
        gltf = json.loads((self.folder / "balls.gltf").read_text())
        numbers = base64.b64decode(gltf["buffers"][0]["uri"].split("base64,")[1])
        self.assertEqual(len(numbers), gltf["buffers"][0]["byteLength"])

        def read(accessor):
            entry = gltf["accessors"][accessor]
            view = gltf["bufferViews"][entry["bufferView"]]
            return struct.unpack_from(f"<{view['byteLength'] // 4}f", numbers, view["byteOffset"])

        ends = {}
        animation, = gltf["animations"]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            name = gltf["nodes"][channel["target"]["node"]]["name"]
            self.assertAlmostEqual(read(sampler["input"])[-1], told["time"], places=6)
            ends[name, channel["target"]["path"]] = read(sampler["output"])
        for body in told["bodies"]:
            for end, exact in zip(ends[body["name"], "translation"][-3:], body["position"]):
                self.assertAlmostEqual(end, exact, places=6)
            x, y, z, w = ends[body["name"], "rotation"][-4:]
            self.assertAlmostEqual(abs(sum(a * b for a, b in zip((w, x, y, z), body["orientation"]))), 1, places=6)

    def test_export_has_a_slider_cranks_torque_and_bearing_loads(self):
        # A rod without mass at constant crank speed: the piston's inertia along the bore is all that the pins bear.
        radius, length, speed, mass, h = 0.1, 0.4, 10, 2, 0.0005
        (self.folder / "crank.yaml").write_text(f"""carom: 1
gravity: [0, 0, 0]
bodies:
  - {{name: crank, inertia: {{mass: 1, moments: [0.01, 0.01, 0.01]}}}}
  - {{name: rod, inertia: {{mass: 1e-6, moments: [1e-8, 1e-8, 1e-8]}}}}
  - {{name: piston, inertia: {{mass: {mass}, moments: [0.01, 0.01, 0.01]}}}}
joints:
  - {{name: shaft, type: revolute, parent: world, child: crank, axis: [0, -1, 0]}}
  - {{name: big_end, type: revolute, parent: crank, child: rod, axis: [0, -1, 0], on_parent: {{position: [{radius}, 0, 0]}}, velocity: {-speed - speed * radius / length}}}
  - {{name: bore, type: prismatic, parent: world, child: piston, axis: [1, 0, 0], position: {radius + length}}}
constraints:
  - {{name: wrist, type: hinge, a: rod, b: piston, on_a: {{position: [{length}, 0, 0]}}, axis: [0, 1, 0]}}
drives:
  - {{name: motor, type: motion, joint: shaft, target: {{polynomial: [0, {speed}]}}}}
method: {{stepper: stewart-trinkle, step: {h}}}
duration: 0.628
""")
        self.carom("run", "crank.yaml", "--out", "crank.h5")
        self.carom("export", "crank.h5", "--csv", "crank.csv", "--column", "shaft.torque*", "--column", "*.reaction_force.?", "--column", "wrist.force.?")
        names, *rows = (self.folder / "crank.csv").read_text().splitlines()
        columns = {name: [float(row.split(",")[i] or "nan") for row in rows] for i, name in enumerate(names.split(","))}
        largest = mass * radius * speed**2 * (1 + radius / length)  # at the outer dead centre
        for i, end in list(enumerate(columns["time"]))[2:]:
            a = speed * (end - h / 2)
            lean = -math.asin(radius * math.sin(a) / length)
            rate = -radius * speed * math.cos(a) / (length * math.cos(lean))
            turn = (radius * speed**2 * math.sin(a) + length * rate**2 * math.sin(lean)) / (length * math.cos(lean))
            acceleration = (-radius * speed**2 * math.cos(a)
                            - length * (turn * math.sin(lean) + rate**2 * math.cos(lean)))
            along = mass * acceleration  # on the piston; the rod passes it on along itself
            across = along * math.tan(lean)
            torque = radius * (along * -math.sin(a) + across * math.cos(a))
            for name, exact in (("big_end.reaction_force.x", along), ("big_end.reaction_force.z", across),
                                ("wrist.force.x", -along), ("bore.reaction_force.z", -across),
                                ("shaft.reaction_force.x", along), ("shaft.torque.motion", torque),
                                ("shaft.torque", torque)):
                scale = largest * (radius if "torque" in name else 1)
                self.assertAlmostEqual(columns[name][i], exact, delta=0.01 * scale, msg=f"{name} at {end} s")

    def test_outputs_of_the_command_line_are_recorded_summed_up_and_go_on(self):
        scene = SCENES / "sliding_box.yaml"
        run = ["run", scene, "--output", "speed=norm(box.velocity)", "--output", "most=max(speed)", "--until", "0.2",
               "--no-report", "--out", "box.h5", "--json"]
        summary = json.loads(self.carom(*run).stdout)["outputs"]
        self.assertEqual([output["name"] for output in summary], ["speed", "most"])
        self.assertEqual(summary[1]["last"], summary[0]["max"])
        again = json.loads(self.carom("run", "--resume", "box.h5", "--until", "0.3", "--no-report", "--json").stdout)
        self.assertEqual(again["outputs"][1]["last"], again["outputs"][0]["max"])
        self.carom("export", "box.h5", "--csv", "box.csv", "--column", "speed", "--column", "box.velocity.*")
        names, *rows = (self.folder / "box.csv").read_text().splitlines()
        numbers = [dict(zip(names.split(","), map(float, row.split(",")))) for row in rows]
        for row in numbers:
            squares = sum(row["box.velocity." + axis] ** 2 for axis in "xyz")
            self.assertAlmostEqual(row["speed"], squares ** 0.5, places=12)

    def test_wrong_outputs_of_the_command_line_end_with_2_and_a_sentence(self):
        scene = SCENES / "sliding_box.yaml"
        for output, expected in (("speed=norm(box.velocty)", "carom: --output 'speed': there is no 'box.velocty'"),
                                 ("speed", "NAME=FORMULA"), ("a b=1", "is no name for an output")):
            with self.subTest(output=output):
                refused = self.carom("run", scene, "--output", output, "--out", "no.h5", status=2).stderr
                self.assertIn(expected, refused)
                self.assertFalse((self.folder / "no.h5").exists())

    PUSHED = '''carom: 1
gravity: [0, 0, 0]
bodies:
  - {name: slider, inertia: {mass: 2, moments: [0.01, 0.01, 0.01]}}
joints:
  - {name: rail, type: prismatic, parent: world, child: slider, axis: [1, 0, 0], limits: {upper: 0.5}}
drives:
  - {name: push, type: %s}
method: {stepper: semi-explicit, law: plastic, step: 0.001}
duration: 1.5
'''

    def test_an_impact_is_found_where_feedback_leads(self):
        # 4 N on 2 kg over 0.5 m: after √(2 · 0.5 / 2) s, at √2 m/s
        (self.folder / "pushed.yaml").write_text(self.PUSHED % 'feedback, joint: rail, force: "4 + 0*rail"')
        for at in ("first", "0.3"):
            found = json.loads(self.carom("impact", "pushed.yaml", "--at", at, "--law", "plastic", "--json").stdout)
            self.assertAlmostEqual(found["time"], 0.5 ** 0.5, delta=1e-3)

    def test_a_force_that_is_no_number_fails_the_run_and_keeps_the_record(self):
        (self.folder / "bad.yaml").write_text(self.PUSHED % 'feedback, joint: rail, force: "sqrt(0.1 - t)"')
        done = self.carom("run", "bad.yaml", "--out", "bad.h5", "--json", status=1)
        self.assertIn("is no finite number at t = 0.10", done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual(told["end"], "failed")
        self.assertAlmostEqual(told["time"], 0.1, delta=0.0011)

    def test_a_run_goes_on_with_the_motion_that_it_began_with(self):
        (self.folder / "push.csv").write_text("time,rail\n0,1\n2,1\n")
        (self.folder / "pushed.yaml").write_text(self.PUSHED % "force, joint: rail, force: {file: push.csv}")
        self.carom("run", "pushed.yaml", "--until", "0.1", "--out", "p.h5")
        whole = json.loads(self.carom("run", "pushed.yaml", "--until", "0.2", "--out", "whole.h5", "--json").stdout)
        (self.folder / "push.csv").write_text("time,rail\n0,-5\n2,-5\n")
        told = self.carom("run", "pushed.yaml", "--resume", "p.h5", "--until", "0.2", status=2).stderr
        self.assertIn("its scene has another text", told)
        (self.folder / "push.csv").unlink()  # the record holds the motion itself
        again = json.loads(self.carom("run", "--resume", "p.h5", "--until", "0.2", "--json").stdout)
        self.assertEqual(again["state"], whole["state"])

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_a_record_without_a_scene_text_does_all_that_others_do(self):
        # As a program in C++ writes it: the model is in the record, and no file.
        for name, end in (("half.h5", "0.2"), ("whole.h5", "0.4")):
            self.carom("run", FOUR_BALLS, "--until", end, "--out", name, "--no-report")
            with h5py.File(self.folder / name, "r+") as record:
                del record["scene/text"]
                record["scene"].attrs.modify("file", "")
        self.carom("run", "--resume", "half.h5", "--until", "0.4", "--no-report")
        whole, parts = (h5py.File(self.folder / name, "r") for name in ("whole.h5", "half.h5"))
        for name in ("time", "q", "v", "contacts/impulse", "energy"):
            numpy.testing.assert_array_equal(whole[name][:], parts[name][:], err_msg=name)
        whole.close()
        parts.close()
        self.carom("export", "half.h5", "--csv", "half.csv")
        self.carom("export", "half.h5", "--gltf", "half.glb")
        self.carom("view", "half.h5")
        self.carom("problem", "half.h5", "--step", "20", "--out", "step.hdf5")
        told = json.loads(self.carom("compare", "half.h5", "--methods", "stewart-trinkle,anitescu-potra", "--until", "0.05",
                                     "--out", "both.html", "--json").stdout)
        self.assertEqual(len(told["runs"]), 2)
        for words, part in ((("run", FOUR_BALLS, "--resume", "half.h5"), "a model that a program built"),
                            (("run", "--resume", "half.h5", "--set", "x=1"), "--set can't change the scene"),
                            (("compare", "half.h5", "--set", "x=1"), "which keeps the model itself"),
                            (("run", "half.h5"), "--resume half.h5")):
            self.assertIn(part, self.carom(*words, status=2).stderr)

    def test_wrong_words_about_an_export_end_with_2_and_a_sentence(self):
        self.carom("run", FOUR_BALLS, "--until", "0.1", "--out", "balls.h5")
        for words, expected in ((["balls.h5"], "--csv"), (["none.h5", "--csv", "a.csv"], "no such record"),
                                (["balls.h5", "--csv", "a.h5"], ".csv"), (["balls.h5", "--sto", "a.csv"], ".sto"),
                                (["balls.h5", "--gltf", "a.obj"], ".gltf or .glb"),
                                (["balls.h5", "--gltf", "a.glb", "--column", "*"], "--column"),
                                (["balls.h5", "--csv", "a.csv", "--column", "tiem"], "'time'"),
                                ([FOUR_BALLS, "--csv", "a.csv"], "four_balls.yaml is no record of Carom")):
            with self.subTest(words=words):
                self.assertIn(expected, self.carom("export", *words, status=2).stderr)
                self.assertFalse((self.folder / "a.csv").exists())

    def test_wrong_words_about_a_view_end_with_2_and_a_sentence(self):
        self.carom("run", FOUR_BALLS, "--until", "0.1", "--out", "run.h5")
        for words, sentence in ((["none.h5"], "there is no such record"),
                                ([FOUR_BALLS], "four_balls.yaml is no record of Carom: it is no HDF5 file"),
                                (["run.h5", "--png", "a.png", "--time", "7"], "the runs last from 0 s to 0.1 s"),
                                (["run.h5", "--png", "a.png", "--time", "nan"], "the runs last from 0 s to 0.1 s"),
                                (["run.h5", "--time", "0"], "--png"),
                                (["run.h5", "--speed", "1"], "--mp4"),
                                (["run.h5", "--mp4", "a.mp4", "--speed", "0"], "positive"),
                                (["run.h5", "--rate", "60"], "--mp4"),
                                (["run.h5", "--mp4", "a.mp4", "--rate", "0"], "from 1 to 240"),
                                (["run.h5", "--size", "640x480"], "--png"),
                                (["run.h5", "--png", "a.png", "--size", "640"], "WIDTHxHEIGHT"),
                                (["run.h5", "--png", "a.png", "--size", "640x48000"], "WIDTHxHEIGHT"),
                                (["run.h5", "--mp4", "a.mp4", "--size", "641x480"], "even"),
                                (["run.h5", "--png", "a.png", "--follow", "thorwn"], "'thrown'"),
                                (["run.h5", "--png", "a.png", "--camera", "1,2"], "--camera"),
                                (["run.h5", "--png", "a.png", "--camera", "1,2,nan"], "finite"),
                                (["run.h5", "--png", "a.png", "--camera", "1,2,3", "--azimuth", "3"], "--azimuth"),
                                (["run.h5", "--png", "a.png", "--elevation", "91"], "from -90 to 90"),
                                (["run.h5", "--png", "a.png", "--distance", "0"], "--distance"),
                                (["run.h5", "--png", "run.h5"], ".png"),
                                (["run.h5", "--mp4", "run.h5"], ".mp4"),
                                (["run.h5", "--out", "run.h5"], "is no page"),
                                (["run.h5", "--out", "run.h5/page.html"], "run.h5")):
            refused = self.carom("view", *words, status=2)
            self.assertIn(sentence, refused.stderr, words)
        missing = subprocess.run([CAROM, "view", "run.h5", "--png", "a.png"], cwd=self.folder, capture_output=True,
                                 text=True, env={"PATH": str(self.folder)})
        self.assertEqual(missing.returncode, 2)
        self.assertIn("install the Debian package chromium", missing.stderr)
        self.assertFalse((self.folder / "a.png").exists())

    def test_a_run_beyond_all_numbers_fails(self):
        scene = self.folder / "huge.yaml"
        scene.write_text(FOUR_BALLS.read_text().replace("velocity: [1.5, 0.1, 0]", "velocity: [1e308, 1e308, 0]"))
        self.assertIn("more than a number can hold", self.carom("run", scene, status=2).stderr)

    def test_an_overlap_at_the_start_is_told(self):
        scene = self.folder / "low.yaml"
        scene.write_text(FOUR_BALLS.read_text().replace("position: [1, 0, 0.1]", "position: [1, 0, 0.05]"))
        for stepper, sentence in (("anitescu-potra", "without velocity"), ("variational", "they stay so")):
            told = self.carom("run", scene, "--stepper", stepper, "--until", "0.01").stderr
            self.assertIn("first and the world by 0.05 m", told)
            self.assertIn(sentence, told)

    def test_an_overlap_of_layers_is_no_push(self):
        scene = self.folder / "soft.yaml"
        scene.write_text(
            "carom: 1\nname: soft\ngravity: [0, 0, -9.81]\nmaterials:\n"
            "  - {name: soft, friction: 0.5, layer: {stiffness: 1e5, thickness: 0.01}}\n"
            "world: {shapes: [{type: half-space, name: floor, material: soft}]}\n"
            "bodies: [{name: ball, density: 200, position: [0, 0, 0.098],"
            " shapes: [{type: sphere, radius: 0.1, material: soft}]}]\n"
            "method: {stepper: quasi-rigid, step: 0.001}\nduration: 0.01\n"
        )
        self.assertIn("ball and the world by 0.002 m; their layers are compressed", self.carom("run", scene).stderr)
        scene.write_text(scene.read_text().replace("0.098", "0.07"))
        self.assertIn("moves them apart", self.carom("run", scene).stderr)

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_n_steps_and_n_more_are_2n_steps(self):
        self.carom("run", FOUR_BALLS, "--out", "whole.h5")
        self.carom("run", FOUR_BALLS, "--until", "0.5", "--out", "half.h5")
        self.carom("run", FOUR_BALLS, "--resume", "half.h5", "--until", "1", "--out", "resumed.h5")
        self.carom("run", "--resume", "half.h5", "--until", "1")
        whole = contents(self.folder / "whole.h5")
        for other in ("resumed.h5", "half.h5"):
            resumed = contents(self.folder / other)
            self.assertEqual(whole.keys(), resumed.keys())
            for name, value in whole.items():
                if "wall" not in name:
                    numpy.testing.assert_array_equal(value, resumed[name], err_msg=f"{other}: {name}")

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_interrupting_keeps_the_record_and_resuming_goes_on(self):
        # A thousand seconds of motion, so that no machine is through with them before the signal.
        process = subprocess.Popen([CAROM, "run", SCENES / "ball_pile.yaml", "--until", "1000", "--out", "pile.h5"],
                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        # The record is begun once both files stand, and signals close it.
        while process.poll() is None and not all((self.folder / name).exists() for name in ("pile.h5", "pile.h5.part")):
            time.sleep(0.05)
        time.sleep(0.7)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("--resume pile.h5", errors)
        with h5py.File(self.folder / "pile.h5", "r") as file:
            steps = int(file["step"][-1])
        self.assertGreater(steps, 0)
        until = (steps + 5) * 0.005
        run = json.loads(self.carom("run", "--resume", "pile.h5", "--until", until, "--json").stdout)
        self.assertEqual(run["steps"], steps + 5)

    @unittest.skipIf(h5py is None, "h5py is not installed")
    def test_a_long_step_is_stopped_on_its_way(self):
        (self.folder / "long.yaml").write_text(
            "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.3, youngs_modulus: 1e7}]\n"
            "world: {shapes: [{type: half-space, material: m}]}\n"
            "bodies: [{name: b, density: 500, shapes: [{type: sphere, radius: 0.1, material: m}], position: [0, 0, 0.3]}]\n"
            "method: {stepper: compliant, step: 1e5, compliant: {most_steps: 2000000000}}\nduration: 2e5\n")
        for words in (("run", "long.yaml", "--out", "long.h5"), ("run", "--resume", "long.h5")):
            process = subprocess.Popen([CAROM, *words], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            while process.poll() is None and not list(self.folder.glob("long.h5.part")):
                time.sleep(0.05)
            time.sleep(1)
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 1, errors)
            self.assertIn("stopped at 0 s", errors)
            self.assertIn("--resume long.h5", errors)
            with h5py.File(self.folder / "long.h5", "r") as file:
                self.assertEqual(list(file["step"]), [0])

    def test_bar_on_a_terminal_only(self):
        self.assertEqual(self.carom("run", FOUR_BALLS).stderr, "")
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(self.folder)
            os.execv(CAROM, [str(CAROM), "run", str(SCENES / "ball_pile.yaml"), "--until", "1"])
        shown = b""
        try:
            while chunk := os.read(terminal, 65536):
                shown += chunk
        except OSError:
            pass  # the far side closed
        os.waitpid(pid, 0)
        self.assertIn(b"%", shown)
        self.assertIn(b"left", shown)

    def test_help_shows_an_example_each(self):
        for command in ("run", "view", "export", "validate"):
            self.assertIn("Example", self.carom(command, "--help").stdout)

    def test_validate_prints_a_json_object(self):
        object_ = json.loads(self.carom("validate", "stewart2000", "--scenes", SCENES, "--json").stdout)
        self.assertEqual(object_["failed"], 0)
        self.assertEqual(object_["passed"] + object_["explained"], len(object_["entries"]))
        for field in ("source", "figure", "quantity", "reference", "value", "deviation", "tolerance", "pass", "note"):
            self.assertIn(field, object_["entries"][0])


if __name__ == "__main__":
    unittest.main()
