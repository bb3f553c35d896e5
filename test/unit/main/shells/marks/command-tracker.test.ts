import { expect, test } from "vitest";
import { type CommandNote, CommandTracker } from "../../../../../main/shells/marks/command-tracker.ts";
import { createMarkSecret } from "../../../../../main/shells/marks/mark-secret.ts";
import { parseClaim } from "../../../../../main/shells/marks/parse-claim.ts";

const secret = createMarkSecret();

/** A tracker that is told marks by their cycle and words, with the right nonce. */
function track() {
  const tracker = new CommandTracker();
  const notes: CommandNote[] = [];
  const tell = (cycle: number, words: string) => {
    const claim = parseClaim(`${cycle};${secret.nonceOf(cycle)};${words}`, secret);
    const step = claim && tracker.accept(claim);
    if (step !== undefined && "mark" in step) tracker.note({ ...step.mark, offset: 0, end: 0, at: 0 });
    if (step !== undefined && "note" in step) notes.push(step.note);
    return tracker.state;
  };
  return { tracker, tell, notes };
}

test("follows a command from prompt to prompt", () => {
  const { tell, tracker } = track();
  const told = [
    tell(1, "D;0;/tmp"),
    tell(1, "A;0"),
    tell(1, "B;1;0"),
    tell(1, "C"),
    tell(2, "D;7;/a%20b"),
    tell(2, "A;7"),
  ];
  expect(told).toEqual(["ended", "prompt", "ready", "running", "ended", "prompt"]);
  expect(tracker.cwd).toBe("/a b");
  expect(tracker.marks.map((each) => each.kind)).toEqual([
    "command-end",
    "prompt",
    "prompt-end",
    "command-start",
    "command-end",
    "prompt",
  ]);
});

test("takes each mark once: what is printed again changes nothing", () => {
  const { tell, tracker, notes } = track();
  const all = ["D;0;/", "A;0", "B;1;0", "C"];
  for (const cycle of [1, 2, 3]) for (const words of all) tell(cycle, words);
  const before = tracker.marks.length;
  for (const cycle of [1, 2, 3])
    for (const words of [...all, "P;1", "E;4", "I"]) expect(tell(cycle, words)).toBe("running");
  expect(tracker.marks).toHaveLength(before);
  expect(notes).toEqual([]);
});

test("takes the line editor's answer for a prompt whose marks an interrupt kept away", () => {
  const { tell, notes } = track();
  for (const words of ["D;0;/", "A;0", "B;1;0", "C"]) tell(1, words);
  expect([tell(2, "D;0;/"), tell(1, "E;3"), tell(2, "E;0")]).toEqual(["ended", "ended", "ready"]);
  expect(notes).toEqual([{ kind: "edited", length: 0 }]);
});

test("takes no mark of an earlier cycle, whose nonce programs may have read", () => {
  const { tell, tracker, notes } = track();
  for (const words of ["D;0;/", "A;0", "B;1;0", "C"]) tell(1, words);
  for (const words of ["D;0;/", "A;0", "B;1;0"]) tell(2, words);
  for (const words of ["D;9;/x", "A;9", "B;2;9", "P;3", "E;4", "I", "C"]) expect(tell(1, words)).toBe("ready");
  expect([tracker.marks.length, tracker.cwd, notes]).toEqual([7, "/", []]);
});

test("takes no mark without the nonce of its cycle", () => {
  const { tracker } = track();
  for (const nonce of ["", "0:0", secret.nonceOf(2), createMarkSecret().nonceOf(1)]) {
    expect(parseClaim(`1;${nonce};D;0;/`, secret)).toBeUndefined();
  }
  for (const cycle of ["0", "-1", "01", "1.0", "", "1e0", "99999999999"]) {
    expect(parseClaim(`${cycle};${secret.nonceOf(Number(cycle))};D;0;/`, secret)).toBeUndefined();
  }
  expect(tracker.state).toBe("unknown");
});

test("goes on where an interrupt swallowed marks", () => {
  const { tell } = track();
  for (const words of ["D;0;/", "A;0", "B;1;0", "C"]) tell(1, words);
  expect(tell(2, "A;130")).toBe("prompt");
  expect(tell(3, "B;1;130")).toBe("ready");
  expect(tell(5, "C")).toBe("running");
});

test("tells a line that was dropped, one that is not finished, and prompts without hooks", () => {
  const { tell, notes } = track();
  for (const words of ["D;0;/", "A;0", "B;1;0", "B;1;0"]) tell(1, words);
  expect([tell(1, "B;2;0"), tell(1, "P;3"), tell(1, "C"), tell(1, "P;3"), tell(1, "B;4;0"), tell(1, "C")]).toEqual([
    "ready",
    "continuation",
    "running",
    "running",
    "lost",
    "lost",
  ]);
  expect(notes.map(({ kind }) => kind)).toEqual(["not-started", "continuation", "lost"]);
  expect(tell(2, "D;0;/")).toBe("ended");
});
