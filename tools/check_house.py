#!/usr/bin/env python3
"""Checks the rules of the house that no compiler checks.

usage: tools/check_house.py [ROOT]

  rooms       every folder with sources stands in the table of rooms below and includes only along
              its arrows, each written with the folder: "contact/problem.hpp"
  cycles      no cycle of includes between rooms, nor between units (a unit is NAME.hpp, NAME.cpp)
  tests       every unit has a test of its name in tests/ROOM, tests/cli (of app/) or
              tests/verification, or a line in tests/covered_by.txt that says which cover it
  comments    every type and function at namespace scope of a header has a /// comment above it
  citations   every [Key24] in a /// comment or a page of docs/ is in docs/references.bib
  notation    every identifier that docs/notation.md lists stands in a source of the house
  links       every link of a page to a file of the project leads to one, and so does every
              `path/to/source.cpp`
  registries  no file names the host of a package registry: where packages come from is each
              machine's own setting
  cases       every cases/*.toml is named in a CMakeLists.txt of tests/

Prints `file:line: message` for each breach and exits with 1 if there is one.
"""

import os
import re
import sys
from pathlib import Path

# Every folder that may hold sources, with the others that it may include. A room knows those of its
# inner rooms that its own line names; "physics" stands for all rooms below app/.
ROOMS_TABLE = """
files             :
parallel          :
collision         : parallel
fem               : parallel
fem/gmsh          : fem files
contact/laws      :
contact/delassus  :
contact           : contact/laws contact/delassus parallel
contact/solvers   : contact contact/laws contact/delassus parallel
contact/fclib     : contact contact/delassus files
linear            : fem parallel
dynamics          : linear contact contact/laws contact/delassus contact/solvers fem parallel
dynamics/schemes  : dynamics linear contact contact/solvers fem parallel
dynamics/solids   : dynamics dynamics/schemes contact contact/delassus contact/solvers collision
dynamics/systems  : dynamics contact
dynamics/theorems : dynamics dynamics/schemes dynamics/systems contact contact/laws contact/solvers
app               : app/messages app/commands app/run physics
app/messages      :
app/process       :
app/case          : app/messages physics
app/model         : app/case app/messages physics
app/waves         : app/messages
app/results       : app/model app/case app/waves app/messages physics
app/plot          : app/results app/waves app/messages physics
app/run           : app/results app/model app/case app/waves app/messages physics
app/study         : app/process app/plot app/results app/model app/case app/waves app/messages physics
app/report        : app/plot app/results app/waves app/messages physics
app/solve         : app/process app/plot app/results app/messages physics
app/view          : app/process app/plot app/results app/messages files
app/commands      : app/run app/study app/report app/view app/solve app/plot app/results app/model app/case app/waves app/messages physics
"""
# These may include everything.
OUTSIDE = ("tests", "bench")


def read_rooms(table):
    """Room -> the rooms it may include, itself among them."""
    rows = [line.split(":") for line in table.strip().splitlines()]
    rooms = {name.strip(): set(arrows.split()) | {name.strip()} for name, arrows in rows}
    physics = {room for room in rooms if not room.startswith("app")}
    for arrows in rooms.values():
        if "physics" in arrows:
            arrows.remove("physics")
            arrows |= physics
    return rooms


ROOMS = read_rooms(ROOMS_TABLE)
TOP_FOLDERS = {room.split("/")[0] for room in ROOMS} | set(OUTSIDE)
# Libraries for people and files: the folders below them do without.
APP_LIBRARIES = re.compile(r"vtk|CLI/|toml\+\+/|muParser")
NO_APP_LIBRARIES = {"parallel", "collision", "fem", "contact", "linear"}

INCLUDE = re.compile(r'\s*#\s*include\s*(["<])([^">]+)[">]')
CITATION = re.compile(r"\[([A-Z][A-Za-z]*\d{2})(?:,|\])")
BIB_KEY = re.compile(r"^\s*@\w+\s*\{\s*([^,\s]+)\s*,", re.MULTILINE)
SOURCE_PATH = re.compile(r"`([a-z]\w*/[\w/]+\.(?:cpp|hpp|py))`")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
REGISTRY = re.compile(
    r"registry\.npmjs|registry\.yarnpkg|(?:deb|security|ftp)\.debian\.org|archive\.ubuntu\.com"
    r"|pypi\.org|pythonhosted\.org|conda\.anaconda\.org|crates\.io"
)
SKIPPED_FOLDERS = {".git", "node_modules", "__pycache__"}
SKIPPED_AT_THE_TOP = {"build", "results"}


def source_files(root):
    """Every file of the project, without what is built or downloaded."""
    for folder, subfolders, names in os.walk(root):
        skipped = SKIPPED_FOLDERS | (SKIPPED_AT_THE_TOP if Path(folder) == root else set())
        subfolders[:] = sorted(set(subfolders) - skipped)
        yield from (Path(folder, name) for name in sorted(names))


def includes_of(lines):
    """(line, quote, name) of each #include."""
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match:
            yield number, *match.groups()


