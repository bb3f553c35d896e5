import { describe, expect, test } from "vitest";
import { dialogOn, endOf, optionsIn, optionsOn, showsDialog } from "../../../../core/protocol/screen-dialog.ts";

const rule = "─".repeat(60);
const options = " Do you want to proceed?\n ❯ 1. Yes\n   2. No";
const dialog = ` Bash command\n\n   touch made\n   Create a file\n\n${options}`;

describe("a dialog on a screen", () => {
  test.each([
    ["a bullet that blinks", `● Bash(touch made)\n  ⎿  Running…\n${rule}\n${dialog}`],
    ["a bullet that is gone", `  Bash(touch made)\n  ⎿  Running…\n${rule}\n${dialog}`],
    ["other lines above it", `✻ Baking… (12 s)\n${rule}\nother text\n${rule}\n${dialog}`],
  ])("is the same with %s", (_, screen) => {
    expect(dialogOn(screen)).toBe(dialogOn(`${rule}\n${dialog}`));
  });

  test.each(["●", "⠋", "⠙", "✻", "•", " "])("without a line above it is the same behind the mark %s", (mark) => {
    const screen = (drawn: string) => `${drawn} Running touch made\n\n  $ touch made\n\n› 1. Yes\n  2. No`;
    expect(dialogOn(screen(mark))).toBe(dialogOn(screen("•")));
  });

  test.each([
    ["its command", dialog.replace("touch made", "rm -rf work")],
    ["its marked option", dialog.replace(" ❯ 1. Yes\n   2. No", "   1. Yes\n ❯ 2. No")],
    ["its options", dialog.replace("2. No", "2. Always")],
    ["what was typed below it", `${dialog}\n> y`],
  ])("is another one with another one of %s", (_, other) => {
    expect(dialogOn(`${rule}\n${other}`)).not.toBe(dialogOn(`${rule}\n${dialog}`));
  });

  test("reaches beyond a line between its question and what that is about", () => {
    const boxed = (command: string) => `${rule}\n Bash command\n   ${command}\n${rule}\n${options}`;
    expect(dialogOn(boxed("rm -rf work"))).not.toBe(dialogOn(boxed("ls")));
  });

  test("is not cut by a line that its command draws", () => {
    const lined = (command: string) =>
      `${rule}\n Bash command\n\n   ${command}\n   ${rule}\n   # one\n   # two\n\n${options}`;
    expect(dialogOn(lined("rm -rf work"))).not.toBe(dialogOn(lined("ls")));
    expect(dialogOn(`above\n${lined("ls")}`)).toBe(dialogOn(lined("ls")));
    const long = lined(`ls\n${"   echo one\n".repeat(50)}`);
    expect(endOf(`earlier\n${long}`)).toBe(long);
    // The line above a dialog may be indented, as all of it is.
    const boxed = (command: string) =>
      ` ╭${rule}╮\n │ ${command} │\n │ Proceed? │\n │ ❯ 1. Yes │\n │   2. No │\n ╰${rule}╯`;
    expect(dialogOn(`above\n${boxed("ls")}`)).toBe(dialogOn(boxed("ls")));
  });

  test("is there while an option of a numbered list is marked", () => {
    expect(showsDialog(dialog)).toBe(true);
    expect(showsDialog("1. first\n2. second")).toBe(false);
    expect(showsDialog("› 1. alone")).toBe(false);
  });

  test("has the options of the marked list, whatever text stands in one of them or above", () => {
    const lines = ["1. a step", "2. another", "Proceed?", "❯ 1. Yes", "  2. Yes, and always `x", "     1. No, refuse"];
    const options = (rest: readonly string[]) => optionsIn([...lines, ...rest].join("\n")).map(({ label }) => label);
    expect(options(["     2. Keep asking`", "  3. No"])).toEqual(["Yes", "Yes, and always `x", "No"]);
    // What stands where an option may stand makes them uncertain.
    expect(options(["  1. No, refuse", "  3. No"])).toEqual([]);
    expect(optionsIn("  1. Yes\n│ ▶ 2. No │\n")).toEqual([]);
    expect(optionsIn("│   1. Yes │\n│ ▶ 2. No │").map(({ label }) => label)).toEqual(["Yes", "No"]);
  });

  test("is shown whole where it is longer than the end of a screen, and has no options where it is not", () => {
    const long = (count: number, line: string) => `${rule}\n${`${line}\n`.repeat(count)}${options}`;
    const history = "earlier\n".repeat(20);
    expect(endOf(`${history}${long(50, " echo one")}`)).toBe(long(50, " echo one"));
    expect(optionsOn(`${history}${long(50, " echo one")}`)).toHaveLength(2);
    expect(optionsOn(long(50, ` echo ${"long".repeat(60)}`))).toEqual([]);
    // Without a line above it, it is not known where it begins: the whole screen is shown, and compared.
    const unlined = (first: string) => `${first}\n${"earlier\n".repeat(50)}${options}`;
    expect(endOf(unlined("ls"))).toBe(unlined("ls"));
    expect(dialogOn(endOf(unlined("rm -rf work")))).not.toBe(dialogOn(endOf(unlined("ls"))));
    expect(endOf("earlier\n".repeat(50)).split("\n")).toHaveLength(30);
  });
});
