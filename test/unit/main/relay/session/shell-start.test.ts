import { expect, test } from "vitest";
import { launchAgain } from "../../../../../main/relay/session/shell-start.ts";
import { shellRecord } from "../small-session.ts";

const here = shellRecord(1, { command: process.execPath });
const gone = shellRecord(1, { command: "/not/there/zsh" });
const unknown = { start: undefined, isKept: false };

test("what starts in the place of a shell is that shell, whose quotes the typed line is written with", () => {
  expect(launchAgain(here, { ...unknown, again: {} })).toMatchObject({ shell: process.execPath });
  const again = { command: "claude --resume 'a b'" };
  expect(launchAgain(here, { ...unknown, again })).toMatchObject({ shell: process.execPath, ...again });
  expect(launchAgain(gone, { ...unknown, again })).toMatchObject({ shell: gone.command, ...again });
});

test("the login shell takes the place of a shell that is gone, where nothing is typed, and of no program", () => {
  expect(launchAgain(gone, { ...unknown, again: {} })).not.toHaveProperty("shell");
  expect(launchAgain({ ...here, direct: true }, { ...unknown, again: {} })).not.toHaveProperty("shell");
  expect(launchAgain(here, { ...unknown, again: { exec: ["cat"] } })).toMatchObject({ exec: ["cat"] });
  expect(launchAgain(here, { ...unknown, again: { exec: ["cat"] } })).not.toHaveProperty("shell");
});
