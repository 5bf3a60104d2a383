#!/usr/bin/env python3
"""Measures how hard Carom's texts are to read: scripts/readability.py [--at COMMIT] [--list] [PLACE ...]

Counts sentences in the comments of each room and in the pages of README, CONTRIBUTING and docs. It tells words a
sentence (mean, and the share of sentences beyond 25), and the share that opens with Of, What, Whether, Where or How. It
also counts the words for which the glossary of CONTRIBUTING has a better one.

With --at it counts the texts of a commit. With --list it shows every sentence that is too long or opens so, and every
such word, with file and line. PLACE is a file or folder: only texts there count.
"""
import argparse
import collections
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPENS = re.compile(r"(?:Of|What|Whether|Where|How)\b")
LONG = 25


def texts(commit):
    """(path, text) of every source and page, in the working tree or in a commit."""
    names = subprocess.run(["git", "-C", ROOT, "ls-tree", "-r", "--name-only", commit or "HEAD"], capture_output=True, text=True,
                           check=True).stdout.split("\n")
    for name in names:
        if re.search(r"\.(h|cpp|py|js|mjs|md)$", name):
            if commit:
                shown = subprocess.run(["git", "-C", ROOT, "show", f"{commit}:{name}"], capture_output=True)
                yield name, shown.stdout.decode(errors="replace")
            elif (ROOT / name).is_file():
                yield name, (ROOT / name).read_text(errors="replace")


def paragraphs(name, text):
    """(line, words) of every comment, docstring or paragraph of a text; code, tables and formulas are left out."""
    kind, lines = pathlib.Path(name).suffix, text.split("\n")
    found, start, inside, fenced = [], None, [], False

    def close():
        if inside:
            found.append((start, " ".join(inside)))
        inside.clear()

    quotes = False
    for number, line in enumerate(lines, 1):
        if kind == ".md":
            fenced ^= line.startswith("```") or (line.startswith("$$") and line.count("$$") == 1)
            plain = not (fenced or line.startswith(("    ", "|", "#", "```", "$$")) or not line.strip())
            said = re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", line) if plain else None
            if plain and said != line:
                close()
        elif kind == ".py":
            mark = line.count('"""')
            said = line.replace('"""', "") if quotes or mark else None
            quotes ^= mark % 2 == 1
            if said is None:
                comment = re.match(r"\s*# (.*)", line)
                said = comment[1] if comment else None
        else:
            comment = re.match(r"\s*(?://[/!]?<?|\*)\s(.*)", line)
            said = comment[1] if comment else None
        if said is None or not said.strip():
            close()
            continue
        if not inside:
            start = number
        inside.append(said.strip())
    close()
    return found


def sentences(paragraph):
    plain = re.sub(r"`[^`]*`|\$[^$]*\$|\(https?:[^)]*\)", "x", paragraph)
    return [s for s in re.split(r"(?<=[.!?;:])\s+(?=[A-Z`*\[])", plain) if re.search(r"[a-z]{2}", s)]


def poor_words():
    """Words that stand in brackets in the glossary of CONTRIBUTING, because another is used for them there."""
    rows = re.findall(r"(?m)^\| [^|(]+\(([^)|]+)\) \|", (ROOT / "CONTRIBUTING.md").read_text())
    return {word for row in rows for word in row.split(", ")}


def group_of(name):
    part = name.split("/")
    return "/".join(part[:2]) if part[0] in ("carom", "docs", "apps") and len(part) > 2 else part[0] if len(part) > 1 else name


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--at", metavar="COMMIT")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("places", metavar="PLACE", nargs="*", default=[""])
    options = parser.parse_args()
    poor = poor_words()
    counts = collections.defaultdict(collections.Counter)
    for name, text in texts(options.at):
        if not name.startswith(tuple(options.places)):
            continue
        row = counts[group_of(name)]
        for line, paragraph in paragraphs(name, text):
            for sentence in sentences(paragraph):
                words = len(sentence.split())
                used = [word for word in poor for _ in re.findall(rf"\b{word}s?\b", sentence.lower())]
                row.update(sentences=1, words=words, long=words > LONG, opens=bool(OPENS.match(sentence)), poor=len(used))
                faults = [f"{words} words"] * (words > LONG) + ["opens so"] * bool(OPENS.match(sentence)) + sorted(set(used))
                if options.list and faults:
                    print(f"{name}:{line}: {', '.join(faults)}: {sentence}")
    counts["all"] = sum(counts.values(), collections.Counter())
    print(f"{'':24} {'sentences':>9} {'words each':>10} {'over ' + str(LONG):>8} {'open so':>8} {'poor words':>10}")
    for name, row in sorted(counts.items(), key=lambda item: (item[0] == "all", item[0])):
        if row["sentences"]:
            share = lambda key: f"{100 * row[key] / row['sentences']:.1f} %"
            print(f"{name:24} {row['sentences']:9} {row['words'] / row['sentences']:10.1f} {share('long'):>8} {share('opens'):>8} {row['poor']:10}")


if __name__ == "__main__":
    main()
