import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { HookQuestion } from "../../../../../core/protocol/agent-hooks.ts";
import { questionLimits } from "../../../../../core/protocol/questions.ts";
import { readAcpHook } from "../../../../../main/agents/hooks/acp-hooks.ts";

const OPTIONS = [
  { optionId: "proceed", name: "Allow", kind: "allow_once" },
  { optionId: "proceed_always", name: "Always", kind: "allow_always" },
  { optionId: "cancel", name: "Reject", kind: "reject_once" },
];
const permission = (toolCall: unknown, options: unknown = OPTIONS) =>
  readAcpHook({ type: "permission", session: "s-1", call: "1", cwd: "/project", toolCall, options });

function asked(toolCall: unknown, options?: unknown): HookQuestion {
  const report = permission(toolCall, options);
  if (report?.kind !== "asks") throw new Error("no question");
  return report.question;
}

const reply = (question: HookQuestion, option: string | null) => question.reply({ option, text: null }, "ann");

describe("a request for permission by the protocol", () => {
  test.each([
    ["the same", "Allow", "Allow"],
    ["another case", "Allow", "allow"],
    ["characters that show nothing", "Allow", "Al\u200blow\ufe0f\u3164"],
    ["another width", "Allow", "\uff21\uff4c\uff4c\uff4f\uff57"],
    ["letters of another script", "Allow", "\u0410ll\u043ew"],
    ["a capital of another script", "No", "\u039do"],
    ["a digit for a letter", "Allow", "A11ow"],
    ["turned text", "Allow", "\u202eAllow\u202c"],
    ["a difference that is not shown", `${"a".repeat(5000)}1`, `${"a".repeat(5000)}2`],
  ])("offers no options of which two look the same: %s", (_what, one, other) => {
    const options = [
      { optionId: "proceed", name: one, kind: "allow_once" },
      { optionId: "cancel", name: other, kind: "reject_once" },
    ];
    const question = asked({ title: "touch a" }, options);
    expect([question.options, question.takesReply]).toEqual([[], false]);
  });

  test.each([
    ["No", "Yes"],
    ["N\u043e", "Stop"],
    ["Go on", "\u03a5\u0435s"],
  ])("offers no options of which one is called what another is answered by: %s, %s", (allow, reject) => {
    const options = [
      { optionId: "proceed", name: allow, kind: "allow_once" },
      { optionId: "cancel", name: reject, kind: "reject_once" },
    ];
    const question = asked({ title: "touch a" }, options);
    expect([question.options, question.takesReply]).toEqual([[], false]);
  });

  test("shows a command with the ends of its arguments, and knows its risk", () => {
    const rawInput = { command: ["/bin/bash", "-lc", "rm -r 'a b'"] };
    const { detail, risk } = asked({ title: "rm", kind: "execute", rawInput });
    expect(detail.command).toBe(String.raw`/bin/bash -lc 'rm -r '\''a b'\'''`);
    expect(risk).toEqual({ level: "high", reasons: ["deletes files"] });
  });

  test("offers the agent's options, and the reply is the chosen one", () => {
    const rawInput = { command: "rm -r build", description: "Clean up" };
    const question = asked({ toolCallId: "t", title: "rm -r build", kind: "execute", rawInput });
    expect(question).toMatchObject({
      agentSessionId: "s-1",
      kind: "permission",
      title: "rm -r build",
      text: "Clean up",
      detail: { command: "rm -r build" },
      risk: { level: "high", reasons: ["deletes files"] },
      takesReply: true,
      acceptsText: false,
    });
    expect(question.options.map(({ id, label, key }) => `${id} ${label} ${key}`)).toEqual([
      "yes Allow y",
      "always-1 Always ",
      "no Reject n",
    ]);
    expect(reply(question, "yes")).toEqual({ output: { option: "proceed" }, allows: true, decision: "proceed" });
    expect(reply(question, "no")).toMatchObject({ allows: false, decision: "cancel" });
    for (const option of ["maybe", null]) expect(reply(question, option)).toEqual({ output: {}, allows: false });
  });

  test("shows the files and the change that it is about", () => {
    const content = [
      { type: "diff", path: "/project/a.txt", oldText: "one", newText: "two" },
      { type: "diff", path: "/etc/passwd", newText: "x" },
    ];
    const { detail, risk } = asked({ title: "Edit", kind: "edit", content, locations: [{ path: "/project/b.txt" }] });
    expect(detail.files).toEqual(["/project/a.txt", "/etc/passwd", "/project/b.txt"]);
    expect(detail.diff).toBe("/project/a.txt\n-one\n+two\n/etc/passwd\n+x");
    expect(risk).toMatchObject({ level: "high", reasons: ["writes files", "outside the folder"] });
  });

  test.each([
    ["read", "low"],
    ["search", "low"],
    ["edit", "medium"],
    ["fetch", "medium"],
    ["delete", "high"],
    ["other", "high"],
    [null, "high"],
  ])("has the risk of its kind: %s", (kind, level) => {
    expect(asked({ title: "Do it", kind }).risk.level).toBe(level);
  });

  test("shows all that the tool is given, with a high risk where that is not known", () => {
    const question = asked({ title: "ls", kind: "read", rawInput: { command: "ls", run_after: "rm -rf /" } });
    expect(question).toMatchObject({
      detail: { command: "ls", input: '{\n "run_after": "rm -rf /"\n}' },
      risk: { level: "high", reasons: expect.arrayContaining(["what it does is not known"]) },
    });
    expect(asked({ title: "x", kind: "read", rawInput: ["rm"] }).detail.input).toContain('["rm"]');
    expect(asked("touch a").detail.input).toContain("touch a");
    expect(asked({ title: "x", content: [{ type: "terminal", terminalId: "t" }] }).detail.input).toContain(
      "terminalId",
    );
    const edit = { content: [{ type: "diff", path: "/project/a", oldText: "1", newText: "2" }] };
    const known = asked({
      title: "Edit",
      kind: "edit",
      ...edit,
      rawInput: { file_path: "/project/a", new_string: "2" },
    });
    expect(known).toMatchObject({ detail: { files: ["/project/a"], diff: "-1\n+2" }, risk: { level: "medium" } });
    expect(known.detail.input).toBeUndefined();
    const other = asked({ title: "Edit", kind: "edit", ...edit, rawInput: { file_path: "/project/a", run: "2" } });
    expect(other).toMatchObject({ detail: { input: '{\n "run": "2"\n}' }, risk: { level: "high" } });
  });

  test("shows a title whole that does not fit in one line", () => {
    const title = `cat ${"a".repeat(300)}; rm -rf work`;
    expect(asked({ title, kind: "execute" }).text).toBe(title);
  });

  test("is left to the terminal where it could not be passed on whole, or does not fit", () => {
    const cut = { ...{ type: "permission", session: "s-1", call: "1", cwd: "/project" }, toolCall: { title: "x" } };
    expect(readAcpHook({ ...cut, cut: true, options: OPTIONS })).toMatchObject({
      question: { takesReply: false, options: [], risk: { level: "high" } },
    });
    const long = asked({ title: "x", rawInput: { command: "x".repeat(20_000) } });
    expect(long).toMatchObject({ takesReply: false, options: [], risk: { level: "high" } });
  });

  test("is a choice where there are several ways to allow", () => {
    const options = [1, 2, 3].map((at) => ({ optionId: `o${at}`, name: `Colour ${at}`, kind: "allow_once" }));
    const question = asked({ title: "Which?" }, options);
    expect(question).toMatchObject({ kind: "choice", options: [{ id: "1", key: "1" }, { id: "2" }, { id: "3" }] });
    expect(reply(question, "3").output).toEqual({ option: "o3" });
  });

  test.each([
    ["none", []],
    ["more than twenty", Array.from({ length: 21 }, (_, at) => ({ ...OPTIONS[0], optionId: `o${at}` }))],
    ["two with the same id", [...OPTIONS, { ...OPTIONS[0], name: "Another" }]],
    ["one of an unknown kind", [...OPTIONS, { optionId: "x", name: "x", kind: "allow_forever" }]],
    ["no list", "allow"],
  ])("is left to the terminal with these options: %s", (_, options) => {
    expect(asked({ title: "x" }, options)).toMatchObject({ takesReply: false, options: [] });
  });
});

