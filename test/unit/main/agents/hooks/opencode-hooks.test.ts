import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readOpencodeHook } from "../../../../../main/agents/hooks/opencode-hooks.ts";

const read = (type: string, properties: object, more: object = {}) =>
  readOpencodeHook({ type, properties, root: "ses_root", cwd: "/project", ...more });

function asked(type: "permission.asked" | "permission.updated" | "question.asked", properties: object) {
  const report = read(type, { id: "req_1", sessionID: "ses_child", ...properties });
  if (report?.kind !== "asks") throw new Error("no question");
  return report.question;
}

const bash = { permission: "bash", patterns: ["make"], always: ["make *"], metadata: { command: "make" } };

describe("a permission that opencode asks for", () => {
  test("shows the command, for the session that the user talks to, and is answered by opencode's replies", () => {
    const question = asked("permission.asked", bash);
    expect(question).toMatchObject({
      agentSessionId: "ses_root",
      thread: "ses_child",
      call: "req_1",
      kind: "permission",
      title: "bash: make",
      detail: { command: "make" },
      takesReply: true,
      tellsAnswers: true,
    });
    expect(question.options.map(({ id, label, key }) => `${id}: ${label}: ${key}`)).toEqual([
      "yes: Yes, this once: y",
      "always: Yes, and do not ask again for make *: ",
      "no: No: n",
    ]);
    const reply = (option: string | null, text: string | null = null) => question.reply({ option, text }, "ann");
    expect(reply("yes")).toEqual({ output: { reply: "once" }, allows: true, decision: "once" });
    expect(reply("always")).toEqual({ output: { reply: "always" }, allows: true, decision: "always" });
    expect(reply("no")).toEqual({ output: { reply: "reject" }, allows: false, decision: "reject" });
    expect(reply(null, "not here").output).toEqual({ reply: "reject", message: "not here" });
  });

  test.each([
    ["a command", { metadata: { command: "rm -rf build" } }, "high", "deletes files"],
    [
      "a file outside",
      { permission: "edit", metadata: { filepath: "/etc/hosts", diff: "+x" } },
      "high",
      "writes files",
    ],
    [
      "a folder outside",
      { permission: "external_directory", patterns: ["/etc/*"], metadata: {} },
      "medium",
      "outside the folder",
    ],
    [
      "an address",
      { permission: "webfetch", patterns: ["https://a.example"], metadata: {} },
      "medium",
      "uses the network",
    ],
    [
      "a tool of a server",
      { permission: "files_wipe", patterns: ["*"], metadata: {} },
      "high",
      "what it does is not known",
    ],
    ["a command that is not told", { metadata: {} }, "high", "what it does is not known"],
  ])("says the risk of %s", (_, properties, level, reason) => {
    const { risk } = asked("permission.asked", { ...bash, ...properties });
    expect(risk.level).toBe(level);
    expect(risk.reasons).toContain(reason);
  });

  test("shows all that its tool is given", () => {
    const tool = {
      permission: "files_wipe",
      patterns: ["*"],
      metadata: { description: "lists", path: "/", deep: { a: 1 } },
    };
    const question = asked("permission.asked", { ...bash, ...tool });
    expect(question.text).toBe("lists\n*");
    expect(question.detail.input).toBe('{\n "path": "/",\n "deep": {"a":1}\n}');
    const odd = asked("permission.asked", { ...bash, metadata: { command: ["rm"] } });
    expect(odd.detail.input).toContain('["rm"]');
  });

  test("is left to the terminal where the plugin could not pass it on whole, or it does not fit", () => {
    const cut = read("permission.asked", { id: "i", sessionID: "s", ...bash }, { cut: true });
    const long = read("permission.asked", {
      id: "i",
      sessionID: "s",
      ...bash,
      metadata: { command: "x".repeat(20_000) },
    });
    for (const report of [cut, long])
      expect(report).toMatchObject({ question: { takesReply: false, options: [], risk: { level: "high" } } });
  });

  test.each<[string, object]>([
    ["a tool of a server", { permission: "files_wipe", patterns: ["*"], always: ["*"], metadata: {} }],
    ["a described one", { permission: "files_wipe", patterns: ["*"], metadata: { description: "lists" } }],
    ["parts of a command", { permission: "bash", patterns: ["rm -rf ~"], metadata: {} }],
    ["a sub-agent", { permission: "task", patterns: ["x"], metadata: { description: "d", subagent_type: "x" } }],
    ["a file without its change", { permission: "edit", patterns: ["a"], metadata: { filepath: "a" } }],
    ["a read of anything", { permission: "read", patterns: ["*"], metadata: {} }],
  ])("is left to the terminal, with a high risk, where its input is not told: %s", (_, properties) => {
    const question = asked("permission.asked", { ...bash, ...properties });
    expect(question).toMatchObject({ takesReply: false, options: [], acceptsText: false, risk: { level: "high" } });
    expect(question.risk.reasons).toContain("what it does is not known");
    expect(question.text).toContain("opencode does not tell its input: read it in the terminal.");
  });

  test.each<[object]>([
    [{ permission: "read", patterns: ["src/a.ts"], metadata: {} }],
    [{ permission: "grep", patterns: ["key"], metadata: { pattern: "key", path: "src" } }],
    [{ permission: "edit", patterns: ["a"], metadata: { filepath: "a", diff: "+x" } }],
    [{ permission: "webfetch", patterns: ["https://a.example"], metadata: { url: "https://a.example" } }],
    [{ permission: "skill", patterns: ["review"], metadata: {} }],
    [{ permission: "external_directory", patterns: ["/etc/*"], metadata: {} }],
    [{ permission: "doom_loop", patterns: ["bash"], metadata: { tool: "bash", input: { command: "make" } } }],
  ])("is answered where its input is told: %j", (properties) => {
    const question = asked("permission.asked", { ...bash, ...properties });
    expect(question).toMatchObject({ takesReply: true, acceptsText: true });
    expect(question.options.map(({ id }) => id)).toContain("yes");
    expect(question.text).not.toContain("does not tell");
  });

  test.each(["x".repeat(300), "ls\u200b *", "ls\n*"])(
    "offers no lasting permission that a label does not show to the letter: %j",
    (pattern) => {
      const { options } = asked("permission.asked", { ...bash, always: [pattern] });
      expect(options.map(({ id }) => id)).toEqual(["yes", "no"]);
    },
  );

  test("shows the file with its change, as an absolute path", () => {
    const { detail } = asked("permission.asked", {
      permission: "edit",
      patterns: ["a.txt"],
      metadata: { filepath: "a.txt", diff: "+one" },
    });
    expect(detail).toEqual({ files: ["/project/a.txt"], diff: "+one" });
  });
});

