#!/usr/bin/env python3
"""Checks the rules of the house that no compiler checks.

usage: tools/check_house.py [ROOT]

  includes    app -> dynamics -> {fem, contact} -> parallel; written with the folder: "contact/nsgs.hpp"
  comments    every type and function at namespace scope of a header has a /// comment above it
  citations   every [Key24] in a /// comment or a page of docs/ is in docs/references.bib
  links       every link of a page to a file of the project leads to one
  registries  no file names the host of a package registry: where packages come from is each
              machine's own setting
  cases       every cases/*.toml is named in a CMakeLists.txt of tests/

Prints `file:line: message` for each breach and exits with 1 if there is one.
"""

import os
import re
import sys
from pathlib import Path

HOUSE = ("parallel", "fem", "contact", "dynamics", "app")
MAY_INCLUDE = {
    "parallel": {"parallel"},
    "fem": {"fem", "parallel"},
    "contact": {"contact", "parallel"},
    "dynamics": {"dynamics", "fem", "contact", "parallel"},
    "app": set(HOUSE),
    "tests": {"tests", "bench", *HOUSE},
    "bench": {"bench", *HOUSE},
}
# Libraries for people and files: the folders below them do without.
APP_LIBRARIES = re.compile(r"vtk|CLI/|toml\+\+/|muParser")
NO_APP_LIBRARIES = {"parallel", "fem", "contact"}

INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
CITATION = re.compile(r"\[([A-Z][A-Za-z]*\d{2})(?:,|\])")
BIB_KEY = re.compile(r"^\s*@\w+\s*\{\s*([^,\s]+)\s*,", re.MULTILINE)
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
REGISTRY = re.compile(
    r"registry\.npmjs|registry\.yarnpkg|(?:deb|security|ftp)\.debian\.org|archive\.ubuntu\.com"
    r"|pypi\.org|pythonhosted\.org|conda\.anaconda\.org|crates\.io"
)
SKIPPED_FOLDERS = {".git", "build", "results", "node_modules", "__pycache__"}


def source_files(root):
    """Every file of the project, without what is built or downloaded."""
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(set(subfolders) - SKIPPED_FOLDERS)
        yield from (Path(folder, name) for name in sorted(names))


def check_includes(folder, lines):
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, name = match.groups()
        target = name.split("/")[0] if "/" in name else ""
        if quote == '"' and target not in MAY_INCLUDE:
            yield number, f'"{name}": write it with its folder, or in <> if it is not ours'
        elif quote == "<" and target in MAY_INCLUDE:
            yield number, f'<{name}>: write "{name}", it is ours'
        elif quote == '"' and target not in MAY_INCLUDE[folder]:
            yield number, f'{folder}/ may not include "{name}"'
        if folder in NO_APP_LIBRARIES and APP_LIBRARIES.match(name):
            yield number, f"{folder}/ may not include <{name}>: that library belongs to app/"


def without_comments_and_strings(text):
    """The same text, line for line, with comments, literals and directives blanked out."""
    pattern = (
        r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\''
        r"|^[ \t]*#(?:\\\n|[^\n])*"
    )
    blank = lambda match: re.sub(r"[^\n]", " ", match.group())
    return re.sub(pattern, blank, text, flags=re.DOTALL | re.MULTILINE)


def namespace_scope_statements(text):
    """(line, head) of each statement at namespace scope, the head being what precedes { or ;."""
    code = without_comments_and_strings(text)
    braces = []  # what each open brace is: a namespace, whose inside we read, or a body
    parentheses = 0
    start = None
    for position, char in enumerate(code):
        in_body = "body" in braces
        if start is None and not in_body and not char.isspace() and char not in "};":
            start = position
        if char in "()" and not in_body:
            parentheses += 1 if char == "(" else -1
        if parentheses > 0:
            continue  # braces and semicolons of default arguments
        if char == "{":
            if in_body:
                braces.append("body")
                continue
            head = code[start:position]
            if re.match(r"(inline\s+)?namespace\b|extern\s*$", head):
                braces.append("namespace")
            else:
                braces.append("body")
                yield code.count("\n", 0, start) + 1, head + "{"
            start = None
        elif char == "}" and braces:
            braces.pop()
        elif char == ";" and not in_body and start is not None:
            yield code.count("\n", 0, start) + 1, code[start:position] + ";"
            start = None


