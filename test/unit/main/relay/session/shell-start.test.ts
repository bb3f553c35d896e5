import { expect, test } from "vitest";
import { keptRecord, launchAgain } from "../../../../../main/relay/session/shell-start.ts";
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

const hiding = "key:b:hides-secrets";

test.each<[string, string[] | undefined, string[] | undefined, string[] | undefined]>([
  ["of a person, started again by a person, has no makers", undefined, undefined, undefined],
  ["of a person gets the makers of who starts it again", undefined, ["key:b", "shell:2"], ["key:b", "shell:2"]],
  ["keeps its makers, whoever starts it again", ["key:a"], ["key:b"], ["key:a"]],
  ["keeps its makers where a person starts it again", ["key:a"], undefined, ["key:a"]],
  ["hides secrets where they are hidden from the caller", ["key:a"], [hiding, "shell:2"], ["key:a", hiding]],
  ["that hides secrets already keeps its makers", ["key:a:hides-secrets"], [hiding], ["key:a:hides-secrets"]],
])("a shell %s", (_what, makers, caller, kept) => {
  expect(keptRecord({ ...here, ...(makers && { makers }) }, caller).makers).toEqual(kept);
});
