"""pip install . --no-build-isolation: CMake builds the module, setuptools packs it."""

import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r'#define CAROM_VERSION "(.*)"', (ROOT / "carom" / "version.h").read_text()).group(1)


class BuildByCMake(build_ext):
    """Builds the target carom_python, and puts the module where setuptools looks for it."""

    def build_extension(self, extension):
        folder = pathlib.Path(self.build_temp).resolve()
        generate = ["cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-DCAROM_TESTS=OFF",
                    "-DCAROM_PYTHON_MODULE=ON",
                    f"-DCAROM_PYTHON={sys.executable}"]
        subprocess.run(generate, check=True)
        subprocess.run(["cmake", "--build", str(folder), "--target", "carom_python"], check=True)
        module = next((folder / "python" / "carom").glob("_carom*.so"))
        self.copy_file(str(module), self.get_ext_fullpath(extension.name))


setup(
    version=VERSION,
    packages=["carom"],
    package_dir={"": "python"},
    package_data={"carom": ["py.typed", "*.pyi"]},
    ext_modules=[Extension("carom._carom", sources=[])],
    cmdclass={"build_ext": BuildByCMake},
)
