import { linkSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SessionId } from "../../../../../core/protocol/ids.ts";
import { PolicyRule, policyLimits, type ToolAction } from "../../../../../core/protocol/policies.ts";
import { readClaudeHook } from "../../../../../main/agents/hooks/claude-hooks.ts";
import { readOpencodeHook } from "../../../../../main/agents/hooks/opencode-hooks.ts";
import { readCodexRequest } from "../../../../../main/agents/protocols/codex-requests.ts";
import { Policies } from "../../../../../main/relay/questions/policies.ts";
import type { PolicyCase } from "../../../../../main/relay/questions/policy-decision.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { isWithin, realPlace } from "../../../../../main/system/real-place.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const session = "session-1" as SessionId;
let temporary: ReturnType<typeof temporaryFolder>;
let store: Store;
let policies: Policies;
/** The folder that agents may read, and one beside it. */
let folder: string;
let outside: string;

beforeEach(() => {
  temporary = temporaryFolder();
  const base = realpathSync(temporary.path);
  [folder, outside] = [join(base, "project"), join(base, "project-2")];
  for (const path of [join(folder, "src"), join(folder, "my files"), outside]) mkdirSync(path, { recursive: true });
  writeFileSync(join(folder, "a"), "a");
  writeFileSync(join(folder, "src", "b.ts"), "b");
  writeFileSync(join(outside, "secret"), "s");
  symlinkSync(outside, join(folder, "out"));
  symlinkSync(join(outside, "secret"), join(folder, "link"));
  symlinkSync(join(folder, "src"), join(folder, "in"));
  store = new Store(openStore(temporary.path).database);
  store.sessions.add({ id: session, name: "default", owner: "ann", createdAt: new Date(0).toISOString() });
  policies = open();
});
afterEach(() => {
  store[Symbol.dispose]();
  temporary[Symbol.dispose]();
});

function open(places = { real: realPlace, isWithin }): Policies {
  return new Policies({ session, rows: store.policies, places, decideWithinMs: 2000 });
}

const add = (rule: Partial<PolicyRule>) => policies.add(PolicyRule.parse(rule), "ann");
const allowReads = () => add({ effect: "allow", what: "reads", folder });

/** A question as the relay opens it for a tool call of Claude Code. */
function claude(tool_name: string, tool_input: object, cwd = folder): PolicyCase {
  const event = { hook_event_name: "PermissionRequest", session_id: "a-1", cwd, tool_name, tool_input };
  const report = readClaudeHook(event);
  if (report?.kind !== "asks") throw new Error("no question");
  return asked("claude", report.question);
}

function asked(
  agentType: string,
  question: Omit<PolicyCase["question"], "agentType" | "source" | "confidence"> & {
    readonly action?: ToolAction | undefined;
  },
): PolicyCase {
  const known = { agentType, source: "hook", confidence: "high" } as const;
  return { question: { ...question, ...known }, action: question.action };
}

const bash = (command: string, cwd = folder) => claude("Bash", { command }, cwd);
const would = async (given: PolicyCase) => (await policies.decide(given))?.would ?? "ask";

test("without a policy nothing is decided", async () => {
  expect(await policies.decide(bash("cat a"))).toBeUndefined();
});

