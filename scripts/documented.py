"""Files and commands that a document shows, the commands in their order.

A command is a line of a block (indented, or fenced as sh or console) that begins with `carom`, `build/carom` or `python3 FILE`. A
comment follows two blanks and a `#`. The command's status is 0, or N where the comment says "status N". Lines with [ ] are synopses.
A file is a yaml or python block whose first line is a comment with the file's name.
"""
import re


def blocks(text):
    """The lines of indented and fenced blocks: (language, lines)."""
    language, lines = None, []
    for line in text.splitlines() + [""]:
        fence = re.match(r"```(\S*)", line)
        if fence and language is None:
            language, lines = fence[1] or "text", []
        elif fence:
            yield language, lines
            language = None
        elif language is not None:
            lines.append(line)
        elif line.startswith("    "):
            yield "indented", [line[4:]]


def commands(text):
    """(words, status) of every command in a document; the program's name is left out of those of carom."""
    for language, lines in blocks(text):
        if language not in ("indented", "sh", "console"):
            continue
        for line in lines:
            found = re.match(r"(?:\$ )?(?:(?:build/)?carom |(?=python3 \S+\.py))(.*)", line)
            if not found or "[" in line:
                continue
            words, _, comment = re.match(r"(.*?)(?:(\s{2,}#)(.*))?$", found[1]).groups()
            status = re.search(r"status (\d)", comment or "")
            yield words.strip(), int(status[1]) if status else 0


def shown_files(text):
    """(name, text) of the files that a document shows."""
    for language, lines in blocks(text):
        name = re.match(r"# (\S+\.(yaml|py))$", lines[0]) if lines else None
        if name and language == {"yaml": "yaml", "py": "python"}[name[2]]:
            yield name[1], "\n".join(lines) + "\n"


def pictures(text):
    """Files that a document shows as pictures."""
    return re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", text)
