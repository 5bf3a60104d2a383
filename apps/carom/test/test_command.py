"""The command line as a user meets it: exit statuses, JSON, records, resuming, Ctrl-C.

Usage: test_command.py CAROM SCENES
"""
import json
import math
import os
import pty
import signal
import subprocess
import time
import unittest

from carom_command import CAROM, FOUR_BALLS, SCENES, CommandTest, h5py, numpy

ROBOTS = SCENES / "robots"
KNEES = [words for leg in ("FL", "FR", "HL", "HR") for words in ("--joint", f"{leg}_knee=-1.2")]


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

    def test_the_cone_of_integrated_motion_is_told_as_it_is(self):
        row = SCENES / "ball_row.yaml"
        run = json.loads(self.carom("run", row, "--until", "0.01", "--out", "row.h5", "--json").stdout)
        self.assertEqual((run["cone"], run["directions"]), ("exact", None))
        words = ("run", row, "--stepper", "compliant", "--until", "0.01", "--out", "soft.h5")
        self.assertIn("law none", self.carom(*words, status=2).stderr)
        run = json.loads(self.carom(*words, "--law", "none", "--json").stdout)
        self.assertEqual((run["stepper"], run["law"], run["cone"], run["directions"]), ("compliant", "none", None, None))
        self.assertIn("momentum_residual", run["certificate"]["reasons"])

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
                (("run", "some.h5"), "--resume some.h5"),
                (("run", FOUR_BALLS, "--resume", "missing.h5"), "missing.h5"),
                (("run",), "scene"),
                (("validate", "newton1687"), "stewart2000"),
                (("validate", "cube_tosses"), "--data"),
                (("validate", "cube_tosses", "--data", "x.h5", "--scenes", SCENES, "--laws", "mach"),
                 "there are: semi-explicit_"),
                (("validate", "cube_tosses", "--data", "x.h5", "--scenes", SCENES), "x.h5: there is no such file"),
                (("validate", "cube_tosses", "--data", "x.h5", "--tosses", "0"), "--tosses"),
                (("fly",), "")):  # no command
            done = self.carom(*words, status=2)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stdout, "")

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
        self.carom("export", "crank.h5", "--csv", "crank.csv", "--column", "shaft.torque*", "--column", "*.reaction_force.?")
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
                                ("wrist.reaction_force.x", -along), ("bore.reaction_force.z", -across),
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

    def test_wrong_words_about_an_export_end_with_2_and_a_sentence(self):
        self.carom("run", FOUR_BALLS, "--until", "0.1", "--out", "balls.h5")
        for words, expected in ((["balls.h5"], "--csv"), (["none.h5", "--csv", "a.csv"], "no such record"),
                                (["balls.h5", "--csv", "a.h5"], ".csv"), (["balls.h5", "--sto", "a.csv"], ".sto"),
                                (["balls.h5", "--csv", "a.csv", "--column", "tiem"], "'time'")):
            with self.subTest(words=words):
                self.assertIn(expected, self.carom("export", *words, status=2).stderr)
                self.assertFalse((self.folder / "a.csv").exists())

    def test_wrong_words_about_a_view_end_with_2_and_a_sentence(self):
        self.carom("run", FOUR_BALLS, "--until", "0.1", "--out", "run.h5")
        for words, sentence in ((["none.h5"], "there is no such record"),
                                ([FOUR_BALLS], "HDF5"),
                                (["run.h5", "--png", "a.png", "--time", "7"], "the runs last from 0 s to 0.1 s"),
                                (["run.h5", "--png", "a.png", "--time", "nan"], "the runs last from 0 s to 0.1 s"),
                                (["run.h5", "--time", "0"], "--png"),
                                (["run.h5", "--speed", "1"], "--mp4"),
                                (["run.h5", "--mp4", "a.mp4", "--speed", "0"], "positive"),
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
        process = subprocess.Popen([CAROM, "run", SCENES / "ball_pile.yaml", "--out", "pile.h5"], cwd=self.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not (self.folder / "pile.h5.part").exists():
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


class Comparisons(CommandTest):
    def compare(self, *words, status=0):
        return json.loads(self.carom("compare", *words, "--json", status=status).stdout)

    def test_a_row_of_balls_parts_by_law_and_not_by_stepper(self):
        told = self.compare(SCENES / "ball_row.yaml", "--until", "0.2", "--out", "row.html", "--budget", "100")
        groups = [sorted(group) for group in told["groups"]]
        self.assertIn([f"{stepper}/{law}" for stepper in ("event-driven", "semi-explicit", "variational")
                       for law in ("plus", "propagative")], groups)
        self.assertIn(["compliant", "event-driven/lzb", "semi-explicit/lzb", "variational/lzb"],
                      groups)  # what elastic contacts do, lzb does
        self.assertEqual(len(groups), 3)
        for run in told["runs"]:
            self.assertTrue(run["settled"], run["method"])
            self.assertEqual(len(run["distance"]), len(told["times"]))
            self.assertTrue((self.folder / run["record"]).is_file())
        reasons = {left["method"]: left["reason"] for left in told["left_out"]}
        self.assertIn("restitution", reasons["stewart-trinkle"])
        page = (self.folder / "row.html").read_text()
        self.assertIn("3 different motions", page)

    def test_a_robot_file_is_compared(self):
        words = ["--drop", "0.05", "--until", "0.1", "--methods", "stewart-trinkle,semi-explicit/plus"]
        told = self.compare(SCENES / "robots" / "quadruped.urdf", *words, "--out", "q.html", "--budget", "30")
        self.assertEqual([run["method"] for run in told["runs"]], ["stewart-trinkle", "semi-explicit/plus"])

    def test_the_order_of_a_sliding_box_is_one(self):
        told = json.loads(self.carom("converge", SCENES / "sliding_box.yaml", "--json").stdout)
        method = told["methods"][0]
        self.assertAlmostEqual(method["order"], 1, delta=0.05)
        self.assertEqual(method["reference"], "event-driven/plastic")
        last = method["runs"][-1]
        self.assertAlmostEqual(last["error"] / method["estimate"], 1, delta=0.2)

    def test_wrong_words_end_with_2_and_a_sentence(self):
        scene = SCENES / "ball_row.yaml"
        for words, sentence in [
            (["compare", scene, "--methods", "semi-explicit/pluss"], "unknown law 'pluss'"),
            (["compare", scene, "--methods", "stewart-trinkle/plus"], "choose stepper semi-explicit, event-driven or variational"),
            (["compare", scene, "--tolerance", "0"], "--tolerance 0"),
            (["compare", scene, "--budget", "-1"], "--budget -1"),
            (["compare", scene, "--out", "page.h5"], "must end in .html"),
            (["compare", "nothing.yaml"], "nothing.yaml"),
            (["converge", scene, "--methods", "event-driven/plus"], "error control"),
            (["converge", scene, "--steps", "0.01"], "at least two different steps"),
        ]:
            self.assertIn(sentence, self.carom(*words, status=2).stderr, words)


class Designs(CommandTest):
    STUDY = """scene: rod.yaml
unknowns: {J: {bounds: [0, %s]}}
contacts: {rear: [rod/rear, floor], front: [rod/front, floor]}
conditions: [{normals: [rear, front], are: orthogonal}]
"""
    SCENE = """carom: 1
parameters: {J: 0.1}   # kg m2
gravity: [0, 0, -9.81]
materials: [{name: all, friction: 0}]
world: {shapes: [{type: half-space, name: floor}]}
bodies:
  - name: rod
    inertia: {mass: 2, moments: [=J, =J, =J]}
    shapes:
      - {type: sphere, name: rear, radius: 0.01, position: [-0.25, 0, 0]}
      - {type: sphere, name: front, radius: 0.01, position: [0.5, 0, 0]}
    position: [0, 0, 0.01]
    velocity: [0, 0, -1]
method: {stepper: stewart-trinkle, step: 0.01}
duration: 0.1
"""

    def study(self, most):
        (self.folder / "rod.yaml").write_text(self.SCENE)
        (self.folder / "study.yaml").write_text(self.STUDY % most)
        return "study.yaml"

    def test_a_rod_gets_the_inertia_of_its_feet(self):
        done = self.carom("design", self.study(1), "--json", "--out", "new/rod.yaml")
        self.assertEqual(done.stderr, "")
        design = json.loads(done.stdout)
        self.assertTrue(design["met"])
        self.assertIsNone(design["why"])
        self.assertAlmostEqual(design["unknowns"][0]["after"], 2 * 0.25 * 0.5, delta=1e-12)
        self.assertEqual([design[when]["unique"] for when in ("before", "after")], ["no", "yes"])
        self.assertEqual(design["written"], "new/rod.yaml")
        written = (self.folder / "new" / "rod.yaml").read_text()
        self.assertEqual(written, self.SCENE.replace("J: 0.1}", "J: %r}" % design["unknowns"][0]["after"]))
        self.carom("run", "new/rod.yaml")
        self.assertIn("one outcome, from any velocity", self.carom("design", "study.yaml").stdout)

    def test_a_bound_in_the_way_ends_with_1_and_its_name(self):
        done = self.carom("design", self.study(0.2), "--out", "designed.yaml", status=1)
        self.assertIn("J at its upper bound 0.2", done.stdout)
        self.assertFalse((self.folder / "designed.yaml").exists())

    def test_wrong_words_end_with_2_and_a_sentence(self):
        study = self.study(1)
        for words, sentence in [
                (("design", "none.yaml"), "there is no such file"),
                (("design", study, "--out", "rod.yaml"), "is the scene that the study begins with"),
                (("design", study, "--out", study), "exists and is no scene"),
                (("design", study, "--out", "x.csv"), "its name must end in .yaml or .yml"),
                (("design", "rod.yaml"), "unknown key 'carom' in a study")]:
            self.assertIn(sentence, self.carom(*words, status=2).stderr)
        self.assertEqual((self.folder / "rod.yaml").read_text(), self.SCENE)

    def test_a_parameter_is_set_for_one_run(self):
        self.study(1)
        run = json.loads(self.carom("run", "rod.yaml", "--set", "J=0.3", "--set", "bodies/rod/position/2=2", "--json").stdout)
        self.assertAlmostEqual(run["bodies"][0]["position"][2], 2 - 0.1 - 0.5 * 9.81 * 0.1 * 0.11, delta=1e-3)
        for words, sentence in [
                (("run", "rod.yaml", "--set", "K=1"), "there is no parameter 'K'"),
                (("run", "rod.yaml", "--set", "J"), "write NAME=VALUE"),
                (("run", "rod.yaml", "--set", "bodies/rod/position/2=20deg"), "must be a number (m), but is '20deg'"),
                (("run", "--resume", run["record"], "--set", "J=1"), "--set can't change the scene of a run"),
                (("run", ROBOTS / "quadruped.urdf", "--set", "J=1"), "a model file has none")]:
            self.assertIn(sentence, self.carom(*words, status=2).stderr)


class Robots(CommandTest):
    """Model files: the three robots of scenes/robots, one of each format."""

    def inspect(self, name):
        return json.loads(self.carom("inspect", ROBOTS / name, "--json").stdout)

    def run_model(self, *words):
        run = json.loads(self.carom("run", *words, "--json").stdout)
        self.assertEqual(run["certificate"]["unsolved_steps"], 0)
        self.assertLess(run["certificate"]["penetration"], 1e-4)
        return run

    def test_inspect_tells_of_a_urdf(self):
        found = self.inspect("quadruped.urdf")
        links = {link["name"]: link for link in found["links"]}
        self.assertEqual(len(links), 13)
        self.assertEqual((links["trunk"]["type"], links["trunk"]["parent"]), ("free", None))
        self.assertAlmostEqual(links["trunk"]["mass"], 7.5 + 0.12, 12)  # with the camera, which is welded to it
        self.assertEqual((links["FL_calf"]["joint"], links["FL_calf"]["parent"]), ("FL_knee", "FL_thigh"))
        self.assertEqual((links["FL_calf"]["lower"], links["FL_calf"]["upper"]), ([-2.5], [-0.65]))
        self.assertIn(("camera", "trunk", 0.12), [(f["name"], f["link"], f["mass"]) for f in found["frames"]])
        self.assertEqual({s["name"] for s in found["shapes"] if s["material"]}, {"FL_foot", "FR_foot", "HL_foot", "HR_foot"})
        self.assertEqual(len(found["unused"]), 24)  # effort and velocity of twelve limits
        text = (ROBOTS / "quadruped.urdf").read_text().splitlines()
        for note in found["unused"]:
            self.assertIn("effort=", text[note["line"] - 1])

    def test_inspect_tells_of_an_mjcf_and_an_sdformat(self):
        humanoid = self.inspect("humanoid.xml")
        self.assertEqual((humanoid["keyframes"], humanoid["unused"]), (["crouch"], []))
        self.assertEqual(sum(len(link.get("lower", [])) for link in humanoid["links"]), 21)
        gripper = self.inspect("gripper.sdf")
        self.assertEqual([link["type"] for link in gripper["links"]], ["prismatic", "revolute"] * 2)
        self.assertEqual([link["parent"] for link in gripper["links"]],
                         ["world", "left_finger", "world", "right_finger"])
        text = self.carom("inspect", ROBOTS / "gripper.sdf").stdout
        self.assertIn("4 moving links, 0.38 kg", text)
        self.assertIn("everything in the file is used", text)

    def test_inspect_tells_alike_what_is_unused_in_one_line(self):
        model = self.folder / "pictures.urdf"
        links = "".join(f'<link name="l{i}"><visual/><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" '
                        'iyy="1" iyz="0" izz="1"/></inertial></link>\n' for i in range(3))
        joints = "".join(f'<joint name="j{i}" type="continuous"><parent link="l0"/><child link="l{i}"/></joint>\n'
                         for i in (1, 2))
        model.write_text(f'<robot name="r">\n{links}{joints}<transmission/>\n</robot>\n')
        lines = self.carom("inspect", model).stdout.splitlines()
        start = lines.index("not used: 4")
        self.assertEqual(lines[start + 1:], [f"  {model}:2: <visual>, 3 times: lines 2, 3, 4",
                                             f"  {model}:7: <transmission>"])
        self.assertEqual(len(json.loads(self.carom("inspect", model, "--json").stdout)["unused"]), 4)

    def test_inspect_says_first_what_a_run_will_find_missing(self):
        first = self.carom("inspect", ROBOTS / "quadruped.urdf").stdout.splitlines()
        self.assertEqual(first[1], "It runs:")
        told = self.inspect("quadruped.urdf")
        self.assertTrue(told["runs"])
        for part, option in (("no ground", "--drop"), ("no friction", "--friction"), ("HL_knee", "--joint")):
            self.assertTrue(any(part in text and option in text for text in told["advice"]), part)
        # What it advises leaves nothing to be told by the run.
        run = self.carom("run", ROBOTS / "quadruped.urdf", "--drop", "0.2", *KNEES, "--until", "0.01")
        self.assertNotIn("limit", run.stderr)

    def test_inspect_lists_the_faults_of_a_refused_model_as_json(self):
        model = self.folder / "two.urdf"
        model.write_text('<robot name="r">\n<link name="a"/>\n<link name="a"/>\n</robot>\n')
        told = json.loads(self.carom("inspect", model, "--json", status=2).stdout)
        self.assertFalse(told["runs"])
        self.assertEqual([fault["line"] for fault in told["faults"]], [3])

    def test_a_model_is_dropped_from_the_height_asked_for(self):
        run = self.run_model(ROBOTS / "quadruped.urdf", "--drop", "0.1", *KNEES, "--until", "0.2")
        first = run["events"][0]
        self.assertEqual(first["kind"], "touch")
        # t² = 2 H / g, within the two steps in which a contact may be foreseen
        self.assertLess(abs(first["time"] - (2 * 0.1 / 9.81) ** 0.5), 0.002)
        fixed = self.run_model(ROBOTS / "quadruped.urdf", "--fixed", *KNEES, "--until", "0.01")
        self.assertEqual(fixed["events"], [])

    def test_a_joint_that_cannot_start_at_zero_is_told(self):
        done = self.carom("run", ROBOTS / "quadruped.urdf", "--drop", "0.1", "--until", "0.01")
        self.assertIn("'HR_knee' starts at its limit, -0.65", done.stderr)
        done = self.carom("run", ROBOTS / "quadruped.urdf", "--drop", "0.1", *KNEES, "--until", "0.01")
        self.assertNotIn("starts at its limit", done.stderr)

    def test_a_keyframe_is_where_the_run_starts(self):
        run = self.run_model(ROBOTS / "humanoid.xml", "--keyframe", "crouch", "--until", "0.001")
        # Almost free fall for one step: the whole moves down by g h².
        pelvis = run["bodies"][0]
        self.assertEqual(pelvis["name"], "pelvis")
        for got, said in zip(pelvis["position"], (0, 0, 0.8)):
            self.assertLess(abs(got - said), 1e-3)

    def test_scenes_of_robots_run(self):
        run = self.run_model(ROBOTS / "gripper_hold.yaml", "--until", "0.3")
        brick = run["bodies"][0]
        self.assertEqual(brick["name"], "brick")
        self.assertLess(max(abs(a - b) for a, b in zip(brick["position"], (0, 0, 0.365))), 1e-9)
        self.assertLess(max(map(abs, run["state"]["v"])), 1e-9)
        run = self.run_model(ROBOTS / "quadruped_drop.yaml", "--until", "1")
        self.assertLess(max(map(abs, run["state"]["v"])), 1e-3)
        self.run_model(ROBOTS / "humanoid_fall.yaml", "--until", "0.6")

    def test_wrong_words_about_a_model_end_with_2_and_a_sentence(self):
        dog, man = ROBOTS / "quadruped.urdf", ROBOTS / "humanoid.xml"
        for words, part in (
                (("run", "missing.urdf"), "missing.urdf"),
                (("inspect", "missing.urdf"), "missing.urdf"),
                (("inspect", FOUR_BALLS), "not XML"),
                (("run", FOUR_BALLS, "--drop", "0.2"), "--drop"),
                (("run", dog, "--drop", "-1"), "--drop -1"),
                (("run", dog, "--joint", "FL_kne=-1"), "did you mean 'FL_knee'?"),
                (("run", dog, "--joint", "FL_knee=0.5"), "beyond its limit -0.65 rad"),
                (("run", dog, "--joint", "FL_knee"), "NAME=VALUE"),
                (("run", dog, "--friction", "-1"), "--friction -1"),
                (("run", man, "--keyframe", "stand"), "crouch")):
            done = self.carom(*words, status=2)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
