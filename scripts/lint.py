#!/usr/bin/env python3
"""Runs clang-tidy on the sources that a change touches.

    scripts/lint.py --build FOLDER [--jobs N]

FOLDER holds compile_commands.json of a build that compiles each source by itself. A change touches the files that
differ from LINT_BASE, uncommitted ones included. LINT_BASE is a commit; by default the branch's upstream where commits
are ahead of it, else the last commit's parent. A changed header is looked at through the source of its own name, or
else through one source that includes it. LINT_ALL=1 takes every source.

Sources of one folder and equal flags are looked at in batches, as they are compiled (cmake/batches.py). This is because
clang-tidy spends most of its time on the headers that they share.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "cmake"))
from batches import batches  # noqa: E402

BATCH = 12


def git(*arguments):
    """Output lines of a git command; None if it fails."""
    run = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True)
    return run.stdout.splitlines() if run.returncode == 0 else None


def base_commit():
    """The commit to compare with; None if there is none, and everything counts as changed."""
    named = os.environ.get("LINT_BASE")
    if named:
        if git("rev-parse", "--verify", "--quiet", named + "^{commit}") is None:
            sys.exit(f"lint.py: LINT_BASE={named} is no commit of this repository")
        return (git("merge-base", named, "HEAD") or [named])[0]
    upstream = git("merge-base", "@{upstream}", "HEAD")
    head = git("rev-parse", "HEAD")
    if upstream and upstream != head:
        return upstream[0]
    return "HEAD~1" if git("rev-parse", "--verify", "--quiet", "HEAD~1") else None


def changed_files():
    """Changed files as paths from the root; None for everything."""
    if os.environ.get("LINT_ALL"):
        return None
    base = base_commit()
    if base is None:
        return None
    changed = git("diff", "--name-only", "--diff-filter=d", base)
    return sorted(set(changed + git("ls-files", "--others", "--exclude-standard")))


def sources_for(changed, known):
    """The sources of `known` through which the changed files are seen."""
    texts = {name: (ROOT / name).read_text() for name in known}
    chosen = set()
    for name in changed:
        if name in known:
            chosen.add(name)
        elif name.endswith(".h"):
            own = name[:-2] + ".cpp"
            seen = [own] if own in known else [s for s in known if f'#include "{name}"' in texts[s]][:1]
            chosen.update(seen)
            if not seen:
                print(f"lint: no source includes {name}; it is not looked at")
    return sorted(chosen)


def flags_of(command):
    """A compile command without the names of its source, object and dependency file."""
    words = shlex.split(command["command"])
    named = {"-o", "-c", "-MF", "-MT"}
    return tuple(w for i, w in enumerate(words) if w not in named and not (i and words[i - 1] in named))


def write_batches(sources, commands, folder):
    """Writes a source per batch, and their compile_commands.json, into the folder: {its path: names of its sources}."""
    by_flags = {}
    for name in sources:
        by_flags.setdefault((flags_of(commands[name]), Path(name).parent), []).append(name)
    made, entries = {}, []
    folder.mkdir(parents=True, exist_ok=True)
    for (flags, _), names in by_flags.items():
        for _, members in batches(names, BATCH):
            path = folder / f"batch_{len(made)}.cpp"
            path.write_text("".join(f'#include "{ROOT / name}"\n' for name in members))
            entries.append({"directory": str(ROOT), "file": str(path), "command": shlex.join([*flags, "-c", str(path)])})
            made[path] = members
    (folder / "compile_commands.json").write_text(json.dumps(entries))
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    build = options.build.resolve()
    commands = {}
    for command in json.loads((build / "compile_commands.json").read_text()):
        path = (Path(command["directory"]) / command["file"]).resolve()
        if path.is_relative_to(ROOT) and not path.is_relative_to(build):
            commands[path.relative_to(ROOT).as_posix()] = command
    known = sorted(commands)
    changed = changed_files()
    sources = known if changed is None else sources_for(changed, known)
    folder = build / "lint"
    batch_of = write_batches(sources, commands, folder)
    rules = ["--checks=-bugprone-suspicious-include", r"--header-filter=(carom|apps|benchmarks|testing)/.*\.(h|cpp)$"]

    def tidy(path):
        run = subprocess.run(["clang-tidy", "--quiet", "-p", str(folder), *rules, str(path)], cwd=ROOT,
                             capture_output=True, text=True)
        return path, run.returncode, run.stdout, run.stderr

    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for path, status, output, complaint in pool.map(tidy, batch_of):
            if status != 0:
                failed += 1
                print(f"{', '.join(batch_of[path])}:\n{output or complaint}", flush=True)
    print(f"lint: {len(sources)} of {len(known)} sources, {failed} of {len(batch_of)} batches failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