describe("a policy that allows reads in a folder", () => {
  beforeEach(allowReads);

  test("allows programs that only read, with plain words", async () => {
    const commands = [
      "cat a",
      "cat -n a src/b.ts",
      "cat  in/b.ts",
      "head -n 5 a",
      "head -20 a",
      "tail -n +2 src/b.ts",
      "wc -l a src/b.ts",
      "ls",
      "ls -la src",
      "grep -rn needle src",
      "grep -i needle a",
      "stat a",
      "pwd",
    ];
    for (const command of commands)
      expect([command, await policies.decide(bash(command))]).toMatchObject([command, { would: "allow", policy: 1 }]);
  });

  test("leaves every other command to a person", async () => {
    const commands = [
      // several commands
      ...["cat a; rm b", "cat a && rm b", "cat a || rm b", "cat a | sh", "cat a & rm b", "cat a\nrm b", "cat a\rrm b"],
      ...["(cat a)", "{ cat a; }", "! cat a", "time cat a", "exec cat a", "command cat a", "sudo cat a", "env cat a"],
      // substitutions, variables and patterns
      ...[
        "cat $(rm b)",
        "cat `rm b`",
        "cat <(rm b)",
        'cat "$HOME/a"',
        "cat $HOME",
        "cat $" + "{PWD}/a",
        "cat a$IFS",
        "cat $'a'",
      ],
      ...[
        "cat *",
        "cat ?",
        "cat [ab]",
        "cat {a,../b}",
        "cat ~/a",
        "cat ~root/a",
        "cat =ls",
        "cat a^b",
        "cat !!",
        "cat %1",
      ],
      // redirections, assignments, comments, quotes
      ...["cat a > b", "cat a >> b", "cat < a", "cat a 2>b", "cat <<X", "LD_PRELOAD=x cat a", "A=1 cat a", "cat a # b"],
      ...["cat 'a'", 'cat "a"', "cat a\\ b", "cat a\t;rm b", "cat\ta", "cat a\u00a0b", "cat a\u2028rm b", "cat a\0b"],
      // ways out of the folder
      ...[
        "cat ../project-2/secret",
        "cat src/../../project-2/secret",
        "cat out/secret",
        "cat link",
        "cat ./link",
        "ls out",
      ],
      ...[
        "cat in/../a",
        "ls ..",
        "grep -r s out",
        "cat /etc/hostname",
        "cat /proc/self/environ",
        "ls /",
        "cat a /etc/hostname",
      ],
      // what is not there, or no file
      ...["cat none", "cat /dev/zero", "cat -", "cat", "grep needle", "head -n", "cat -- a", "cat --", "tail -n x a"],
      // other programs, options that do more, names that look alike
      ...[
        "rm a",
        "tac a",
        "less a",
        "find .",
        "sed -n p a",
        "git log",
        "rg x",
        "sort a",
        "tail -f a",
        "ls -L out",
        "./cat a",
      ],
      ...[
        "/bin/cat a",
        "Cat a",
        "c\u0430t a",
        "cat\u200b a",
        "grep -f a b",
        "grep -R x .",
        "wc --files0-from=a",
        "ls --color",
      ],
      ...["grep -e x a", "stat -c x a", "head -c", "cat -a/../..", " cat a", "cat a ", "", " ", "."],
    ];
    for (const command of commands) expect([command, await would(bash(command))]).toEqual([command, "ask"]);
  });

  test("leaves a command to a person whose folder is not known, or is another one", async () => {
    for (const cwd of ["", "project", ".", outside, join(folder, "out"), join(folder, "..", "project-2")])
      for (const command of ["cat secret", "ls", "cat b.ts"]) expect(await would(bash(command, cwd))).toBe("ask");
    expect(await would(bash(`cat ${join(folder, "a")}`, ""))).toBe("allow");
    expect(await would(bash("cat b.ts", join(folder, "in")))).toBe("allow");
    // By its text the folder itself, by its links the folder beside it.
    writeFileSync(join(outside, "..", "a"), "another");
    expect(await would(bash("cat a", `${folder}/out/..`))).toBe("ask");
    expect(await would(bash("ls", `${folder}/src/..`))).toBe("ask");
  });

  test("allows the tools that read, by what the agent tells of them", async () => {
    const inside = (path: string) => join(folder, path);
    for (const given of [
      claude("Read", { file_path: inside("a"), offset: 1, limit: 10 }),
      claude("Read", { file_path: inside("in/b.ts") }),
      claude("Grep", { pattern: "x|$(rm b)", path: inside("src"), "-n": true, output_mode: "content" }),
      claude("Grep", { pattern: "x" }),
      claude("Glob", { pattern: "**/*.ts" }),
    ])
      expect(await would(given)).toBe("allow");
  });

  test("leaves tool calls that lead out, do more or are not known to a person", async () => {
    const cases: [string, PolicyCase][] = [
      ["a file outside", claude("Read", { file_path: join(outside, "secret") })],
      ["a path with ..", claude("Read", { file_path: `${folder}/src/../a` })],
      ["a link that leads out", claude("Read", { file_path: join(folder, "link") })],
      ["a folder whose name begins alike", claude("Read", { file_path: `${folder}-2/secret` })],
      ["a relative path", claude("Read", { file_path: "a" })],
      ["a path from the home folder", claude("Read", { file_path: "~/a" })],
      ["a file that is not there", claude("Read", { file_path: join(folder, "none") })],
      ["a search outside", claude("Grep", { pattern: "s", path: outside })],
      ["a search without a folder, from outside", claude("Grep", { pattern: "s" }, outside)],
      ["a pattern that leads through a link", claude("Glob", { pattern: "out/*" })],
      ["a pattern that leads out", claude("Glob", { pattern: "../*" })],
      ["a pattern from the root", claude("Glob", { pattern: "/etc/*" })],
      ["an input that is not known", claude("Read", { file_path: join(folder, "a"), also: "x" })],
      ["a tool that writes", claude("Write", { file_path: join(folder, "a"), content: "" })],
      ["a tool of another name", claude("read", { file_path: join(folder, "a") })],
      ["a tool that looks alike", claude("Re\u0430d", { file_path: join(folder, "a") })],
      ["a tool of a server", claude("mcp__files__Read", { file_path: join(folder, "a") })],
      ["a command without the sandbox", claude("Bash", { command: "cat a", dangerouslyDisableSandbox: true })],
      ["a command that goes on", claude("Bash", { command: "cat a", run_in_background: true })],
      ["the network", claude("WebFetch", { url: "https://a.example", prompt: "" })],
      ["a plan", claude("ExitPlanMode", { plan: "cat a" })],
    ];
    for (const [name, given] of cases) expect([name, await would(given)]).toEqual([name, "ask"]);
  });

  test("never answers a high risk, nor what is read from the screen or answered there", async () => {
    const good = bash("cat a");
    const but = (more: Partial<PolicyCase["question"]>) => would({ ...good, question: { ...good.question, ...more } });
    expect(await but({})).toBe("allow");
    expect(await but({ risk: { level: "high", reasons: ["deletes files"] } })).toBe("ask");
    expect(await but({ source: "screen" })).toBe("ask");
    expect(await but({ confidence: "low" })).toBe("ask");
    expect(await but({ confidence: "medium" })).toBe("ask");
    expect(await but({ source: "governor" })).toBe("ask");
    expect(await but({ detail: { screen: "" } })).toBe("ask");
    expect(await but({ options: [{ id: "1", label: "Yes", key: "1" }] })).toBe("ask");
    expect(await would({ ...good, action: undefined })).toBe("ask");
  });

  test("ends with its folder: another one in its place, or a link, is not the folder that was meant", async () => {
    renameSync(folder, `${folder}-old`);
    symlinkSync(outside, folder);
    expect(await would(bash("cat secret"))).toBe("ask");
    rmSync(folder);
    expect(await would(bash("ls"))).toBe("ask");
  });

  test("does not answer what it was still deciding when it was removed", async () => {
    let found = (): void => undefined;
    const isFound = new Promise<void>((resolve) => {
      found = resolve;
    });
    policies = new Policies({
      session,
      rows: store.policies,
      places: {
        async real(path) {
          await isFound;
          return realPlace(path);
        },
        isWithin,
      },
      decideWithinMs: 60_000,
    });
    const deciding = policies.decide(bash("cat a"));
    policies.remove(1);
    found();
    expect(await deciding).toBeUndefined();
  });

  test("does not wait for a disk that hangs", async () => {
    policies = new Policies({
      session,
      rows: store.policies,
      places: { real: () => new Promise(() => undefined), isWithin },
      decideWithinMs: 20,
    });
    expect(await policies.decide(bash("cat a"))).toBeUndefined();
  });
});

