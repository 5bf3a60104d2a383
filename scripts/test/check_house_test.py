#!/usr/bin/env python3
"""Every rule of check_house.py must find its violation in a small house, and nothing in one that is in order."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "check_house.py"
HEADER = "#pragma once\n\nnamespace carom {\n\nint {name}();\n\n}}  // namespace carom\n"
SOURCE = '#include "carom/{room}/{name}.h"\n\nnamespace carom {{\n\nint {name}() {{ return 1; }}\n\n}}\n'


def header(name):
    return HEADER.replace("{name}", name).replace("}}", "}")


def source(room, name):
    return SOURCE.format(room=room, name=name)


class CheckHouse(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("CMakeLists.txt", "carom_room(ground)\ncarom_room(floor USES ground)\ncarom_room(roof USES floor)\n"
                                     "carom_room(shed)\n")
        for room in ("ground", "floor", "roof", "shed"):
            self.write(f"carom/{room}/README.md", f"# {room}\n")
            self.write(f"carom/{room}/{room}.h", header(room))
            self.write(f"carom/{room}/{room}.cpp", source(room, room))
        self.write("carom/error.h", header("error"))
        self.write("apps/tool/CMakeLists.txt", "target_link_libraries(tool PRIVATE carom_floor)\n")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def add(self, name, text):
        self.write(name, (self.root / name).read_text() + text)

    def faults(self):
        run = subprocess.run([sys.executable, str(SCRIPT), "--root", str(self.root)], capture_output=True, text=True)
        lines = run.stdout.splitlines()[:-1]
        self.assertEqual(run.returncode, 1 if lines else 0, run.stdout + run.stderr)
        return lines

    def assert_one_fault(self, *pieces):
        faults = self.faults()
        self.assertEqual(len(faults), 1, faults)
        for piece in pieces:
            self.assertIn(piece, faults[0])

    def test_private_headers_stay_in_their_room(self):
        self.write("cmake/private_headers.cmake", "set(CAROM_PRIVATE_ground ground.h)\n")
        self.add("carom/ground/ground.cpp", '#include "carom/ground/ground.h"\n')
        self.assertEqual(self.faults(), [])
        self.write("carom/ground/door.h", '#pragma once\n#include "carom/ground/ground.h"\n' + header("door")[13:])
        self.assert_one_fault("carom/ground/door.h:2:", "private to room ground")
        self.write("cmake/private_headers.cmake", "set(CAROM_PRIVATE_ground ground.h\n  door.h)\n")
        self.assertEqual(self.faults(), [])
        self.add("carom/roof/roof.cpp", '#include "carom/ground/ground.h"\n')
        self.assert_one_fault("carom/roof/roof.cpp", "private to room ground")

    def test_lists_of_private_headers_name_what_there_is(self):
        self.write("cmake/private_headers.cmake", "set(CAROM_PRIVATE_roof gone.h)\n")
        self.assert_one_fault("cmake/private_headers.cmake", "carom/roof/gone.h, which is not there")

    def test_the_umbrella_header_may_include_from_all_rooms(self):
        self.write("carom/carom.h", '#pragma once\n#include "carom/roof/roof.h"\nnamespace carom {\nint all();\n}\n')
        self.assertEqual(self.faults(), [])

    def test_a_house_in_order_has_no_fault(self):
        self.add("carom/roof/roof.cpp", '#include "carom/ground/ground.h"\n#include "carom/error.h"\n')
        self.write("apps/tool/main.cpp", '#include "carom/ground/ground.h"\nint main() { return carom::ground(); }\n')
        self.assertEqual(self.faults(), [])

    def test_an_include_against_the_arrows(self):
        self.add("carom/ground/ground.cpp", '#include "carom/roof/roof.h"\n')
        self.assert_one_fault("carom/ground/ground.cpp:8:", "room ground includes carom/roof/roof.h")

    def test_an_include_beside_the_arrows(self):
        self.add("carom/roof/roof.cpp", '#include "carom/shed/shed.h"\n')
        self.assert_one_fault("may use only: floor, ground, roof")

    def test_a_test_is_held_to_the_arrows_too(self):
        self.write("carom/ground/test/ground_test.cpp", '#include "carom/floor/floor.h"\n')
        self.assert_one_fault("carom/ground/test/ground_test.cpp:1:")

    def test_a_header_without_a_room_uses_none(self):
        self.write("carom/error.h", header("error").replace("once\n", 'once\n#include "carom/shed/shed.h"\n'))
        self.assert_one_fault("carom/error.h:2:")

    def test_a_program_sees_what_it_links(self):
        self.write("apps/tool/main.cpp", '#include "carom/roof/roof.h"\n')
        self.assert_one_fault("apps/tool includes carom/roof/roof.h")

    def test_an_include_in_a_comment_is_none(self):
        self.add("carom/ground/ground.cpp", '// #include "carom/roof/roof.h"\n/*\n#include "carom/roof/roof.h"\n*/\n')
        self.assertEqual(self.faults(), [])

    def test_a_link_against_the_arrows(self):
        self.write("carom/ground/room.cmake", "target_link_libraries(carom_ground PRIVATE carom_roof)\n")
        self.assert_one_fault("carom/ground/room.cmake:1:", "links roof")

    def test_a_room_that_uses_a_later_one(self):
        self.write("CMakeLists.txt", (self.root / "CMakeLists.txt").read_text().replace("(ground)", "(ground USES roof)"))
        self.assertTrue(any("not declared above it" in fault for fault in self.faults()))

    def test_an_undeclared_room(self):
        self.write("carom/cellar/README.md", "# cellar\n")
        self.assert_one_fault("folder carom/cellar is no room")

    def test_a_room_without_a_page(self):
        (self.root / "carom/shed/README.md").unlink()
        self.assert_one_fault("room shed has no README.md")

    def test_a_relative_include(self):
        self.add("carom/ground/ground.cpp", '#include "ground.h"\n')
        self.assert_one_fault("write the whole path")

    def test_a_test_may_include_what_lies_beside_it(self):
        self.write("carom/ground/test/helper.h", header("helper"))
        self.write("carom/ground/test/ground_test.cpp", '#include "helper.h"\n')
        self.assertEqual(self.faults(), [])
        self.write("carom/ground/test/ground_test.cpp", '#include "stranger.h"\n')
        self.assert_one_fault("write the whole path")

    def test_a_source_that_includes_its_header_late(self):
        self.write("carom/shed/shed.cpp", "#include <vector>\n" + source("shed", "shed"))
        self.assert_one_fault('must include "carom/shed/shed.h" first')

    def test_a_header_without_pragma_once(self):
        self.write("carom/shed/shed.h", header("shed").replace("#pragma once\n\n", ""))
        self.assert_one_fault("carom/shed/shed.h:1:", "#pragma once")

    def test_an_empty_header(self):
        self.write("carom/shed/more.h", "#pragma once\n#include <vector>\n// nothing\nnamespace carom {\n}\n")
        self.assert_one_fault("carom/shed/more.h:1:", "declares nothing")

    def test_a_header_outside_the_namespace(self):
        self.write("carom/shed/shed.h", "#pragma once\nint shed();\n")
        self.assert_one_fault("nothing in namespace carom")

    def test_a_library_in_a_public_header(self):
        self.write("carom/shed/shed.h", header("shed").replace("once\n", "once\n#include <yaml-cpp/yaml.h>\n"))
        self.assert_one_fault("<yaml-cpp/yaml.h>", "one source file")

    def test_a_test_header_in_the_library(self):
        self.write("carom/shed/test/helper.h", header("helper"))
        self.add("carom/shed/shed.cpp", '#include "carom/shed/test/helper.h"\n')
        self.assert_one_fault("belongs to tests")

    def test_a_long_file(self):
        self.add("carom/shed/shed.cpp", "// line\n" * 600)
        self.assert_one_fault("607 lines")

    def test_banned_words(self):
        for line in ("std::unordered_map<int, int> a;", "float a;", "tbb::parallel_reduce(a);", "int a = rand();"):
            with self.subTest(line):
                self.write("carom/shed/shed.cpp", source("shed", "shed") + line + "\n")
                self.assert_one_fault("carom/shed/shed.cpp:8:")

    def test_banned_words_in_comments_are_allowed(self):
        self.add("carom/shed/shed.cpp", "// no float, no unordered_map\n")
        self.assertEqual(self.faults(), [])

    def test_texts_that_do_not_belong(self):
        for line in ("TO" + "DO: later", "/ho" + "me/somebody/carom", "https://registry" + ".example.org/left-pad",
                     "<" * 7 + " HEAD"):
            with self.subTest(line):
                self.write("carom/shed/shed.cpp", source("shed", "shed") + f"// {line}\n" if line[0] != "<" else
                           source("shed", "shed") + line + "\n")
                self.assert_one_fault("carom/shed/shed.cpp:8:")

    def test_files_in_any_other_folder(self):
        self.write("docs/page.md", "see /ro" + "ot/carom\n")
        self.assert_one_fault("docs/page.md:1:", "absolute path")


if __name__ == "__main__":
    unittest.main()
