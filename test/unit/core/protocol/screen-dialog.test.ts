import { describe, expect, test } from "vitest";
import { dialogOn, showsDialog } from "../../../../core/protocol/screen-dialog.ts";

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

  test("is there while an option of a numbered list is marked", () => {
    expect(showsDialog(dialog)).toBe(true);
    expect(showsDialog("1. first\n2. second")).toBe(false);
    expect(showsDialog("› 1. alone")).toBe(false);
  });
});
