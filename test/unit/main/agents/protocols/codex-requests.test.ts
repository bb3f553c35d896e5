import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { questionLimits } from "../../../../../core/protocol/questions.ts";
import { type CodexChanges, readCodexRequest } from "../../../../../main/agents/protocols/codex-requests.ts";

const ids = { threadId: "t-1", turnId: "turn-1", itemId: "call-1" };

function asked(method: string, params: object, changes?: CodexChanges) {
  const question = readCodexRequest(
    { method, params: { ...ids, ...params } },
    { root: "t-1", cwd: "/project", changes },
  );
  if (question === undefined) throw new Error("no question");
  return question;
}

const command = (params: object) => asked("item/commandExecution/requestApproval", params);
const reply = (question: ReturnType<typeof asked>, option: string | null, text: string | null = null) =>
  question.reply({ option, text }, "ann");

describe("a request to run a command", () => {
  test("offers the decisions of Codex, and replies with exactly those", () => {
    const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["git", "push"] } };
    const question = command({
      command: "/bin/bash -lc 'git push'",
      reason: "to publish",
      availableDecisions: ["accept", "acceptForSession", amendment, "inventedLater", "decline", "cancel"],
    });
    expect(question).toMatchObject({
      kind: "permission",
      title: "Run: git push",
      text: "to publish",
      detail: { command: "/bin/bash -lc 'git push'" },
      risk: { level: "medium", reasons: ["uses the network"] },
      takesReply: true,
    });
    expect(question.options.map(({ id, key }) => `${id} ${key}`)).toEqual([
      "yes y",
      "always-1 ",
      "always-2 ",
      "no n",
      "cancel c",
    ]);
    expect(reply(question, "yes")).toEqual({ output: { decision: "accept" }, allows: true });
    expect(reply(question, "always-1")).toEqual({ output: { decision: "acceptForSession" }, allows: true });
    expect(reply(question, "always-2")).toEqual({ output: { decision: amendment }, allows: true });
    expect(reply(question, "no")).toEqual({ output: { decision: "decline" }, allows: false });
    expect(reply(question, "cancel")).toEqual({ output: { decision: "cancel" }, allows: false });
  });

  test.each(["x".repeat(300), "*\u200b", "a\nb", "a\u00a0b"])(
    "offers no lasting decision that a label does not show to the letter: %j",
    (word) => {
      const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["ls", word] } };
      const { options } = command({ command: "ls", availableDecisions: ["accept", amendment, "cancel"] });
      expect(options.map(({ id }) => id)).toEqual(["yes", "no"]);
    },
  );

  test("can always be refused, and never allows for an option that it does not have", () => {
    const unknown = command({ command: "x", availableDecisions: ["inventedLater"] });
    expect(unknown.options.map(({ id }) => id)).toEqual(["no"]);
    const stops = command({ command: "x", availableDecisions: ["accept", "cancel"] });
    expect(stops.options.at(-1)).toEqual({ id: "no", label: "No, and stop the turn", key: "n" });
    for (const option of ["maybe", "always-1", null]) expect(reply(stops, option).allows).toBe(false);
  });

  test.each([
    ["/bin/bash -lc 'sudo rm -rf /'", "high"],
    ["/bin/bash -lc 'cat notes.txt'", "low"],
    // The inner quotes end the outer ones: what the shell runs is not the text between them.
    ["/bin/bash -lc 'cat a'; rm -rf b'", "high"],
    ["/bin/bash -lc 'cat '\\''a'\\'''", "medium"],
  ])("estimates the risk of what the shell runs: %s", (text, level) => {
    expect(command({ command: text }).risk.level).toBe(level);
  });

  test("whose command is not told, or not shown whole, is of high risk", () => {
    expect(command({}).risk.level).toBe("high");
    expect(command({ command: `cat ${"a".repeat(questionLimits.command)}` }).risk.level).toBe("high");
  });

  test("names the host of a request for the network, and what each lasting decision does", () => {
    const rule = (action: string) => ({
      applyNetworkPolicyAmendment: { network_policy_amendment: { host: "example.org", action } },
    });
    const question = command({
      networkApprovalContext: { host: "example.org", protocol: "https" },
      availableDecisions: ["accept", rule("allow"), rule("deny"), "cancel"],
    });
    expect(question.title).toBe("Network access to example.org");
    expect(question.risk.reasons).toContain("uses the network");
    expect(question.options.map(({ label }) => label).slice(1, 3)).toEqual([
      "Yes, and always allow the host example.org",
      "No, and always refuse the host example.org",
    ]);
    expect([reply(question, "always-1").allows, reply(question, "always-2").allows]).toEqual([true, false]);
  });
});

test("a request that tells more than is known shows it, with a high risk", () => {
  const more = { additionalPermissions: { network: { enabled: true } } };
  const question = command({ command: "ls", cwd: "/elsewhere", startedAtMs: 1, commandActions: [], ...more });
  expect(question.detail.input).toContain("additionalPermissions");
  expect(question.detail.input).toContain("/elsewhere");
  expect(question.detail.input).not.toContain("startedAtMs");
  expect(question.risk.level).toBe("high");
  expect(command({ command: "ls", environmentId: null, kind: "command" })).toMatchObject({
    detail: { command: "ls" },
    risk: { level: "low" },
  });
});

test("input to a program that runs is not taken for a command", () => {
  const question = command({ kind: "writeStdin", command: "ls", cwd: "/project" });
  expect(question).toMatchObject({ title: "writeStdin: ls", risk: { level: "high" }, action: undefined });
});

