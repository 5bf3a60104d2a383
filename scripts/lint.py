#!/usr/bin/env python3
"""Runs clang-tidy on the sources that a change touches.

    scripts/lint.py --build FOLDER [--jobs N]

FOLDER holds compile_commands.json. What a change touches: files that differ from LINT_BASE (a commit; by default the
branch's upstream where commits are ahead of it, else the last commit's parent), uncommitted ones included. A changed header
is looked at through the source of its own name, or else through one source that includes it. LINT_ALL=1 takes every source.
"""

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    commands = json.loads((options.build / "compile_commands.json").read_text())
    paths = [(Path(c["directory"]) / c["file"]).resolve() for c in commands]
    build = options.build.resolve()
    known = sorted({p.relative_to(ROOT).as_posix() for p in paths if p.is_relative_to(ROOT) and not p.is_relative_to(build)})
    changed = changed_files()
    sources = known if changed is None else sources_for(changed, known)

    def tidy(name):
        run = subprocess.run(["clang-tidy", "--quiet", "-p", str(build), name], cwd=ROOT, capture_output=True, text=True)
        return name, run.returncode, run.stdout, run.stderr

    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for name, status, output, complaint in pool.map(tidy, sources):
            if status != 0:
                failed += 1
                print(f"{name}:\n{output or complaint}", flush=True)
    print(f"lint: {len(sources) - failed} passed, {failed} failed, of {len(known)} sources")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
