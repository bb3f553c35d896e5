import { expect, onTestFinished, test, vi } from "vitest";
import { optionDigits, type Question } from "../../../../core/protocol/questions.ts";
import { speak } from "../../../../renderer/ui/language.ts";
import {
  askedIn,
  describeRisk,
  optionLabel,
  optionOfDigit,
  outcomeOf,
  showAll,
  showRest,
  titleBeside,
} from "../../../../renderer/ui/question-text.ts";

const options = [
  { id: "yes", label: "Yes, this once", key: "y" },
  { id: "always-1", label: "Yes, always", key: "" },
  { id: "no", label: "No", key: "n" },
];

test("digits choose options by their position, as in the agent's own dialog", () => {
  expect(optionDigits(options)).toEqual(["1", "2", "3"]);
  expect(optionOfDigit(options, "1")?.id).toBe("yes");
  expect(optionOfDigit(options, "3")?.id).toBe("no");
  for (const other of ["0", "4", "y", "", "Enter"]) expect(optionOfDigit(options, other)).toBeUndefined();
});

test("the numbers of an agent's own list are kept, and a tenth option has no digit", () => {
  const numbered = ["2", "3"].map((key) => ({ id: key, label: key, key }));
  expect(optionOfDigit(numbered, "3")?.id).toBe("3");
  expect(optionOfDigit(numbered, "1")).toBeUndefined();
  const ten = Array.from({ length: 10 }, (_, index) => ({ key: String.fromCharCode(97 + index) }));
  expect(optionDigits(ten)).toEqual(["1", "2", "3", "4", "5", "6", "7", "8", "9", ""]);
  expect(optionDigits([])).toEqual([]);
});

test("a risk is described with its reasons", () => {
  expect(describeRisk({ level: "high", reasons: ["deletes files", "uses sudo"] })).toBe(
    "High risk: deletes files, uses sudo",
  );
  expect(describeRisk({ level: "low", reasons: [] })).toBe("Low risk");
});

test("an agent asks by its title; the relay asks about a budget, and says what was spent", () => {
  const title = "Today's budget is spent";
  const text = `${title}: $5.10 of $5.00. Automated input is held until this is answered.`;
  expect(askedIn({ source: "hook", title: "Bash: ls", text: "" })).toEqual({ asked: "Bash: ls", byAgent: true });
  expect(askedIn({ source: "governor", title, text })).toEqual({ asked: text, byAgent: false });
});

test.each([
  ["Bash: npm run build…", "npm run build\n  --verbose", "Bash"],
  ["Bash: npm test", "npm test", "Bash"],
  ["Edit: src/retry.ts", "-a\n+b", "Edit: src/retry.ts"],
  ["Approve the plan?", "1. Read", "Approve the plan?"],
  ["Bash: ", "ls", "Bash: "],
])("the title %j beside %j is %j", (title, detail, expected) => expect(titleBeside(title, detail)).toBe(expected));

const at = "2026-03-14T14:20:00.000Z";
const ann = { kind: "user", name: "ann", client: null } as const;
const terminal = { kind: "terminal", name: "terminal", client: null } as const;
const question = (fields: Partial<Question>) =>
  ({ options, receipt: null, closedBecause: null, ...fields }) as Question;
const answered = (state: NonNullable<Question["receipt"]>["state"]) =>
  question({
    state: "answered",
    answeredBy: ann,
    answer: { option: "yes", text: null },
    receipt: { state, evidence: "the evidence", at },
  });

test.each([
  [question({ state: "open" }), undefined, undefined],
  [answered("pending"), "info", "Answered by ann: Yes, this once. Waiting for proof that the agent took it."],
  [answered("confirmed"), "good", "Answered by ann: Yes, this once. Confirmed: the evidence."],
  [
    answered("unconfirmed"),
    "info",
    "Answered by ann: Yes, this once. Not confirmed: the evidence. Look at its terminal.",
  ],
  [answered("overruled"), "bad", "Answered by ann: Yes, this once. Overruled: the evidence."],
  [answered("abandoned"), "bad", "Answered by ann: Yes, this once. The agent ended first: the evidence."],
  [
    question({ state: "answered", answeredBy: terminal, answer: { option: null, text: null } }),
    "info",
    "Answered in the terminal.",
  ],
  [
    question({ state: "answered", answeredBy: ann, answer: { option: null, text: "use the test folder" } }),
    "info",
    "Answered by ann: “use the test folder”.",
  ],
  [question({ state: "withdrawn", closedBecause: "its agent has ended" }), "info", "Withdrawn: its agent has ended."],
  [question({ state: "expired", closedBecause: "not answered in a day" }), "info", "Expired: not answered in a day."],
])("the outcome of %o is %s: %s", (asked, kind, sentence) => {
  expect(outcomeOf(asked)).toEqual(kind === undefined ? undefined : { kind, sentence });
});

test("a button that opens a part says how much is left out, in lines or characters", () => {
  expect(showAll("command", 3)).toBe("Show the whole command (3 lines)");
  expect(showAll(undefined, 1)).toBe("Show all that it asks for");
  expect(showRest("diff", "a\nb\nc", "a")).toBe("Show the whole change (2 more lines)");
  expect(showRest("input", "abcdef", "ab")).toBe("Show the whole input (4 more characters)");
});

test("what the relay says is in the language of the page, and what an agent says is as it is", async () => {
  vi.stubGlobal("document", { documentElement: { lang: "en" } });
  onTestFinished(async () => {
    await speak({ language: "en", locale: undefined });
    vi.unstubAllGlobals();
  });
  await speak({ language: "de", locale: undefined });
  expect(describeRisk({ level: "medium", reasons: ["uses the network", "of its own"] })).toBe(
    "Mittleres Risiko: nutzt das Netzwerk, of its own",
  );
  const receipt = { state: "confirmed", evidence: "the agent reported that the tool ran", at } as const;
  expect(outcomeOf({ ...answered("confirmed"), receipt })?.sentence).toBe(
    "Beantwortet von ann: Ja, dieses eine Mal. Bestätigt: der Agent hat gemeldet, dass das Werkzeug lief.",
  );
  expect(outcomeOf(question({ state: "expired", closedBecause: "not answered in a day" }))?.sentence).toBe(
    "Abgelaufen: einen Tag lang nicht beantwortet.",
  );
  const label = (kind: Question["kind"], source: Question["source"], text: string) =>
    optionLabel({ kind, source }, text);
  expect(label("permission", "hook", "No")).toBe("Nein");
  expect(label("choice", "governor", "Let it run")).toBe("Weiterlaufen lassen");
  expect([label("choice", "hook", "No"), label("permission", "screen", "No")]).toEqual(["No", "No"]);
  expect(label("permission", "hook", "constructor")).toBe("constructor");
  await speak({ language: "ja", locale: undefined });
  expect(label("permission", "hook", "No")).toBe("いいえ");
});
