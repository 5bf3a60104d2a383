"""The core, installed to an empty folder, serves a project outside the tree.

    test_core.py CMAKE SOURCE BUILD COMPILER

Installs the component `core` of a build, and checks it. The project docs/examples/first_project is found, compiled with
all warnings as errors and run, by CMake and by pkg-config. Installed headers include installed headers alone and
compile together. A component that is not there is refused with a sentence. The folder may be moved.
"""
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, SOURCE, BUILD, COMPILER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), sys.argv[4]
PROJECT = SOURCE / "docs" / "examples" / "first_project"
STRICT = ["-Wall", "-Wextra", "-Werror"]


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


class InstalledCore(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.root = pathlib.Path(cls.folder.name)
        # It is moved after it was installed: nothing in it may name the place.
        done = run(CMAKE, "--install", BUILD, "--component", "core", "--prefix", cls.root / "first")
        assert done.returncode == 0, done.stdout + done.stderr
        cls.prefix = cls.root / "prefix"
        (cls.root / "first").rename(cls.prefix)
        cls.include = cls.prefix / "include"
        cls.headers = sorted(path.relative_to(cls.include).as_posix() for path in cls.include.rglob("*.h"))

    def configure(self, project, *options):
        return run(CMAKE, "-S", project, "-B", self.root / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                   f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_CXX_FLAGS={' '.join(STRICT)}", *options)

    def tearDown(self):
        shutil.rmtree(self.root / "build", ignore_errors=True)

    def test_a_project_outside_the_tree_finds_it_and_runs(self):
        done = self.configure(PROJECT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = run(CMAKE, "--build", self.root / "build")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = run(self.root / "build" / "first_project")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("unsolved steps: 0", done.stdout)

    @unittest.skipIf(shutil.which("pkg-config") is None, "pkg-config is not installed")
    def test_pkg_config_gives_what_links(self):
        paths = sorted({str(path.parent) for path in self.prefix.rglob("carom.pc")})
        flags = run("pkg-config", "--cflags", "--libs", "carom",
                    env={"PKG_CONFIG_PATH": ":".join(paths), "PATH": "/usr/bin:/bin"})
        self.assertEqual(flags.returncode, 0, flags.stderr)
        source = self.root / "version.cpp"
        source.write_text('#include <carom/stepper/simulation.h>\n#include <carom/version.h>\n#include <cstdio>\n'
                          'int main() { std::printf("%s %d", carom::version, int(carom::all_steppers().size())); }\n')
        done = run(COMPILER, source, *STRICT, *flags.stdout.split(), "-o", self.root / "version")
        self.assertEqual(done.returncode, 0, done.stderr)
        version, steppers = run(self.root / "version").stdout.split()
        asked = run("pkg-config", "--modversion", "carom", env={"PKG_CONFIG_PATH": ":".join(paths), "PATH": "/usr/bin:/bin"})
        self.assertEqual(version, asked.stdout.strip())
        self.assertGreater(int(steppers), 5)

    def test_programs_that_would_allocate_otherwise_are_refused(self):
        source = self.root / "uses.cpp"
        source.write_text("#include <carom/carom.h>\nint main() {}\n")
        eigen = run("pkg-config", "--cflags", "eigen3").stdout.split() or ["-I/usr/include/eigen3"]
        known = ["-std=c++20", "-fsyntax-only", "-DCAROM_INSTALLED_PORTABLE=1", "-I", self.include, *eigen, source]
        self.assertEqual(run(COMPILER, *known).returncode, 0)
        if platform.machine() == "x86_64":
            done = run(COMPILER, "-mavx2", *known)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("compiled without -march=native", done.stderr)
        sanitized = run("g++", "-fsanitize=address", *known)
        self.assertIn("add -DEIGEN_MALLOC_ALREADY_ALIGNED=1", sanitized.stderr)
        self.assertEqual(run("g++", "-fsanitize=address", "-DEIGEN_MALLOC_ALREADY_ALIGNED=1", *known).returncode, 0)

    def test_installed_headers_are_whole(self):
        """That each stands alone is seen where the rooms are built (lone_headers); here all meet in one source."""
        self.assertIn("carom/carom.h", self.headers)
        for name in self.headers:
            for included in re.findall(r'#include [<"](carom/[^">]+)', (self.include / name).read_text()):
                self.assertIn(included, self.headers, f"{name} includes {included}, which is not installed")
        source = self.root / "all.cpp"
        source.write_text("".join(f"#include <{name}>\n" for name in self.headers) + "int main() {}\n")
        eigen = run("pkg-config", "--cflags", "eigen3").stdout.split() or ["-I/usr/include/eigen3"]
        done = run(COMPILER, "-std=c++20", "-fsyntax-only", *STRICT, "-I", self.include, *eigen, source)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_private_is_not_installed(self):
        lists = (SOURCE / "cmake" / "private_headers.cmake").read_text()
        private = [f"carom/{room}/{name}" for room, names in re.findall(r"set\(CAROM_PRIVATE_(\w+)\s([^)]*)\)", lists)
                   for name in names.split()]
        self.assertGreater(len(private), 10)
        self.assertFalse(set(private) & set(self.headers))
        self.assertFalse([name for name in self.headers if "/test/" in name])

    def test_what_was_not_installed_is_refused(self):
        project = self.root / "asks"
        project.mkdir(exist_ok=True)
        for component, sentence in (("studies", "was not installed"), ("studdies", "there is no component 'studdies'")):
            (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(asks CXX)\n"
                                                    f"find_package(carom REQUIRED COMPONENTS {component})\n")
            done = self.configure(project)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(sentence, " ".join(done.stderr.split()))
            self.tearDown()

    def asks(self, lines, *options):
        """Configures a project of these lines, and returns what it says."""
        project = self.root / "asks"
        project.mkdir(exist_ok=True)
        (project / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(asks CXX)\n"
                                                "set(CMAKE_MODULE_PATH first second)\n" + lines +
                                                'message(STATUS "path: ${CMAKE_MODULE_PATH}")\n')
        done = self.configure(project, *options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("-- path: first;second\n", done.stdout)
        self.assertNotIn("Warning", done.stderr)
        return done.stdout

    def test_an_optional_component_may_be_missing(self):
        said = self.asks("find_package(carom REQUIRED OPTIONAL_COMPONENTS studies studdies)\n"
                         'message(STATUS "found: ${carom_FOUND} ${carom_core_FOUND} ${carom_model_files_FOUND} '
                         '${carom_studies_FOUND} ${carom_studdies_FOUND}")\n'
                         "add_library(mine INTERFACE)\ntarget_link_libraries(mine INTERFACE carom::carom)\n")
        self.assertIn("-- found: 1 TRUE FALSE FALSE FALSE\n", said)

    def test_a_library_that_is_missing_is_named_and_leaves_the_search_path(self):
        said = self.asks("find_package(carom QUIET COMPONENTS core)\n"
                         'message(STATUS "found: ${carom_FOUND}; ${carom_NOT_FOUND_MESSAGE}")\n',
                         "-DCMAKE_DISABLE_FIND_PACKAGE_QhullReentrant=TRUE")
        self.assertIn("-- found: 0; its component 'core' needs QhullReentrant, which was not found\n", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