def without_prefixes(head):
    """The head of a declaration without template<...> and [[attributes]]."""
    head = re.sub(r"\[\[.*?\]\]", " ", head, flags=re.DOTALL).strip()
    while head.startswith("template"):
        depth = 0
        for position, char in enumerate(head):
            depth += {"<": 1, ">": -1}.get(char, 0)
            if char == ">" and depth == 0:
                break
        head = head[position + 1 :].strip()
    return head


def name_of_declaration(head):
    """The name of the type or function that needs a comment, or None: a heuristic, not a parser."""
    head = without_prefixes(head)
    if re.match(r"(using|static_assert|friend|namespace|extern\s+template)\b", head):
        return None
    kind = re.match(r"(?:struct|class|union|enum(?:\s+class)?|concept)\s+([\w:]+)", head)
    if kind and (head.endswith("{") or head.startswith("concept")):
        return kind.group(1)
    function = re.match(r"[^=(]*?(operator\s*[^\w\s(]+|operator\s*\(\s*\)|[\w:~]+)\s*\(", head)
    # A name with :: is defined here and declared, with its comment, in its class.
    if function and "::" not in function.group(1):
        return function.group(1)
    return None


def check_comments(text):
    lines = text.splitlines()
    for number, head in namespace_scope_statements(text):
        name = name_of_declaration(head)
        if name and (number < 2 or not lines[number - 2].lstrip().startswith("///")):
            yield number, f"{name}: no /// comment on the line above"


def check_citations(lines, keys):
    for number, line in enumerate(lines, 1):
        for key in CITATION.findall(line):
            if key not in keys:
                yield number, f"[{key}] is not in docs/references.bib"


def check_links(folder, lines):
    for number, line in enumerate(lines, 1):
        for target in LINK.findall(line):
            if ":" not in target and not (folder / target).exists():
                yield number, f"the link to {target} leads nowhere"


def check_registries(lines):
    for number, line in enumerate(lines, 1):
        match = REGISTRY.search(line)
        if match:
            yield number, f"names the package registry {match.group()}"


def check_cases(root):
    lists = sorted(root.glob("tests/**/CMakeLists.txt"))
    named = re.sub(r"#.*", "", "".join(path.read_text(encoding="utf-8") for path in lists))
    for case in sorted(root.glob("cases/*.toml")):
        if not re.search(rf"(?<![\w-]){re.escape(case.stem)}(?![\w-])", named):
            yield case.relative_to(root), 1, "is not named in a CMakeLists.txt of tests/"


def breaches(root):
    bib = root / "docs/references.bib"
    keys = set(BIB_KEY.findall(bib.read_text(encoding="utf-8"))) if bib.exists() else set()
    for path in source_files(root):
        name = path.relative_to(root)
        folder = name.parts[0]
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or other data
        lines = text.splitlines()
        found = list(check_registries(lines))
        if path.suffix in (".cpp", ".hpp") and folder in MAY_INCLUDE:
            found += check_includes(folder, lines)
            comments = [line if line.lstrip().startswith("///") else "" for line in lines]
            found += check_citations(comments, keys)
        if path.suffix == ".hpp" and folder in HOUSE:
            found += check_comments(text)
        if path.suffix == ".md":
            found += check_links(path.parent, lines)
        if path.suffix == ".md" and folder == "docs":
            found += check_citations(lines, keys)
        yield from ((name, number, message) for number, message in found)
    yield from check_cases(root)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = sorted(breaches(root))
    for name, number, message in found:
        print(f"{name}:{number}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
