"""The files that are installed and packed, and the packages in a root that lacks the optional ones.

    test_packages.py CMAKE SOURCE BUILD

Installs a build by components and compares with the sources: each public header once, nothing private. With CAROM_LONG
set `make package` is run, and lintian finds nothing. Where mmdebstrap can make a root, the packages are installed in
one that has only what they depend on. There the command runs a scene, a project finds the core, and Python imports the
module. In another root, with the core's packages alone, the commands of docs/manual/from-cpp.md build, install and use
the core; the time is told.
"""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

CMAKE, SOURCE, BUILD = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
LIBRARY = ("core", "model_files", "records", "studies")
# A box slides to a stop and is recorded, by the installed module alone.
IMPORTED = """
import carom
run = carom.run("/usr/share/carom/scenes/sliding_box.yaml", "box.h5")
assert abs(run["box.position.x"][-1] - 2**2 / (2 * 0.3 * 9.81)) < 0.01
assert "/usr/lib/python3/dist-packages" in carom.__file__, carom.__file__
"""


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


class Staged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.files = {}
        for component in (*LIBRARY, "command"):
            prefix = pathlib.Path(cls.folder.name) / component
            done = run(CMAKE, "--install", BUILD, "--component", component, "--prefix", prefix)
            assert done.returncode == 0, done.stdout + done.stderr
            cls.files[component] = sorted(path.relative_to(prefix).as_posix() for path in prefix.rglob("*") if path.is_file())

    def test_no_file_is_in_two_components(self):
        every = [name for names in self.files.values() for name in names]
        self.assertEqual(len(every), len(set(every)))

    def test_each_public_header_is_there_once_and_no_private_one(self):
        lists = (SOURCE / "cmake" / "private_headers.cmake").read_text()
        private = {f"carom/{room}/{name}" for room, names in re.findall(r"set\(CAROM_PRIVATE_(\w+)\s([^)]*)\)", lists)
                   for name in names.split()}
        headers = {path.relative_to(SOURCE).as_posix() for path in (SOURCE / "carom").rglob("*.h")
                   if not {"test", "validation"} & set(path.parts)}
        self.assertTrue(private < headers, private - headers)
        installed = [name.removeprefix("include/") for component in LIBRARY for name in self.files[component]
                     if name.startswith("include/")]
        self.assertEqual(sorted(installed), sorted(headers - private))

    def test_the_library_is_archives_and_what_finds_them(self):
        rooms = set(re.findall(r"(?m)^ *carom_room\((\w+)", (SOURCE / "CMakeLists.txt").read_text())) - {"validation"}
        archives = {name for component in LIBRARY for name in self.files[component] if name.endswith(".a")}
        self.assertEqual({pathlib.Path(name).name for name in archives}, {f"libcarom_{room}.a" for room in (*rooms, "report_page")})
        rest = [name for component in LIBRARY for name in self.files[component]
                if not name.startswith("include/") and not name.endswith(".a")]
        for name in rest:
            self.assertRegex(name, r"^lib/([^/]+/)?(cmake/carom/.*\.cmake|pkgconfig/carom\.pc)$")

    def test_the_command_has_pages_completion_and_scenes(self):
        self.assertIn("bin/carom", self.files["command"])
        self.assertIn("libexec/carom/carom-validate", self.files["command"])
        self.assertIn("share/bash-completion/completions/carom", self.files["command"])
        self.assertIn("share/man/man1/carom.1", self.files["command"])
        self.assertIn("share/man/man1/carom-run.1", self.files["command"])
        scenes = {f"share/carom/{path.relative_to(SOURCE)}" for path in (SOURCE / "scenes").rglob("*") if path.is_file()}
        self.assertEqual({name for name in self.files["command"] if name.startswith("share/carom/")}, scenes)
        carom = pathlib.Path(self.folder.name) / "command" / "bin" / "carom"
        done = run(carom, "validate", "seghete2014", "--json", cwd=self.folder.name)  # finds the installed scenes
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_python_module_is_a_package_of_its_own(self):
        if not (BUILD / "python").is_dir():
            self.skipTest("this build has no Python module")
        prefix = pathlib.Path(self.folder.name) / "python"
        done = run(CMAKE, "--install", BUILD, "--component", "python", "--prefix", prefix)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        installed = sorted(path.relative_to(prefix / "lib/python3/dist-packages/carom").as_posix()
                           for path in prefix.rglob("*") if path.is_file())
        sources = sorted(path.name for path in (SOURCE / "python" / "carom").iterdir()
                         if path.suffix in (".py", ".pyi", ".typed"))
        module = [name for name in installed if name.endswith(".so")]
        self.assertEqual(len(module), 1, installed)
        self.assertEqual(sorted(set(installed) - set(module)), sources)


def processor_seconds():
    """Time that the processes started from here have taken, of those that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Root:
    """A Debian with few packages, in a folder that goes with the `with`."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name) / "root"
        made = run("mmdebstrap", "--mode=root", "--variant=apt", "bookworm", self.path)
        assert made.returncode == 0, made.stderr[-1000:]
        self.inside("apt-get update")  # mmdebstrap takes the lists away
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def inside(self, command, status=0):
        done = run("chroot", self.path, "env", "HOME=/opt", "sh", "-ec", command)
        assert done.returncode == status, f"{command}: {done.returncode}\n" + done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout + done.stderr


