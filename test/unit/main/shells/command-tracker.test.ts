import { expect, test } from "vitest";
import { CommandTracker } from "../../../../main/shells/command-tracker.ts";
import { parseOsc } from "../../../../main/shells/terminal-signal.ts";

test("follows a command from prompt to prompt", () => {
  const { mark, tracker } = track();
  expect(["D;0", "A", "B", "C", "D;7", "A", "B"].map(mark)).toEqual([
    "ended",
    "prompt",
    "ready",
    "running",
    "ended",
    "prompt",
    "ready",
  ]);
  expect(tracker.cwd).toBe("/tmp");
  expect(tracker.marks.map((each) => each.kind)).toEqual([
    "command-end",
    "prompt",
    "prompt-end",
    "command-start",
    "command-end",
    "prompt",
    "prompt-end",
  ]);
});

test("believes no mark without the nonce, and no end of a prompt out of turn", () => {
  const { mark, tracker } = track();
  for (const real of ["A", "B", "C"]) mark(real);
  for (const fake of ["A", "B", "C", "D;0"]) {
    for (const nonce of ["", ";patchbay=", ";patchbay=wrong"]) {
      const message = parseOsc(`133;${fake}${nonce}`);
      expect(message !== undefined && tracker.accept({ ...message, offset: 0, end: 1 }, 0)).toBe(false);
    }
  }
  expect(tracker.state).toBe("running");
});

function track() {
  const tracker = new CommandTracker("secret");
  let offset = 0;
  const mark = (letter: string) => {
    const message = parseOsc(`133;${letter}${letter === "B" ? "" : ";patchbay=secret;cwd=/tmp"}`);
    if (message !== undefined) tracker.accept({ ...message, offset: offset++, end: offset }, offset);
    return tracker.state;
  };
  return { tracker, mark };
}
