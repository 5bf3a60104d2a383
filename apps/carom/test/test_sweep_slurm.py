"""carom sweep --engine slurm under a Slurm of the test's own: the table of a sweep on one machine, whatever dies."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from carom_command import CAROM, SCENES

from private_slurm import PrivateSlurm, why_not

STUDY = """scene: {scene}
runs: 150
seed: 5
vary:
  friction: {{at: materials/plastic/friction, uniform: [0.1, 0.4]}}
  speed: {{at: bodies/cube/velocity/0, normal: [0.9, 0.1]}}
methods: [stewart-trinkle/poisson, semi-explicit/plus]
outputs:
  place: cube.position
"""


def processes_with(*words):
    """Numbers of the processes whose command has all of the words."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:  # it has ended
            continue
        if all(word in command for word in words):
            found.append(int(entry.name))
    return found


def end_at_once(processes):
    for process in processes:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def end_group_at_once(command):
    try:
        os.killpg(command.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    command.communicate()


@unittest.skipIf(why_not(), why_not())
class SweepOnSlurm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.path = pathlib.Path(folder.name)
        cls.slurm = cls.enterClassContext(PrivateSlurm())
        cls.study = cls.path / "toss.yaml"
        cls.study.write_text(STUDY.format(scene=pathlib.Path(SCENES).resolve() / "cube_toss.yaml"))
        local = subprocess.run([CAROM, "sweep", str(cls.study), "--out", str(cls.path / "local.csv"), "--quiet"],
                               timeout=120)
        assert local.returncode == 0

    def command(self, out):
        return [CAROM, "sweep", str(self.study), "--out", str(self.path / out), "--engine", "slurm", "--chunks", "3",
                "--sbatch=--mem=10", "--no-page"]

    def assert_table_is_that_of_one_machine(self, out):
        for ending in (".csv", ".h5"):
            self.assertEqual((self.path / out).with_suffix(ending).read_bytes(),
                             (self.path / "local.csv").with_suffix(ending).read_bytes())

    def begin_and_wait_for_part(self, out, part):
        """The command, and the processes of a part that is at work."""
        command = subprocess.Popen(self.command(out), env=self.slurm.env, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(end_group_at_once, command)
        journal = self.path / out.replace(".csv", f".journal.part-{part}")
        end = time.monotonic() + 60
        while time.monotonic() < end:
            # A journal of some lines: the part is in the middle of its work.
            if journal.exists() and journal.stat().st_size > 2000:
                return command, processes_with(str(self.path / out), f"{part}/3")
            time.sleep(0.002)
        command.kill()
        self.fail(f"part {part} was not seen at work: {command.communicate()}")

    def test_a_job_array_gives_the_table_of_one_machine(self):
        done = subprocess.run(self.command("array.csv"), env=self.slurm.env, capture_output=True, text=True,
                              timeout=180)
        logs = "\n".join(path.read_text() for path in self.path.glob("array.slurm.sh*.log"))
        self.assertEqual(done.returncode, 0, done.stderr + logs)
        self.assertIn("#SBATCH --mem=10\n", (self.path / "array.slurm.sh").read_text())
        self.assert_table_is_that_of_one_machine("array.csv")

    def test_what_a_killed_job_leaves_is_told_and_done_by_the_same_command(self):
        command, own = self.begin_and_wait_for_part("killed.csv", 1)
        end_at_once(own)
        _, told = command.communicate(timeout=120)
        self.assertEqual(command.returncode, 1, told)
        self.assertRegex(told, r"[0-9]+ of 300 cases are not done; the same command goes on with them")
        again = subprocess.run(self.command("killed.csv"), env=self.slurm.env, capture_output=True, text=True,
                               timeout=180)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assert_table_is_that_of_one_machine("killed.csv")

    def test_what_sbatch_says_of_a_wrong_option_is_in_the_log(self):
        done = subprocess.run([*self.command("wrong.csv"), "--sbatch=--partition=nowhere"], env=self.slurm.env,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 1)
        self.assertIn("300 of 300 cases are not done", done.stderr)
        self.assertIn("invalid partition", (self.path / "wrong.slurm.sh.log").read_text())

    @unittest.skipUnless(os.environ.get("CAROM_LONG"), "CAROM_LONG is not set: Slurm waits two minutes for a node")
    def test_a_part_whose_node_fails_is_put_back_into_the_queue(self):
        command, _ = self.begin_and_wait_for_part("node.csv", 1)
        self.slurm.fail_node()
        _, told = command.communicate(timeout=400)
        self.assertEqual(command.returncode, 0, told)
        self.assert_table_is_that_of_one_machine("node.csv")


if __name__ == "__main__":
    unittest.main()