NEEDS_ROOT = unittest.skipIf(shutil.which("mmdebstrap") is None or os.geteuid() != 0, "needs mmdebstrap and root")


@unittest.skipUnless("CAROM_LONG" in os.environ, "CAROM_LONG is not set")
class Core(unittest.TestCase):
    @NEEDS_ROOT
    def test_the_manuals_commands_build_it_where_its_packages_alone_are(self):
        page = (SOURCE / "docs" / "manual" / "from-cpp.md").read_text()
        core, _, first = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)[:3]
        install, *build = core.replace("sudo ", "").splitlines()
        with Root() as root:
            root.inside(install.replace("install", "install -y"))
            sources = root.path / "opt" / "carom-sources"
            sources.mkdir()
            archive = subprocess.run(["git", "-C", SOURCE, "archive", "HEAD"], capture_output=True, check=True).stdout
            subprocess.run(["tar", "-x", "-C", sources], input=archive, check=True)
            start, spent = time.monotonic(), processor_seconds()
            root.inside("cd /opt/carom-sources && " + " && ".join(build))
            print(f"The core was built and installed in {time.monotonic() - start:.0f} s, "
                  f"{processor_seconds() - spent:.0f} s of processor time.", file=sys.stderr)
            root.inside("cp -r /opt/carom-sources/docs/examples/first_project /opt && cd /opt && "
                        + " && ".join(first.strip().splitlines()))


@unittest.skipUnless("CAROM_LONG" in os.environ, "CAROM_LONG is not set")
class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        packager = {**os.environ, "DEBFULLNAME": "Carom Packagers", "DEBEMAIL": "carom@packages.debian.org"}
        done = run("make", "package", cwd=SOURCE, env=packager)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        cls.packages = SOURCE / "build-package" / "packages"
        cls.debs = sorted(cls.packages.glob("*.deb"))

    def contents(self, name):
        deb = next(path for path in self.debs if path.name.startswith(name + "_"))
        return run("dpkg-deb", "--contents", deb).stdout, run("dpkg-deb", "--field", deb).stdout

    def test_there_are_three_packages_and_the_sources(self):
        self.assertEqual([path.name.split("_")[0] for path in self.debs], ["carom", "libcarom-dev", "python3-carom"])
        files, fields = self.contents("carom")
        self.assertIn("./usr/share/man/man1/carom-run.1.gz", files)
        self.assertIn("./usr/share/doc/carom/copyright", files)
        self.assertNotIn("/usr/include", files)
        for library in ("libc6", "libhdf5", "libyaml-cpp", "libsdformat"):
            self.assertRegex(fields, rf"(?m)^Depends:.*\b{library}")
        files, fields = self.contents("libcarom-dev")
        self.assertIn("/carom-config.cmake", files)
        self.assertRegex(fields, r"(?m)^Depends: libeigen3-dev")
        files, fields = self.contents("python3-carom")
        self.assertRegex(files, r"\./usr/lib/python3/dist-packages/carom/_carom\.cpython-3\d+-[\w-]+\.so")
        self.assertIn("./usr/lib/python3/dist-packages/carom/py.typed", files)
        for needed in (r"python3 \(>= 3\.\d+\)", r"python3 \(<< 3\.\d+\)", "python3-numpy", "libc6", "libhdf5"):
            self.assertRegex(fields, rf"(?m)^Depends:.*\b{needed}")
        archive = next(self.packages.glob("*.tar.gz"))
        self.assertNotIn(b"$Format", subprocess.run(["tar", "-xzO", "--wildcards", "*/cmake/commit.txt", "-f", archive],
                                                    capture_output=True, check=True).stdout)

    @unittest.skipIf(shutil.which("lintian") is None, "lintian is not installed")
    def test_lintian_finds_nothing(self):
        done = run("lintian", "--allow-root", "--fail-on", "error,warning", *self.debs)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    @NEEDS_ROOT
    def test_they_work_in_a_root_with_what_they_depend_on_alone(self):
        with Root() as root:
            for deb in self.debs:
                shutil.copy(deb, root.path / "tmp")
            shutil.copytree(SOURCE / "docs" / "examples" / "first_project", root.path / "tmp" / "first_project")
            root.inside("apt-get install -y --no-install-recommends g++ cmake make /tmp/*.deb")
            root.inside("cd /tmp && carom --version && "
                        "carom run /usr/share/carom/scenes/stewart2000/four_balls.yaml --until 0.2")
            self.assertNotIn("libsdformat-dev", root.inside("dpkg-query -W"))
            root.inside("cd /tmp && python3 -c '" + IMPORTED + "'")
            root.inside("cd /tmp && cmake -S first_project -B b && cmake --build b && b/first_project")
            refused = root.inside("cd /tmp && sed -i 's/REQUIRED/REQUIRED COMPONENTS model_files/' first_project/CMakeLists.txt "
                                  "&& cmake -S first_project -B c", status=1)
            self.assertIn("needs", refused)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
