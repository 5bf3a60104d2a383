"""Without its options Carom asks for Eigen, oneTBB, Qhull and Bullet's collision alone.

    test_without_options.py CMAKE SOURCE COMPILER

Configures the core where every other package counts as missing, and as a part of another project. With CAROM_LONG set it
is built as well.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CMAKE, SOURCE, COMPILER = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
CORE = {"Eigen3", "TBB", "QhullReentrant", "BulletDouble"}
# Programs and libraries that only what the options add looks for, as the cache would name them.
OTHERS = ("NODE", "NPM", "HDF5", "sdformat", "tinyxml2", "assimp", "LODEPNG", "yaml", "muparser", "fmt_", "nlohmann", "NLOPT",
          "BULLET_DYNAMICS:FILEPATH", "CLI11", "GTest")


class AsAPartOfAnotherProject(unittest.TestCase):
    def test_warnings_build_type_and_ccache_are_the_others_choice(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "whole").mkdir()
            (root / "whole" / "main.cpp").write_text("int main() {}\n")
            (root / "whole" / "CMakeLists.txt").write_text(
                f"cmake_minimum_required(VERSION 3.25)\nproject(whole C CXX)\nadd_subdirectory({SOURCE} carom)\n"
                "add_executable(whole main.cpp)\ntarget_link_libraries(whole carom::stepper carom::carom)\n")
            command = [CMAKE, "-S", root / "whole", "-B", root / "build", f"-DCMAKE_CXX_COMPILER={COMPILER}",
                       "-DCAROM_MODEL_FILES=OFF", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            compiled = (root / "build" / "compile_commands.json").read_text()
            self.assertIn("carom_stepper", compiled)
            for word in ("-Werror", "ccache", "-O3", "carom_testing"):
                self.assertNotIn(word, compiled)
            self.assertIn("-ffp-contract=off", compiled)  # the same results as everywhere
            cache = (root / "build" / "CMakeCache.txt").read_text()
            self.assertRegex(cache, r"(?m)^CMAKE_BUILD_TYPE:STRING=$")
            self.assertRegex(cache, r"(?m)^CAROM_INSTALL:BOOL=OFF$")


class WithoutOptions(unittest.TestCase):
    def test_the_core_wants_its_own_packages_alone(self):
        files = [*SOURCE.glob("carom/*/room.cmake"), *SOURCE.glob("apps/*/CMakeLists.txt"), SOURCE / "CMakeLists.txt"]
        packages = {name for file in files for name in re.findall(r"find_package\((\S+)", file.read_text())}
        self.assertTrue(CORE < packages, packages)
        with tempfile.TemporaryDirectory() as folder:
            command = [CMAKE, "-S", SOURCE, "-B", folder, f"-DCMAKE_CXX_COMPILER={COMPILER}", "-DCAROM_MODEL_FILES=OFF",
                       "-DCAROM_TESTS=OFF"]
            command += [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=TRUE" for name in sorted(packages - CORE)]
            done = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            cache = (pathlib.Path(folder) / "CMakeCache.txt").read_text()
            for name in OTHERS:
                asked = [line for line in cache.splitlines() if line.startswith(name)]
                self.assertFalse(asked, f"looks for {name}")
            if "CAROM_LONG" in os.environ:
                done = subprocess.run([CMAKE, "--build", folder, "-j", str(os.cpu_count())], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout[-4000:] + done.stderr[-4000:])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