test("a permission of a version before 1.1 is listed, and answered in the terminal", () => {
  const properties = { type: "bash", title: "touch a", metadata: { command: "touch a" } };
  const question = asked("permission.updated", properties);
  expect(question).toMatchObject({ kind: "permission", title: "bash: touch a", detail: { command: "touch a" } });
  expect(question).toMatchObject({ takesReply: false, options: [], acceptsText: false });
  const replied = { sessionID: "ses_root", requestID: "req_1", response: "always" };
  expect(read("permission.replied", replied)).toMatchObject({ kind: "settled", call: "req_1", decision: "always" });
});

describe("a question that opencode asks", () => {
  const options = [{ label: "Red", description: "The red one" }, { label: "Blue" }];

  test("is answered by an option or in words", () => {
    const question = asked("question.asked", { questions: [{ question: "Which?", options }] });
    expect(question).toMatchObject({ kind: "choice", title: "Which?", acceptsText: true, takesReply: true });
    expect(question.text).toBe("Which?\n- Red: The red one\n- Blue");
    expect(question.reply({ option: "2", text: null }, "ann").output).toEqual({ answers: [["Blue"]] });
    expect(question.reply({ option: null, text: "Green" }, "ann").output).toEqual({ answers: [["Green"]] });
  });

  test("offers twenty options, those beyond nine without a key, and leaves more to the terminal", () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ label: `Option ${index + 1}` }));
    const question = asked("question.asked", { questions: [{ question: "Which?", options: many.slice(1) }] });
    expect(question.options).toHaveLength(20);
    expect(question.options.slice(8, 10)).toMatchObject([
      { id: "9", key: "9" },
      { id: "10", label: "Option 11", key: "" },
    ]);
    expect(question.reply({ option: "20", text: null }, "ann").output).toEqual({ answers: [["Option 21"]] });
    const left = asked("question.asked", { questions: [{ question: "Which?", options: many }] });
    expect(left).toMatchObject({ takesReply: false, options: [], acceptsText: false });
  });

  test("with others and with several options takes an answer to each at once", () => {
    const questions = [
      { question: "A?", options },
      { question: "B?", options, multiple: true, custom: false },
    ];
    const question = asked("question.asked", { questions });
    expect(question).toMatchObject({ takesReply: true, options: [], acceptsText: false });
    expect(question.choices).toMatchObject([
      { question: "A?", multiple: false, acceptsText: true, options: [{ label: "Red" }, { label: "Blue" }] },
      { question: "B?", multiple: true, acceptsText: false },
    ]);
    const answers = [
      { options: [], text: "Green" },
      { options: ["1", "2"], text: null },
    ];
    const reply = question.reply({ option: null, text: null, answers }, "ann");
    expect(reply.output).toEqual({ answers: [["Green"], ["Red", "Blue"]] });
    expect(reply.decision).toBe(JSON.stringify([["Green"], ["Red", "Blue"]]));
  });
});

test("the answer that opencode took is told with the request", () => {
  const settled = (type: string, properties: object) => read(type, { sessionID: "ses_root", ...properties });
  const about = { kind: "settled", agentSessionId: "ses_root", call: "req_1" };
  expect(settled("permission.replied", { requestID: "req_1", reply: "once" })).toEqual({ ...about, decision: "once" });
  expect(settled("question.replied", { requestID: "req_1", answers: [["Blue"]] })).toEqual({
    ...about,
    decision: '[["Blue"]]',
  });
  expect(settled("question.rejected", { requestID: "req_1" })).toEqual({ ...about, decision: "reject" });
  expect(settled("session.idle", {})).toEqual({
    kind: "turn",
    agentSessionId: "ses_root",
    thread: "ses_root",
    isIdle: true,
  });
});

test("what is malformed says nothing, and nothing throws", () => {
  expect(read("permission.asked", { id: "", sessionID: "s", permission: "bash" })).toBeUndefined();
  expect(read("question.asked", { id: "q", sessionID: "s", questions: [] })).toBeUndefined();
  expect(read("file.edited", {})).toBeUndefined();
  const types = fc.constantFrom("permission.asked", "question.asked", "permission.replied", "session.idle");
  fc.assert(
    fc.property(fc.anything(), types, fc.anything(), (value, type, properties) => {
      readOpencodeHook(value);
      readOpencodeHook({ type, properties, root: "r", cwd: "/p" });
    }),
  );
});