test("a request that is nested too deep is left to the terminal", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level++) deep = [deep];
  const params = { ...ids, permissions: deep, reason: "" };
  const origin = { root: "t-1", cwd: "/project", changes: undefined };
  expect(readCodexRequest({ method: "item/permissions/requestApproval", params }, origin)).toBeUndefined();
});

describe("a request to change files", () => {
  const method = "item/fileChange/requestApproval";

  test("shows the files and the diff that its item has told", () => {
    const question = asked(method, { reason: "as asked" }, [
      { path: "/project/a.txt", kind: { type: "add" }, diff: "+hello" },
      { path: "/elsewhere/b.txt", kind: { type: "delete" }, diff: "-bye" },
    ]);
    expect(question.detail).toEqual({
      files: ["/project/a.txt", "/elsewhere/b.txt"],
      diff: "/project/a.txt\n+hello\n/elsewhere/b.txt\n-bye",
    });
    expect(question.risk).toMatchObject({
      level: "high",
      reasons: expect.arrayContaining(["deletes files", "outside the folder"]),
    });
    expect(reply(question, "yes").output).toEqual({ decision: "accept" });
  });

  test("says where a file is moved to", () => {
    const kind = { type: "update", move_path: "/etc/cron.d/a" };
    const question = asked(method, {}, [{ path: "/project/a", kind, diff: "" }]);
    expect(question.detail).toMatchObject({
      files: ["/project/a", "/etc/cron.d/a"],
      diff: "/project/a -> /etc/cron.d/a\n",
    });
    expect(question.risk.reasons).toContain("outside the folder");
  });

  test("is of high risk where the files are not known, or a folder is opened for good", () => {
    expect(asked(method, {}).risk.level).toBe("high");
    const change = [{ path: "/project/a.txt", kind: { type: "add" }, diff: "" }];
    expect(asked(method, {}, change).risk.level).toBe("medium");
    expect(asked(method, { grantRoot: "/" }, change).risk.level).toBe("high");
  });
});

describe("a question to the user", () => {
  const method = "item/tool/requestUserInput";
  const options = [
    { label: "Blue", description: "as the sky" },
    { label: "Red", description: "" },
  ];
  const one = { id: "q", header: "", question: "Which colour?", isOther: true, isSecret: false, options };

  test("is answered by one of its options, or in words where that is possible", () => {
    const question = asked(method, { questions: [one] });
    expect(question).toMatchObject({ kind: "choice", title: "Which colour?", acceptsText: true, takesReply: true });
    expect(reply(question, "2").output).toEqual({ answers: { q: { answers: ["Red"] } } });
    expect(reply(question, null, "green").output).toEqual({ answers: { q: { answers: ["green"] } } });
    expect(asked(method, { questions: [{ ...one, isOther: false }] }).acceptsText).toBe(false);
  });

  test("with others takes an answer to each at once", () => {
    const other = { ...one, id: "r", question: "Which size?", isOther: false };
    const question = asked(method, { questions: [one, other] });
    expect(question).toMatchObject({ takesReply: true, options: [], acceptsText: false });
    expect(question.choices).toMatchObject([
      { question: "Which colour?", multiple: false, acceptsText: true },
      { question: "Which size?", multiple: false, acceptsText: false, options: [{ label: "Blue" }, { label: "Red" }] },
    ]);
    const answers = [
      { options: [], text: "green" },
      { options: ["2"], text: null },
    ];
    expect(question.reply({ option: null, text: null, answers }, "by").output).toEqual({
      answers: { q: { answers: ["green"] }, r: { answers: ["Red"] } },
    });
  });

  test("with a secret, the same question twice or too many options is answered in the terminal", () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ label: String(index), description: "" }));
    const twenty = asked(method, { questions: [{ ...one, options: many.slice(1) }] });
    expect(twenty.options.map(({ key }) => key).join("")).toBe("123456789");
    expect(reply(twenty, "20").output).toEqual({ answers: { q: { answers: ["20"] } } });
    for (const questions of [[one, one], [{ ...one, isSecret: true }], [{ ...one, options: many }]])
      expect(asked(method, { questions })).toMatchObject({ takesReply: false, options: [], acceptsText: false });
  });
});

test("a request for a profile of permissions is answered in the terminal", () => {
  const question = asked("item/permissions/requestApproval", { reason: "", permissions: { network: true } });
  expect(question).toMatchObject({ takesReply: false, risk: { level: "high" } });
});

test("a call belongs to its thread, and other requests are no questions", () => {
  expect(command({ command: "x" })).toMatchObject({ thread: "t-1", call: "t-1/call-1", agentSessionId: "t-1" });
  const other = { method: "account/chatgptAuthTokens/refresh", params: ids };
  expect(readCodexRequest(other, { root: "t-1", cwd: "/", changes: undefined })).toBeUndefined();
});

test("whatever it holds, a request is read or left", () => {
  const method = fc.constantFrom(
    "item/commandExecution/requestApproval",
    "item/fileChange/requestApproval",
    "item/permissions/requestApproval",
    "item/tool/requestUserInput",
  );
  fc.assert(
    fc.property(
      method,
      fc.dictionary(fc.constantFrom("threadId", "itemId", "command", "questions"), fc.jsonValue()),
      (name, params) => {
        const question = readCodexRequest({ method: name, params }, { root: "t", cwd: "/", changes: undefined });
        expect(question === undefined || question.title.length <= questionLimits.title).toBe(true);
      },
    ),
  );
});
