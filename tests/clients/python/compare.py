"""Asks the released file system memory tool and `mem tool` the same, and says where they differ.

Arguments: the binary, an empty folder, a seed. Commands are made from a small set of paths and texts, so
that they meet. Left out is what `mem tool` refuses on purpose: folders of files, a move into itself.
"""

import json
import random
import subprocess
import sys
from pathlib import Path

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaLocalFilesystemMemoryTool

MEM, FOLDER, SEED = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
PATHS = ["/memories", "/memories/", "/memories/a", "/memories/b.txt", "/memories/d", "/memories/d/e", "/memories/d/e/f",
         "/memories/x/../a", "/memories/./b.txt", "/memories//d/e", "/memories/../out", "/elsewhere", "/memories/.h",
         "/memories/%2e%2e/g", "/memories/\u00e9"]
TEXTS = ["", "\n", "a", "a\n", "a\nb\n", "a a\nb", "b\na\nb\na", "\r\nx\u2028y\n\n", "aaa", "$& \\1 a", "\U0001f600\nab"]
chosen = random.Random(SEED)


def pick(of):
    return chosen.choice(of)


def command():
    path, text = pick(PATHS), pick(TEXTS)
    number = chosen.randint(-2, 4)
    return pick([
        {"command": "view", "path": path},
        {"command": "view", "path": path, "view_range": [number, chosen.randint(-3, 5)]},
        {"command": "create", "path": path, "file_text": text},
        {"command": "create", "path": path, "file_text": text},
        {"command": "str_replace", "path": path, "old_str": pick(TEXTS), "new_str": text},
        {"command": "insert", "path": path, "insert_line": number, "insert_text": text},
        {"command": "delete", "path": path},
        {"command": "rename", "old_path": path, "new_path": pick(PATHS)},
    ])


def tree(root):
    return {str(file.relative_to(root)): file.read_bytes() if file.is_file() else None for file in root.rglob("*")}


theirs, ours = FOLDER / "theirs", FOLDER / "ours"
sdk = BetaLocalFilesystemMemoryTool(str(theirs))
loop = subprocess.Popen([MEM, "tool", "--loop", "--dialect", "python", "--root", str(ours)],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
asked = skipped = 0
while asked < 400:
    input = command()
    loop.stdin.write((json.dumps({"id": asked, "input": input}) + "\n").encode())
    loop.stdin.flush()
    answer = json.loads(loop.stdout.readline())
    try:
        expected = (sdk.call(input), False)
    except ToolError as error:
        expected = (str(error), True)
    except OSError:
        # A file as a folder, a folder into itself: told in words of our own, and nothing is changed.
        assert answer["is_error"], (input, answer)
        skipped += 1
        expected = None
    got = (answer["content"], answer["is_error"])
    assert expected in (None, got), f"{input}\nexpected {expected}\n     got {got}"
    if input["command"] == "rename" and got[1]:
        # The SDK leaves folders behind that it made for a move that failed.
        for folder in sorted((f for f in (theirs / "memories").rglob("*") if f.is_dir()), reverse=True):
            if not any(folder.iterdir()) and not (ours / folder.relative_to(theirs)).exists():
                folder.rmdir()
    left, right = tree(theirs), tree(ours)
    if expected is None and left != right:
        for folder in sorted((f for f in (theirs / "memories").rglob("*") if f.is_dir()), reverse=True):
            if not any(folder.iterdir()) and not (ours / folder.relative_to(theirs)).exists():
                folder.rmdir()
        left = tree(theirs)
    assert left == right, f"{input}\n{left}\n{right}"
    asked += 1
loop.stdin.close()
assert loop.wait() == 0
print(f"{asked} commands, {skipped} of them errors of the system")
