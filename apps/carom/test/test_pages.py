"""Manual pages and completion, which the program writes from the description of its command line.

Usage: test_pages.py CAROM SCENES
"""
import re
import shutil
import subprocess
import unittest

from carom_command import CAROM, CommandTest


class Pages(CommandTest):
    def setUp(self):
        super().setUp()
        self.carom("pages", "pages")
        self.pages = {path.name: path.read_text() for path in (self.folder / "pages" / "man1").iterdir()}
        self.completion = self.folder / "pages" / "bash-completion" / "carom"
        self.commands = re.findall(r"(?m)^  ([a-z]+) ", self.carom("--help").stdout.partition("Subcommands:")[2])

    def options(self, *command):
        """Names of options as the help lists them."""
        listed = self.carom(*command, "--help").stdout.partition("Options:")[2].partition("Subcommands:")[0]
        return {name for line in listed.splitlines() for word in line.split()[:1] if line.startswith("  -")
                for name in word.split(",")}

    def plain(self, page):
        return re.sub(r"\\f[BIR]", "", self.pages[page]).replace("\\-", "-").replace("\\&", "").replace("\\e", "\\")

    def complete(self, *words):
        """Proposals for the last of the words that were typed."""
        typed = [word for each in ("carom", *words) for word in re.split(r"(?<==)|(?==)", each) if word or not each]
        script = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _carom; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script, "bash", self.completion, *typed], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return set(done.stdout.split())

    def test_the_version_names_the_commit(self):
        self.assertRegex(self.carom("--version").stdout,
                         r"^carom \d+\.\d+\.\d+ \(commit (unknown|[0-9a-f]{7,40}( with changes)?)\)\n$")

    def test_every_command_has_a_page_with_its_options(self):
        self.assertGreater(len(self.commands), 8)
        self.assertNotIn("pages", self.commands)
        self.assertEqual(set(self.pages), {"carom.1"} | {f"carom-{command}.1" for command in self.commands})
        for command in self.commands:
            self.assertIn(f"carom-{command}(1)", self.plain("carom.1"))
            page = self.plain(f"carom-{command}.1")
            options = self.options(command)
            self.assertIn("--help", options)
            for option in options:
                self.assertRegex(page, rf"(?m)^\.TP\n(\S+, )?{re.escape(option)}\b")
            text = " ".join(page.split())
            for line in self.carom(command, "--help").stdout.partition("Usage:")[0].splitlines():
                self.assertIn(" ".join(line.removeprefix("Example").split()), text)

    @unittest.skipIf(shutil.which("mandoc") is None, "mandoc is not installed")
    def test_mandoc_has_no_warning(self):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *self.pages], cwd=self.folder / "pages" / "man1",
                              capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    @unittest.skipIf(shutil.which("groff") is None, "groff is not installed")
    def test_groff_has_no_warning(self):
        for name in self.pages:
            done = subprocess.run(["groff", "-man", "-K", "utf8", "-T", "utf8", "-ww", "-z", name],
                                  cwd=self.folder / "pages" / "man1", capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""), name)

    @unittest.skipIf(shutil.which("lexgrog") is None, "lexgrog (man-db) is not installed")
    def test_every_page_can_be_found_by_what_it_is_about(self):
        for name in self.pages:
            done = subprocess.run(["lexgrog", f"pages/man1/{name}"], cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(f'"{name.removesuffix(".1")} - ', done.stdout)

    def test_bash_completes(self):
        self.assertEqual(self.complete(""), {*self.commands, "help", *self.options()})
        self.assertEqual(self.complete("con"), {"converge"})
        self.assertEqual(self.complete("help", "des"), {"design"})
        for command in self.commands:
            self.assertEqual(self.complete(command, "-"), self.options(command))
        self.assertEqual(self.complete("run", "scene.yaml", "--ste"), {"--step", "--stepper"})
        self.assertEqual(self.complete("run", "--cone", ""), {"polyhedral", "exact"})
        self.assertEqual(self.complete("run", "--cone=ex"), {"exact"})
        self.assertEqual(self.complete("run", "--law", "pl"), {"plus", "plastic"})
        self.assertEqual(self.complete("run", "--law="), self.complete("run", "--law", ""))
        self.assertEqual(self.complete("run", "--step", ""), set())  # a number
        self.assertEqual(self.complete("run", ""), set())  # a file, which bash itself completes

    def test_what_completion_offers_is_taken(self):
        for law in self.complete("run", "--law", ""):
            done = subprocess.run([CAROM, "run", "none.yaml", "--law", law], cwd=self.folder, capture_output=True, text=True)
            self.assertIn("none.yaml", done.stderr)


if __name__ == "__main__":
    unittest.main()
