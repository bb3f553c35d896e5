import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startFolder } from "../../../../main/shells/check-spawn.ts";

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), "patchbay-folders-")));
  mkdirSync(path.join(root, "there"));
  mkdirSync(path.join(root, "really (deleted)"));
  writeFileSync(path.join(root, "file"), "");
  symlinkSync("there", path.join(root, "link"));
  symlinkSync("nowhere", path.join(root, "broken"));
  mkdirSync(path.join(root, "closed"), { mode: 0 });
});
afterAll(() => {
  chmodSync(path.join(root, "closed"), 0o700);
  rmSync(root, { recursive: true });
});

const sentence = (cwd: string) => {
  try {
    return `starts in ${startFolder({ cwd })}`;
  } catch (error) {
    return String(error);
  }
};

test("a shell starts at home, or in the folder that is given", () => {
  expect(
    [startFolder({}), startFolder({ cwd: "~" }), startFolder({ cwd: "~/" })].map((one) => path.resolve(one)),
  ).toEqual([homedir(), homedir(), homedir()]);
  for (const name of ["there", "link", "really (deleted)"]) {
    expect(startFolder({ cwd: path.join(root, name) })).toBe(path.join(root, name));
  }
});

test.each([
  ["nowhere", "does not exist"],
  ["broken", "does not exist"],
  ["file", "is not a folder"],
  ["file/below", "would lie in a file"],
  ["there/\0", "does not exist"],
  ["x".repeat(5000), "does not exist"],
])("%s is refused with the reason", (name, reason) => {
  expect(sentence(path.join(root, name))).toContain(reason);
});

test.each([".", "relative", "~someone", "~/nowhere-at-all-of-patchbay", ""])("%j is refused", (cwd) => {
  expect(sentence(cwd)).toMatch(/relative|does not exist/);
});

test("a folder that may not be entered is refused with the reason; root may enter every folder", () => {
  const closed = path.join(root, "closed");
  if (process.getuid?.() === 0) expect(startFolder({ cwd: closed })).toBe(closed);
  else expect(sentence(closed)).toContain("may not be entered");
});

test("where the folder of the split shell is gone, the nearest one above it is taken, else home", () => {
  const near = (name: string) => startFolder({ cwd: name, nearest: true });
  expect(near(path.join(root, "there/gone/deeper"))).toBe(path.join(root, "there"));
  expect(near(path.join(root, "there/gone (deleted)"))).toBe(path.join(root, "there"));
  expect(near(path.join(root, "file"))).toBe(root);
  expect(near(path.join(root, "really (deleted)"))).toBe(path.join(root, "really (deleted)"));
  expect(near("/nowhere-of-patchbay/at/all")).toBe(homedir());
  expect(near("relative")).toBe(homedir());
});