def check_includes(folder, lines):
    """`folder` is the folder of the source, as "app/case"."""
    top = folder.split("/")[0]
    if top not in OUTSIDE and folder not in ROOMS:
        yield 1, f"{folder}/ is no room of the house: see the table in tools/check_house.py"
        return
    for number, quote, name in includes_of(lines):
        target = os.path.dirname(name)
        is_ours = target.split("/")[0] in TOP_FOLDERS
        if quote == '"' and not is_ours:
            yield number, f'"{name}": write it with its folder, or in <> if it is not ours'
        elif quote == "<" and is_ours:
            yield number, f'<{name}>: write "{name}", it is ours'
        elif quote == '"' and top not in OUTSIDE and target not in ROOMS[folder]:
            yield number, f'{folder}/ may not include "{name}"'
        if top in NO_APP_LIBRARIES and APP_LIBRARIES.match(name):
            yield number, f"{folder}/ may not include <{name}>: that library belongs to app/"


def components_with_cycles(graph):
    """The strongly connected sets of more than one node, each sorted (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            component = stack[stack.index(node) :]
            del stack[stack.index(node) :]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def check_cycles(includes):
    """`includes` has (source, included) of the house, as paths without their endings."""
    units, rooms = {}, {}
    for source, target in includes:
        if source != target:
            units.setdefault(source, set()).add(target)
        source_room, target_room = os.path.dirname(source), os.path.dirname(target)
        if source_room != target_room:
            rooms.setdefault(source_room, set()).add(target_room)
    for what, graph in (("rooms", rooms), ("units", units)):
        for cycle in components_with_cycles(graph):
            yield Path(cycle[0]), 1, f"{what} include each other: {' - '.join(cycle)}"


def check_tests(root, units):
    """Every unit has a test of its name, or a line `UNIT: TEST TEST` in tests/covered_by.txt."""
    table = root / "tests/covered_by.txt"
    lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
    tests = {path.relative_to(root).as_posix() for path in root.glob("tests/**/test_*.cpp")}
    covered = {}

    def has_test(unit):
        top = unit.split("/")[0]
        folders = (top, "cli", "verification") if top == "app" else (top, "verification")
        name = f"/test_{os.path.basename(unit)}.cpp"
        return any(t.endswith(name) and t.split("/")[1] in folders for t in tests)

    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        unit, _, names = line.partition(":")
        covered[unit.strip()] = number
        name = Path("tests/covered_by.txt")
        if unit.strip() not in units:
            yield name, number, f"there is no unit {unit.strip()}"
        elif has_test(unit.strip()):
            yield name, number, f"{unit.strip()} has a test of its name: this line is not needed"
        for test in names.split():
            if not (root / "tests" / test).exists():
                yield name, number, f"there is no tests/{test}"
        if not names.split():
            yield name, number, "names no test"
    for unit in sorted(units):
        if not has_test(unit) and unit not in covered:
            yield Path(unit), 1, "has no test of its name and no line in tests/covered_by.txt"


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


def check_notation(root, words):
    """The words of the code spans in the column `identifier`: State::time(h) is `State`, `time`."""
    page = root / "docs/notation.md"
    lines = page.read_text(encoding="utf-8").splitlines() if page.exists() else []
    for number, line in enumerate(lines, 1):
        cells = re.split(r"(?<!\\)\|", line)
        if len(cells) < 4 or cells[2].strip() in ("identifier", "---"):
            continue
        for span in re.findall(r"`([^`]+)`", cells[2]):
            for word in re.findall(r"[A-Za-z_]\w*", re.sub(r"\([^)]*\)", "", span)):
                if word not in words:
                    yield Path("docs/notation.md"), number, f"no source has `{word}`"


def check_links(folder, lines):
    for number, line in enumerate(lines, 1):
        for target in LINK.findall(line):
            if ":" not in target and not (folder / target).exists():
                yield number, f"the link to {target} leads nowhere"


def check_paths(root, lines):
    for number, line in enumerate(lines, 1):
        for path in SOURCE_PATH.findall(line):
            if path.split("/")[0] in TOP_FOLDERS and not (root / path).exists():
                yield number, f"there is no {path}"


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
    includes, units, words = [], set(), set()
    for path in source_files(root):
        name = path.relative_to(root)
        folder = name.parts[0]
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or other data
        lines = text.splitlines()
        found = list(check_registries(lines))
        is_source = path.suffix in (".cpp", ".hpp") and folder in TOP_FOLDERS
        if is_source:
            found += check_includes(name.parent.as_posix(), lines)
            comments = [line if line.lstrip().startswith("///") else "" for line in lines]
            found += check_citations(comments, keys)
        if is_source and folder not in OUTSIDE:
            unit = name.with_suffix("").as_posix()
            units.add(unit)
            words |= set(re.findall(r"[A-Za-z_]\w*", text))
            includes += [
                (unit, included.removesuffix(".hpp"))
                for _, quote, included in includes_of(lines)
                if quote == '"'
            ]
        if path.suffix == ".hpp" and is_source and folder not in OUTSIDE:
            found += check_comments(text)
        if path.suffix == ".md":
            found += check_links(path.parent, lines)
            found += check_paths(root, lines)
        if path.suffix == ".md" and folder == "docs":
            found += check_citations(lines, keys)
        yield from ((name, number, message) for number, message in found)
    yield from check_cases(root)
    yield from check_cycles(includes)
    yield from check_tests(root, units)
    yield from check_notation(root, words)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = sorted(breaches(root))
    for name, number, message in found:
        print(f"{name}:{number}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