test("the other reports say what has become of a question", () => {
  const about = { session: "s-1", call: "1" };
  const read = (more: object) => readAcpHook({ ...about, ...more });
  expect(read({ type: "settled" })).toEqual({ kind: "settled", agentSessionId: "s-1", call: "1" });
  expect(read({ type: "settled", decision: "x" })).toMatchObject({ decision: "x" });
  expect(read({ type: "withdrawn" })).toMatchObject({ kind: "withdrawn", call: "1" });
  expect(read({ type: "ran" })).toMatchObject({ kind: "ran" });
  expect(read({ type: "turn" })).toEqual({ kind: "turn", agentSessionId: "s-1", thread: "" });
  expect(read({ type: "ended" })).toMatchObject({ kind: "ended" });
  for (const wrong of [{ type: "closed" }, { type: "turn", session: "" }, { type: "ran", call: "x".repeat(201) }, {}])
    expect(read(wrong)).toBeUndefined();
});

test("whatever an agent writes, a request is read or left, with bounded and visible texts", () => {
  const toolCall = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        title: fc.oneof(fc.string({ unit: "binary", maxLength: 300 }), fc.jsonValue()),
        kind: fc.jsonValue(),
        content: fc.jsonValue(),
        locations: fc.jsonValue(),
        rawInput: fc.oneof(
          fc.record({ command: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()) }),
          fc.jsonValue(),
        ),
      },
      { requiredKeys: [] },
    ),
  );
  const options = fc.oneof(
    fc.jsonValue(),
    fc.array(
      fc.record({
        optionId: fc.string(),
        name: fc.string({ unit: "binary" }),
        kind: fc.constantFrom("allow_once", "reject_once", "x"),
      }),
    ),
  );
  fc.assert(
    fc.property(toolCall, options, (call, given) => {
      const report = permission(call, given);
      if (report?.kind !== "asks") return;
      const { title, text, detail, options: offered } = report.question;
      expect(title.length).toBeLessThanOrEqual(questionLimits.title);
      expect(text.length).toBeLessThanOrEqual(questionLimits.text);
      expect((detail.command ?? "").length).toBeLessThanOrEqual(questionLimits.command);
      expect(offered.length).toBeLessThanOrEqual(questionLimits.options);
      expect(`${title}${text}${offered.map(({ label }) => label).join("")}`).not.toMatch(
        /[^\P{C}\n\t\p{Co}\p{Cn}\p{Cs}]/u,
      );
    }),
  );
});