test("the folder of a policy is kept as the place where it leads when it is added", async () => {
  expect((await add({ effect: "allow", what: "reads", folder: join(folder, "in") })).folder).toBe(join(folder, "src"));
  expect(await would(bash("cat src/b.ts"))).toBe("allow");
  expect(await would(bash("cat a"))).toBe("ask");
});

test("a hard link in the folder is a file of the folder", async () => {
  await allowReads();
  linkSync(join(outside, "secret"), join(folder, "hard"));
  expect(await would(bash("cat hard"))).toBe("allow");
});

describe("Codex and opencode", () => {
  const codex = (command: string, more: object = {}) => {
    const params = {
      threadId: "t",
      itemId: "i",
      command,
      cwd: folder,
      availableDecisions: ["accept", "cancel"],
      ...more,
    };
    const origin = { root: "t", cwd: folder, changes: undefined };
    const question = readCodexRequest({ method: "item/commandExecution/requestApproval", params }, origin);
    if (question === undefined) throw new Error("no question");
    return asked("codex", question);
  };
  const opencode = (command: string) => {
    const properties = { id: "per_1", sessionID: "s", permission: "bash", metadata: { command } };
    const report = readOpencodeHook({ type: "permission.asked", properties, root: "s", cwd: folder });
    if (report?.kind !== "asks") throw new Error("no question");
    return asked("opencode", report.question);
  };
  beforeEach(allowReads);

  test("Codex: the script of the system's shell, and nothing else that has the form of one", async () => {
    const cases = [
      ["/bin/bash -lc 'cat a'", "allow"],
      ["bash -c 'cat a'", "allow"],
      ["cat a", "allow"],
      ["/tmp/bin/bash -lc 'cat a'", "ask"],
      ["./bash -lc 'cat a'", "ask"],
      ["/bin/bash -lc 'cat a; rm b'", "ask"],
      ["/bin/bash -lc 'cat a' 'x'", "ask"],
      ["/bin/bash -ilc 'cat a'", "ask"],
      ["/bin/bash -lc cat", "ask"],
    ] as const;
    for (const [command, verdict] of cases) expect([command, await would(codex(command))]).toEqual([command, verdict]);
  });

  test("Codex: the folder is that of the command, and network access is no read", async () => {
    expect(await would(codex("cat secret", { cwd: outside }))).toBe("ask");
    expect(await would(codex("cat a", { cwd: undefined }))).toBe("ask");
    expect(await would(codex("cat a", { networkApprovalContext: { host: "a.example" } }))).toBe("ask");
  });

  test("opencode does not tell the folder of a command, so that only absolute paths count", async () => {
    expect(await would(opencode("cat a"))).toBe("ask");
    expect(await would(opencode("ls"))).toBe("ask");
    expect(await would(opencode(`cat ${join(folder, "a")}`))).toBe("allow");
  });
});

