"""Names of the files that commands write, and what of the machine stands in them.

Usage: test_names.py CAROM SCENES
"""
import json
import pty
import os
import shutil
import subprocess
import unittest

from carom_command import CAROM, FOUR_BALLS, SCENES, CommandTest, h5py

TREX = SCENES / "seghete2014" / "trex.yaml"
QUADRUPED = SCENES / "robots" / "quadruped.urdf"


class Names(CommandTest):
    def record(self, *words, status=0):
        return json.loads(self.carom("run", *words, "--json", status=status).stdout)["record"]

    def test_variations_have_records_of_their_own(self):
        names = [self.record(FOUR_BALLS, "--until", "0.05", *words) for words in (
            (), ("--step", "0.001"), ("--stepper", "anitescu-potra"), ("--cone", "exact"), ("--dynamics", "dense"))]
        names.append(self.record(FOUR_BALLS, "--until", "0.04"))
        self.assertEqual(len(set(names)), len(names))
        self.assertEqual(names[1], "runs/four_balls-step=0.001-until=0.05.h5")
        for name in names:
            self.assertTrue((self.folder / name).is_file())
            self.assertTrue((self.folder / name).with_suffix(".html").is_file())
        self.assertEqual(self.record(FOUR_BALLS, "--until", "0.05"), names[0])  # the same again

    def test_variations_by_set_and_of_models(self):
        a = self.record(TREX, "--set", "front=0.08", "--until", "0.005", status=0)
        b = self.record(TREX, "--set", "front=0.07", "--until", "0.005", status=0)
        self.assertEqual((a, b), ("runs/trex-front=0.08-until=0.005.h5", "runs/trex-front=0.07-until=0.005.h5"))
        c = self.record(QUADRUPED, "--drop", "0.3", "--until", "0.01")
        self.assertEqual(c, "runs/quadruped-drop=0.3-until=0.01.h5")

    def test_many_changes_have_a_short_name(self):
        knees = [word for leg in ("FL", "FR", "HL", "HR") for joint in ("hip", "knee", "abduction")
                 for word in ("--joint", f"{leg}_{joint}=-1.2345678901234")]
        done = self.carom("run", QUADRUPED, "--drop", "0.3", *knees[:2], "--keyframe", "x" * 300, status=2)
        self.assertNotIn("filesystem", done.stderr)

    def test_a_scene_of_the_same_stem_is_not_overwritten(self):
        for folder in ("a", "b"):
            (self.folder / folder).mkdir()
            shutil.copy(FOUR_BALLS, self.folder / folder / "balls.yaml")
        self.carom("run", "a/balls.yaml")
        before = (self.folder / "runs" / "balls.h5").read_bytes()
        refused = self.carom("run", "b/balls.yaml", status=2)
        self.assertIn("a/balls.yaml", refused.stderr)
        self.assertIn("--force", refused.stderr)
        self.assertEqual((self.folder / "runs" / "balls.h5").read_bytes(), before)
        self.carom("run", "a/balls.yaml")
        self.carom("run", self.folder / "a" / "balls.yaml")
        self.carom("run", "b/balls.yaml", "--force")
        self.carom("run", "b/balls.yaml", "--out", "runs/balls.h5")
        self.carom("run", "a/balls.yaml", "--out", "runs/balls.h5", status=2)

    def test_a_named_record_of_another_scene_is_replaced_with_force_only(self):
        (self.folder / "other.yaml").write_text((SCENES / "sliding_box.yaml").read_text())
        run = ("run", "other.yaml", "--until", "0.01", "--out", "r.h5")
        self.carom("run", FOUR_BALLS, "--until", "0.01", "--out", "r.h5")
        before = [(self.folder / name).read_bytes() for name in ("r.h5", "r.html")]
        for words in (run, ("run", "--resume", "whole.h5", "--until", "0.02", "--out", "r.h5")):
            self.carom("run", "other.yaml", "--until", "0.01", "--out", "whole.h5")
            told = self.carom(*words, status=2).stderr
            self.assertIn("r.h5 is the record of another scene", told)
            self.assertIn("--force", told)
            self.assertEqual([(self.folder / name).read_bytes() for name in ("r.h5", "r.html")], before)
        self.carom(*run, "--force")
        self.carom(*run)
        # The same scene from another folder has another name.
        (self.folder / "deep").mkdir()
        done = subprocess.run([CAROM, "run", "../other.yaml", "--until", "0.01", "--out", "../r.h5"],
                              cwd=self.folder / "deep", capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipIf(h5py is None, "python3-h5py is not installed")
    def test_a_file_that_is_no_record_is_replaced_with_force_only(self):
        with h5py.File(self.folder / "mine.h5", "w") as file:
            file["mine"] = [1.0, 2.0]
        run = ("run", FOUR_BALLS, "--until", "0.01", "--out", "mine.h5")
        told = self.carom(*run, status=2).stderr
        self.assertIn("mine.h5 exists and is no record", told)
        with h5py.File(self.folder / "mine.h5") as file:
            self.assertEqual(list(file), ["mine"])
        self.carom(*run, "--force")
        self.carom(*run)

    def test_records_of_a_comparison_of_another_scene_are_replaced_with_force_only(self):
        rest = ("--methods", "stewart-trinkle", "--budget", "1", "--until", "0.05", "--out", "page.html")
        self.carom("compare", FOUR_BALLS, *rest)
        told = self.carom("compare", SCENES / "sliding_box.yaml", *rest, status=2).stderr
        self.assertIn("is the record of another scene", told)
        self.carom("compare", SCENES / "sliding_box.yaml", *rest, "--force")

    def test_what_a_command_takes_is_told_where_there_is_no_such_file(self):
        for command in ("sweep", "fit", "design"):
            self.assertIn("give the path of a study file", self.carom(command, "nosuch", status=2).stderr)
        for command in ("compare", "converge", "impact"):
            told = self.carom(command, "nosuch", status=2).stderr
            self.assertIn("a scene (YAML), a model (URDF, SDFormat, MJCF) or a record (.h5)", told)
            self.assertIn("nosuch.h5: there is no such record", self.carom(command, "nosuch.h5", status=2).stderr)
        self.assertIn("a scene (YAML) or a model", self.carom("run", "nosuch", status=2).stderr)

    def test_what_is_no_record_and_what_is_not_whole_is_told_in_a_sentence(self):
        self.carom("run", FOUR_BALLS, "--until", "0.1", "--out", "whole.h5")
        whole = (self.folder / "whole.h5").read_bytes()
        (self.folder / "cut.h5").write_bytes(whole[:len(whole) // 2])
        for words in (("run", "--resume", FOUR_BALLS), ("export", FOUR_BALLS, "--list"), ("view", FOUR_BALLS)):
            told = self.carom(*words, status=2).stderr
            self.assertIn("four_balls.yaml is no record of Carom: it is no HDF5 file", told)
            self.assertNotIn("HDF5:", told)
        for words in (("run", "--resume", "cut.h5"), ("export", "cut.h5", "--list"), ("view", "cut.h5")):
            told = self.carom(*words, status=2).stderr
            self.assertIn("cut.h5: the record is cut short", told)
            self.assertNotIn("HDF5:", told)
        self.assertIn("an HDF5 file, as records of runs are", self.carom("inspect", "whole.h5", status=2).stderr)
        self.assertIn("an HDF5 file, as records of runs are", self.carom("sweep", "whole.h5", status=2).stderr)

    def test_names_far_from_all_are_answered_with_none(self):
        self.carom("run", FOUR_BALLS, "--until", "0.1", "--out", "balls.h5")
        for name in ("foo.bar", "nosuch*"):
            told = self.carom("export", "balls.h5", "--csv", "a.csv", "--column", name, status=2).stderr
            self.assertNotIn("nearest", told)
            self.assertIn("carom export --list", told)
        told = self.carom("run", FOUR_BALLS, "--output", "x=foo.bar", status=2).stderr
        self.assertIn("there is no 'foo.bar'", told)
        self.assertNotIn("nearest", told)

    def test_a_step_that_asks_for_very_many_is_warned_of(self):
        run = subprocess.Popen([CAROM, "run", FOUR_BALLS, "--step", "1e-12", "--no-record"], cwd=self.folder,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.assertIn("e+12 steps of 1e-12 s", run.stderr.readline())
        run.terminate()
        run.communicate(timeout=30)
        self.assertNotIn("steps of", self.carom("run", FOUR_BALLS, "--until", "0.1", "--no-record").stderr)

    def test_more_threads_than_cores_are_not_asked_for(self):
        (self.folder / "study.yaml").write_text(f"scene: {FOUR_BALLS}\nvary: {{a: {{at: method/step, values: [0.01, 0.02]}}}}\n")
        done = subprocess.run([CAROM, "sweep", "study.yaml", "--threads", "2", "--quiet"], cwd=self.folder, text=True,
                              capture_output=True, preexec_fn=lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))}))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_what_is_hdf5_has_its_ending(self):
        for words in (("run", FOUR_BALLS, "--until", "0.01", "--out", "x.csv"),):
            self.assertIn("must end in .h5 or .hdf5", self.carom(*words, status=2).stderr)
            self.assertFalse((self.folder / "x.csv").exists())
        self.carom("run", FOUR_BALLS, "--until", "0.01", "--out", "x.h5")
        self.assertIn(".h5", self.carom("problem", "x.h5", "--step", "1", "--out", "x.csv", status=2).stderr)
        self.carom("problem", "x.h5", "--step", "1", "--out", "p.hdf5")
        self.assertIn(".h5", self.carom("solve", "p.hdf5", "--out", "x.csv", status=2).stderr)
        self.assertFalse((self.folder / "x.csv").exists())

    def test_a_name_that_is_too_long_is_told(self):
        long = "x" * 300
        self.carom("run", FOUR_BALLS, "--until", "0.01", "--out", "x.h5")
        for words in (("run", FOUR_BALLS, "--out", long + ".h5"), ("run", FOUR_BALLS, "--out", long + "/a.h5"),
                      ("impact", SCENES / "ball_row.yaml", "--out", long + ".html"),
                      ("compare", FOUR_BALLS, "--out", long + ".html"), ("view", "x.h5", "--out", long + ".html"),
                      ("problem", "x.h5", "--step", "1", "--out", long + ".hdf5")):
            done = self.carom(*words, status=2)
            self.assertIn("bytes; file systems take about", done.stderr)
            self.assertNotIn("filesystem error", done.stderr)

    @unittest.skipIf(shutil.which("chromium") is None, "chromium is not installed")
    def test_a_picture_leaves_the_page_as_it_is(self):
        self.carom("run", FOUR_BALLS, "--until", "0.01", "--out", "x.h5")
        page = self.folder / "x.html"
        page.write_text("<!doctype html>my notes")
        done = self.carom("view", "x.h5", "--png", "x.png")
        self.assertEqual(done.stdout, "picture  x.png\n")
        self.assertEqual(page.read_text(), "<!doctype html>my notes")

    def test_pages_hold_no_folder_of_the_machine(self):
        self.carom("run", self.folder / "q.urdf", status=2)
        shutil.copy(QUADRUPED, self.folder / "q.urdf")
        (self.folder / "meshes").mkdir()
        self.carom("run", self.folder / "q.urdf", "--drop", "0.3", "--until", "0.01", "--search-path", self.folder / "meshes",
                   "--out", self.folder / "q.h5")
        (self.folder / "s.yaml").write_text(
            "carom: 1\ngravity: [0, 0, -9.81]\nmaterials: [{name: m, friction: 0.5}]\n"
            "world: {shapes: [{type: half-space, material: m}]}\n"
            f"models: [{{file: {self.folder / 'q.urdf'}, material: m, drop: 0.1}}]\n"
            "method: {stepper: stewart-trinkle, step: 0.001}\nduration: 0.01\n")
        self.carom("run", self.folder / "s.yaml", "--out", self.folder / "s.h5")
        self.carom("compare", self.folder / "s.yaml", "--methods", "stewart-trinkle", "--budget", "1", "--out",
                   self.folder / "c.html")
        for page in ("q.html", "s.html", "c.html"):
            self.assertFalse(str(self.folder) in (self.folder / page).read_text(), page)

    def test_the_bar_counts_events(self):
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
        self.assertRegex(shown, rb"%, \d+ events? ")

    def test_an_impact_names_the_columns_of_its_state(self):
        state = json.loads(self.carom("impact", SCENES / "ball_row.yaml", "--law", "plus", "--json").stdout)["state"]
        self.assertEqual(len(state["q_names"]), len(state["q"]))
        self.assertEqual(len(state["v_names"]), len(state["v"]))


if __name__ == "__main__":
    unittest.main()
