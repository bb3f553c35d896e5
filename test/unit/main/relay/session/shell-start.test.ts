import { expect, test } from "vitest";
import { launchAgain } from "../../../../../main/relay/session/shell-start.ts";
import { shellRecord } from "../small-session.ts";

const here = shellRecord(1, { command: process.execPath });
const gone = shellRecord(1, { command: "/not/there/zsh" });
const lost = { start: undefined, isKept: false };

test("what starts in the place of a shell is that shell, whose quotes the typed line is written with", () => {
  expect(launchAgain(here, { ...lost, again: {} })).toMatchObject({ shell: process.execPath });
  const again = { command: "claude --resume 'a b'" };
  expect(launchAgain(here, { ...lost, again })).toMatchObject({ shell: process.execPath, ...again });
  expect(launchAgain(gone, { ...lost, again })).toMatchObject({ shell: gone.command, ...again });
});

test("the login shell takes the place of a shell that is gone, where nothing is typed, and of no program", () => {
  expect(launchAgain(gone, { ...lost, again: {} })).not.toHaveProperty("shell");
  expect(launchAgain({ ...here, direct: true }, { ...lost, again: {} })).not.toHaveProperty("shell");
  expect(launchAgain(here, { ...lost, again: { exec: ["cat"] } })).toMatchObject({ exec: ["cat"] });
  expect(launchAgain(here, { ...lost, again: { exec: ["cat"] } })).not.toHaveProperty("shell");
});