describe("several policies", () => {
  test("one that asks counts before those that allow, and one for another agent does not count", async () => {
    await add({ effect: "allow", what: "command", command: "npm test", folder });
    await add({ effect: "allow", what: "command", command: "npm ci", folder });
    expect(await would(bash("npm ci"))).toBe("allow");
    const network = await add({ effect: "ask", what: "network", agentType: "codex" });
    expect(await would(bash("npm ci"))).toBe("allow");
    policies.remove(network.id);
    const all = await add({ effect: "ask", what: "network" });
    expect(await policies.decide(bash("npm ci"))).toMatchObject({ would: "ask", policy: all.id });
    expect(await would(bash("npm test"))).toBe("allow");
    expect(all.id).toBe(4);
  });

  test("a command is allowed as a whole, in its folder, and asked about by its first words", async () => {
    await add({ effect: "allow", what: "command", command: "npm test", folder });
    for (const [command, cwd] of [
      ["npm test -- --watch", folder],
      ["npm", folder],
      ["npm test; rm b", folder],
      ["npm test", outside],
      ["npm test", ""],
    ] as const)
      expect(await would(bash(command, cwd))).toBe("ask");
    expect(await would(bash("npm  test", join(folder, "src")))).toBe("allow");
    await add({ effect: "ask", what: "command", command: "npm" });
    expect(await would(bash("npm test"))).toBe("ask");
  });

  test("a folder can be left out of what is allowed, searches of the folder above it included", async () => {
    await allowReads();
    await add({ effect: "ask", what: "reads", folder: join(folder, "src") });
    expect(await would(bash("cat a"))).toBe("allow");
    for (const command of ["cat src/b.ts", "cat in/b.ts", "grep -r x .", "ls"])
      expect(await would(bash(command))).toBe("ask");
  });
});

test("policies that would allow too much, or mean nothing, are refused", async () => {
  const rules: [string, Partial<PolicyRule>][] = [
    ["the network", { effect: "allow", what: "network" }],
    ["reads anywhere", { effect: "allow", what: "reads" }],
    ["the whole disk", { effect: "allow", what: "reads", folder: "/" }],
    ["a relative folder", { effect: "allow", what: "reads", folder: "." }],
    ["a folder that is not there", { effect: "allow", what: "reads", folder: "/none/such" }],
    ["a command anywhere", { effect: "allow", what: "command", command: "npm test" }],
    ["no command", { effect: "ask", what: "command" }],
    ["a command that is not plain", { effect: "ask", what: "command", command: "npm test; rm b" }],
    ["reads with a command", { effect: "ask", what: "reads", command: "cat" }],
  ];
  for (const [name, rule] of rules) await expect(add(rule), name).rejects.toMatchObject({ code: "invalid_params" });
  expect(policies.list()).toEqual([]);
});

test("policies outlive a restart, end with their removal, and their ids are not used again", async () => {
  await allowReads();
  expect(open().list()).toEqual(policies.list());
  expect(policies.list()).toMatchObject([{ id: 1, addedBy: "ann", folder }]);
  policies.remove(1);
  expect(open().list()).toEqual([]);
  expect(await policies.decide(bash("cat a"))).toBeUndefined();
  expect(() => policies.remove(1)).toThrow(/no policy 1/);
  expect((await allowReads()).id).toBe(2);
});

