import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { quotePath } from "../../../../../renderer/session/terminal/quote-path.ts";

const paths = [
  "/tmp/a.txt",
  "/tmp/my notes.txt",
  "/tmp/it's",
  "/tmp/back\\slash and \\\\two",
  '/tmp/$HOME `date` $(date) !! * ? [a] {a,b} ~ # & ; | < > "x"',
  "/tmp/\\'",
  "/tmp/ends with \\",
  "/tmp/日本 🚀",
  "/tmp/=x ^y %z",
];
const shells = [
  ["sh", []],
  ["bash", ["--norc"]],
  ["zsh", ["-f"]],
  ["fish", ["--no-config"]],
] as const;

test.each(shells.filter(([name]) => existsSync(`/usr/bin/${name}`) || existsSync(`/bin/${name}`)))(
  "%s takes every quoted path as one word, unchanged",
  (name, options) => {
    const words = paths.map((path) => quotePath(path, { command: `/bin/${name}`, process: null }));
    const out = execFileSync(name, [...options, "-c", `printf '%s\\n' ${words.join(" ")}`], { encoding: "utf8" });
    expect(out.trimEnd().split("\n")).toEqual(paths);
  },
);

test("the shell in front decides, else the one of the tile, in whatever form it is named", () => {
  const path = "/a\\'b";
  const fish = "'/a\\\\\\'b'";
  expect(quotePath(path, { command: "bash", process: "fish" })).toBe(fish);
  expect(quotePath(path, { command: "/usr/bin/fish --login", process: "vim" })).toBe(fish);
  expect(quotePath(path, { command: "-fish", process: null })).toBe(fish);
  expect(quotePath("C:\\My files", { command: "C:\\Windows\\System32\\cmd.exe", process: null })).toBe(
    '"C:\\My files"',
  );
  expect(quotePath("C:\\It's", { command: "pwsh.exe", process: null })).toBe("'C:\\It''s'");
  expect(quotePath("/a b", { command: "unknown" })).toBe("'/a b'");
});

test.each(["/tmp/a\nrm -rf ~", "/tmp/\x1b[201~x", "/tmp/a\x03", "/tmp/\u009b"])("%j is refused", (path) => {
  expect(quotePath(path, { command: "bash" })).toBeUndefined();
});
