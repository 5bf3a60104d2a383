#!/bin/bash
# Runs the fuzz targets of a build folder one after the other: fuzz.sh BUILD SECONDS [TARGET ...]
#
# Seeds are the model files, scenes and problem texts of the repository; what a target finds of new paths stays in BUILD/corpus for the
# next run. An input that crashes a reader, hangs it for 10 s, leaks, or makes it ask for 2 GiB ends the target and stays in
# BUILD/crashes; run the target's program on that file to see it again.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1 seconds=$2
shift 2
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(urdf sdformat mjcf stl obj heights scene siconos hdf5)

declare -A endings=([urdf]=urdf [sdformat]=sdf [mjcf]=xml [stl]=stl [obj]=obj [heights]=png [scene]=yaml [siconos]=dat [hdf5]=h5 [hdf5_bytes]=hdf5)
mkdir -p "$build/crashes"

# A solid tetrahedron as STL, in both of its forms.
stl_seeds() {
  cat >"$1/text.stl" <<'END'
solid corner
facet normal 0 0 -1
 outer loop
  vertex 0 0 0
  vertex 0 1 0
  vertex 1 0 0
 endloop
endfacet
facet normal 0 -1 0
 outer loop
  vertex 0 0 0
  vertex 1 0 0
  vertex 0 0 1
 endloop
endfacet
endsolid corner
END
  python3 - "$1/binary.stl" <<'END'
import struct, sys
corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
with open(sys.argv[1], "wb") as file:
    file.write(bytes(80) + struct.pack("<I", len(faces)))
    for face in faces:
        file.write(struct.pack("<12fH", 0, 0, 0, *(x for corner in face for x in corners[corner]), 0))
END
}

# Images of heights with 8 and 16 bits, and a field of heights as MuJoCo writes it.
height_seeds() {
  python3 - "$1" <<'END'
import struct, sys, zlib
from pathlib import Path
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
folder = Path(sys.argv[1])
for bits in (8, 16):
    rows = b"".join(b"\0" + bytes(range(row, row + 3 * bits // 8)) for row in (0, 40, 90))
    header = struct.pack(">IIBBBBB", 3, 3, bits, 0, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    (folder / f"grey{bits}.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)
(folder / "field.png").write_bytes(struct.pack("<ii6f", 2, 3, 0, 1, 2, 3, 4, 5))
END
}

failed=()
for target in "${targets[@]}"; do
  seeds=$build/seeds/$target corpus=$build/corpus/$target
  mkdir -p "$seeds" "$corpus"
  # Files of one name lie in several folders: a seed has its whole path for a name.
  find scenes carom testing/fuzz -name "*.${endings[$target]}" -size -64k | while read -r file; do
    cp "$file" "$seeds/${file//\//_}"
  done
  [[ $target == stl ]] && stl_seeds "$seeds"
  [[ $target == heights ]] && height_seeds "$seeds"
  dictionary=$build/seeds/$target.dict
  find "$seeds" -type f -exec grep -ohaE '[A-Za-z_][A-Za-z_0-9-]{2,}' {} + | sort -u | sed 's/.*/"&"/' >"$dictionary" || true
  options=()
  [[ -s $dictionary ]] && options+=(-dict="$dictionary")
  # assimp does not give back what it had when it gives up on a file.
  [[ $target == stl || $target == obj ]] && export ASAN_OPTIONS=detect_leaks=0 || unset ASAN_OPTIONS
  echo "== fuzz $target for $seconds s"
  log=$build/crashes/$target.log
  if "$build/testing/fuzz/fuzz_$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
      -print_final_stats=1 "${options[@]}" -artifact_prefix="$build/crashes/$target-" "$corpus" "$seeds" \
      >"$log" 2>&1 </dev/null; then
    grep -aE "stat::(number_of_executed_units|peak_rss_mb|slowest_unit_time_sec)" "$log"
  else
    tail -n 40 "$log"
    failed+=("$target")
  fi
done
if [[ ${#failed[@]} -gt 0 ]]; then
  echo "fuzz.sh: these targets failed: ${failed[*]}; their inputs and logs are in $build/crashes" >&2
  exit 1
fi