describe("a trial of policies", () => {
  const answeredBy = (kind: "user" | "terminal") => ({ kind, name: "bob", client: null });
  const questions = (count = 1, more: object = {}) =>
    Array.from({ length: count }, (_, index) => {
      const { question, action } = claude("Bash", { command: "npm test" });
      const id = index + 1;
      const stored = {
        ...question,
        state: "open",
        id,
        title: `Bash: ${id}`,
        askedAt: new Date(id * 1000).toISOString(),
        ...more,
      };
      return { question: stored, origin: { action } } as unknown as Parameters<Policies["test"]>[1][number];
    });
  const npmTest = { effect: "allow", what: "command", command: "npm test" } as const;

  test("says what each question would have got, by all policies, by one, and by a rule that is not added", async () => {
    const allowed = await add({ ...npmTest, folder });
    const reads = await allowReads();
    const [open] = questions();
    const { id, askedAt, agentType, title } = open?.question ?? {};
    const about = { id, askedAt, agentType, title, answered: "open" };
    expect(await policies.test({}, questions())).toEqual([
      { ...about, would: "allow", policy: allowed.id, because: `policy ${allowed.id} allows it` },
    ]);
    expect(await policies.test({ id: reads.id }, questions())).toMatchObject([
      { ...about, would: "ask", policy: null },
    ]);
    const rule = PolicyRule.parse({ ...npmTest, folder: outside });
    expect(await policies.test({ rule }, questions())).toMatchObject([{ ...about, would: "ask" }]);
    expect(policies.list()).toHaveLength(2);
    await expect(policies.test({ id: 99 }, questions())).rejects.toMatchObject({
      code: "unknown_policy",
      message: "The session has no policy 99.",
    });
  });

  test.each([
    [{ state: "expired" }, "expired"],
    [{ state: "withdrawn" }, "withdrawn"],
    [{ state: "answered", answeredBy: answeredBy("user"), answer: { option: "yes", text: null } }, "yes by bob"],
    [{ state: "answered", answeredBy: answeredBy("user"), answer: { option: null, text: "no" } }, "in words by bob"],
    [{ state: "answered", answeredBy: answeredBy("terminal"), answer: null }, "in words in the terminal"],
    [
      { state: "answered", answeredBy: answeredBy("terminal"), answer: { option: null, text: null } },
      "in the terminal",
    ],
  ])("says how a question ended: %j", async (more, answered) => {
    expect(await policies.test({}, questions(1, more))).toMatchObject([{ answered }]);
  });

  test("has the last questions only", async () => {
    const many = questions(policyLimits.tried + 1);
    const trials = await policies.test({}, many);
    expect([trials.length, trials[0]?.id]).toEqual([policyLimits.tried, 2]);
  });

  test("leaves to a person what cannot be looked up in time", async () => {
    const added = await add({ ...npmTest, folder });
    const never = () => new Promise<never>(() => undefined);
    const hung = new Policies({ session, rows: store.policies, places: { real: never, isWithin }, decideWithinMs: 20 });
    const failing = async () => Promise.reject(new Error("the disk fails"));
    const broken = new Policies({ session, rows: store.policies, places: { real: failing, isWithin } });
    const because = "its files could not be looked up in time";
    for (const one of [hung, broken])
      expect(await one.test({ id: added.id }, questions())).toMatchObject([{ would: "ask", policy: null, because }]);
  });
});

test("a session has a largest number of policies, after which one has to be removed first", async () => {
  for (let count = 0; count < policyLimits.perSession; count++) await add({ effect: "ask", what: "network" });
  const sentence = `The session has ${policyLimits.perSession} policies: remove one first.`;
  await expect(add({ effect: "ask", what: "network" })).rejects.toMatchObject({
    code: "invalid_params",
    message: sentence,
  });
  policies.remove(policies.list()[0]?.id ?? 0);
  expect((await add({ effect: "ask", what: "network" })).id).toBeGreaterThan(policyLimits.perSession);
});

test("a policy whose folder would not count is refused", async () => {
  for (const rule of [
    { effect: "ask", what: "network", folder },
    { effect: "ask", what: "command", command: "rm", folder },
  ] as const)
    await expect(add(rule)).rejects.toMatchObject({ message: "folder: this policy applies in all folders." });
});
