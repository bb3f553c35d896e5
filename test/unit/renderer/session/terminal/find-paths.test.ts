import fc from "fast-check";
import { expect, test } from "vitest";
import { findPaths, isClearlyPath } from "../../../../../renderer/session/terminal/find-paths.ts";

test.each([
  ["a compiler's message", "src/main.ts:12:3 - error", [["src/main.ts", "src/main.ts:12:3"]]],
  ["a compiler's message with parentheses", "src/main.ts(12,3): error", [["src/main.ts", "src/main.ts"]]],
  ["a line of grep", "a/b.c:7:int x;", [["a/b.c", "a/b.c:7"]]],
  ["an absolute path at the end of a sentence", "Wrote /tmp/out.log.", [["/tmp/out.log", "/tmp/out.log"]]],
  ["the home folder", "see ~/notes.md, please", [["~/notes.md", "~/notes.md"]]],
  ["a list of names", "package.json  README  lib.rs", [["package.json"], ["lib.rs"]]],
  ["an option", "--config=./x/y.json", [["./x/y.json"]]],
  ["a traceback", '  File "/usr/lib/python3/a.py", line 3', [["/usr/lib/python3/a.py"]]],
  ["quotes with a space", "cannot open '/tmp/my notes.txt'", [["/tmp/my notes.txt"]]],
  ["a path of Windows", "C:\\Users\\x\\a.txt:3", [["C:\\Users\\x\\a.txt", "C:\\Users\\x\\a.txt:3"]]],
  ["a wide name", "日本/説明.txt", [["日本/説明.txt"]]],
  ["a parent", "../a.out", [["../a.out"]]],
  ["addresses", "https://host.test/a/b.html ssh://git@host/a.git file:///etc/passwd", []],
  ["numbers and dots", "1.5 3.14.1 ... . / 12:30", []],
  ["plain words", "nothing to see here", []],
])("%s", (_name, text, wanted) => {
  expect(findPaths(text).map(({ path, start, end }) => [path, text.slice(start, end)])).toEqual(
    wanted.map(([path, whole = path]) => [path, whole]),
  );
});

test("of any text, candidates lie in it one after the other, and their paths begin them", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("a", "/", ".", ":", " ", '"', "'", "1", "\\", "~", "é") }),
      (text) => {
        const found = findPaths(text).toSorted((one, other) => one.start - other.start);
        let last = 0;
        for (const { path, start, end } of found) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, end).startsWith(path)).toBe(true);
          last = end;
        }
      },
    ),
    { examples: [["/a:1/"], ["/a:1:2/"], ["/a:1."]] },
  );
});

test("without a look at the files, only what has the form of a path counts", () => {
  const clear = ["/etc/hosts", "~/a", "./a", "../b/c", "src/a.ts", "C:\\x"];
  expect(clear.filter((path) => !isClearlyPath(path))).toEqual([]);
  expect(["and/or", "main.ts", "10.0.0.1/24", "e.g", "//x"].filter(isClearlyPath)).toEqual([]);
});
