import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { AuditEntry } from "../../core/protocol/audit.ts";
import { type ShellId, TileKey } from "../../core/protocol/ids.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { descendantsOf } from "../support/processes.ts";
import { until } from "../support/until.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { agentPlace, installOnly } from "./programs.ts";

/**
 * The real programs, whose model's stub calls Patchbay's tools. `words`: for one prompt, and without the program's own questions
 * whether a tool may be used.
 */
const programs = [
  {
    kind: "claude",
    words: "--model claude-sonnet-4-6 --dangerously-skip-permissions -p",
    // Its model would have to look for the tools first.
    env: { ENABLE_TOOL_SEARCH: "false" },
  },
  {
    kind: "codex",
    // Else it would let its model begin before the server is there.
    words: "exec -c mcp_servers.patchbay.required=true --dangerously-bypass-approvals-and-sandbox",
    env: {},
  },
  { kind: "gemini", words: "-m gemini-2.5-pro --approval-mode yolo -p", env: {} },
  { kind: "opencode", words: "run --auto", env: {} },
] as const;

beforeAll(() => installOnly(...programs.map(({ kind }) => kind)), 900_000);

/** By its path: a login shell finds another `service` first. */
const SERVICE = join(import.meta.dirname, "../../bin/service");
const BRIDGE = /\bmain\.js mcp$/;
const Audit = z.object({ result: z.array(AuditEntry) });
interface Made {
  readonly shellId: ShellId;
  readonly key: TileKey;
}

const tool = (name: string, input: object) => `TOOL{${name} ${JSON.stringify(input)}}`;
const say = "SAY{All is done.}";

/** Opens a shell for a program, and another one of the user's. */
async function openLab({ kind, words, env }: (typeof programs)[number]) {
  const lab = new AgentLab();
  const place = await agentPlace(lab, kind);
  const bin = lab.folder("bin");
  symlinkSync(place.command, join(bin, kind));
  const PATH = [bin, process.env.PATH].join(delimiter);
  const relay = await startWatchingRelay({ home: lab.home, undo: lab.undo, env: { ...place.env, ...env, PATH } });
  const client = await relay.join();
  const session = relay.relay.sessions.get(relay.session);
  const own = await relay.command<Made>("createShell", { cwd: place.cwd });
  const others = await relay.command<Made>("createShell", { cwd: place.cwd });
  const run = (tile: TileKey, command: string) =>
    relay.command<{ exitCode: number; output: string }>("runCommand", { tile, command, wait: true, timeout: 200 });
  return {
    ...{ relay, client, session, own, others, run, home: lab.home },
    /** Texts that the model was told by tools, without the signs that put JSON into JSON. */
    told: () => place.results().map((text) => text.replaceAll("\\", "")),
    install: async () => expect((await run(own.key, `'${SERVICE}' mcp install ${kind} --yes`)).exitCode).toBe(0),
    /** Gives the program one prompt. Resolves with its output when it has ended. */
    prompt: (more: string, ...steps: string[]) =>
      run(own.key, `${kind} ${words} '${[...steps, say].join(" ")}' ${more} </dev/null`),
    /** Changing calls of the shell's programs, oldest first. */
    async calls(...actions: string[]) {
      const { text } = await relay.request("GET", "/v1/audit?kind=call&limit=1000");
      return Audit.parse(JSON.parse(text))
        .result.reverse()
        .filter(({ action, credential }) => credential === "shell" && actions.includes(action))
        .map(({ action, who, outcome }) => [action, who, outcome]);
    },
    below: async () => descendantsOf(session.shells.get(own.shellId).pid ?? 0),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
      lab[Symbol.dispose]();
    },
  };
}

describe.each(programs)("$kind with the tools that `service mcp install` has given it", (program) => {
  const { kind } = program;

  test("splits its tile, runs a command there, reads its exit code and asks the people who watch", {
    timeout: 240_000,
  }, async () => {
    await using lab = await openLab(program);
    await lab.install();
    const ended = lab.prompt(
      "",
      tool("splitShell", {}),
      tool("runCommand", { tile: "$key", command: "(exit 3)", wait: true }),
      tool("askPerson", { question: "Shall I go on?", options: ["yes", "no"], wait: 120 }),
    );
    const opened = () => lab.client.events.flatMap((event) => (event.type === "question.opened" ? [event.data] : []));
    const { id, digest, ...asked } = await until("the question to the person", () => opened()[0], 120_000);
    expect(asked).toMatchObject({ shellId: lab.own.shellId, agentType: kind, title: "Shall I go on?", kind: "choice" });
    const path = `/v1/sessions/${lab.relay.session}/questions/${id}/answer`;
    await lab.relay.request("POST", path, { body: { option: "yes", digest } });
    expect((await ended).output).toContain("All is done.");
    const [split = "", ran = "", answered = ""] = [...new Set(lab.told())];
    const [, key, shellId] = (/"key":(\d+),"shellId":(\d+)/.exec(split) ?? []).map(Number);
    expect(lab.session.shells.find(shellId ?? 0)?.makers).toEqual([`shell:${lab.own.shellId}`]);
    expect(ran).toMatch(/"exitCode":3\b/);
    expect(answered).toContain('"answer":"yes"');
    expect((await lab.run(TileKey.parse(key), "echo $?")).output.trim()).toBe("3");
    const who = `shell ${lab.own.shellId}`;
    expect(await lab.calls("splitShell", "runCommand", "askPerson")).toEqual([
      ["splitShell", who, "ok"],
      ["runCommand", who, "ok"],
      ["askPerson", who, "ok"],
    ]);
    expect(lab.relay.errors).toEqual([]);
  });

  test("is refused what the command line refuses it; the person is asked, and allows it once", {
    timeout: 240_000,
  }, async () => {
    await using lab = await openLab(program);
    const { relay, own, others, session } = lab;
    await lab.install();
    const close = tool("closeShell", { id: others.shellId });
    const ended = lab.prompt(
      "",
      close,
      `RUN{${SERVICE} func close-shell ${others.shellId}}`,
      tool("waitFor", { id: others.shellId, text: "allowed-42", since: 0, timeout: 60 }),
      close,
    );
    const asked = () => lab.client.events.flatMap((event) => (event.type === "agent.requested" ? [event.data] : []));
    const request = await until("the question to the person", () => asked()[0], 120_000);
    expect(request).toMatchObject({ shellId: own.shellId, agentType: kind, wants: "closeShell" });
    await until("both refusals", () => new Set(lab.told()).size >= 2, 60_000);
    const [byTool = "", byCommand = ""] = [...new Set(lab.told())];
    const refused = /scope_forbids: (Shell 1 is restricted: .* The user was asked, .* outside of this shell\.)/s;
    expect(byTool).toMatch(refused);
    expect(byCommand).toContain(refused.exec(byTool)?.[1]);
    expect(await relay.command("getShellRestrictions")).toMatchObject({ requests: [request] });
    expect(session.shells.find(others.shellId)).toBeDefined();

    // The program's own process, with the shell's variables, which some programs keep from what they start.
    const bridges = (await lab.below()).filter(({ command }) => BRIDGE.test(command));
    const environments = bridges.map(({ pid }) => readFileSync(`/proc/${pid}/environ`, "utf8").split("\0"));
    expect(environments).toEqual([expect.arrayContaining([`SERVICE_URL=${relay.url}`, `SERVICE_SHELL_ID=1`])]);

    await relay.command("answerAgent", { request: request.id, answer: "once" });
    await relay.command("writeToShell", { id: others.shellId, data: "echo allowed-$((40+2))\\n" });
    expect((await ended).output).toContain("All is done.");
    expect(session.shells.find(others.shellId)).toBeUndefined();
    const who = `shell ${own.shellId}`;
    expect(await lab.calls("closeShell")).toEqual([
      ["closeShell", who, "scope_forbids"],
      ["closeShell", who, "scope_forbids"],
      ["closeShell", who, "ok"],
    ]);
    await until("the end of all its processes", async () => (await lab.below()).length === 0);
    expect(relay.errors).toEqual([]);
  });
});

test("claude over HTTP, with the shell's token in a header, needs no process of Patchbay's", {
  timeout: 240_000,
}, async () => {
  await using lab = await openLab(programs[0]);
  const { relay, others } = lab;
  const server = { type: "http", url: `${relay.url}/v1/mcp`, headers: { "X-Service-Token": `\${SERVICE_TOKEN}` } };
  const config = join(lab.home, "mcp.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { patchbay: server } }));
  const ended = lab.prompt(
    `--mcp-config '${config}' --strict-mcp-config`,
    tool("createShell", {}),
    tool("waitFor", { id: others.shellId, text: "go-42", since: 0, timeout: 60 }),
  );
  await until("the first call", () => lab.told().length > 0, 120_000);
  expect(await lab.below()).toEqual([expect.objectContaining({ command: expect.stringMatching(/^claude /) })]);
  await relay.command("writeToShell", { id: others.shellId, data: "echo go-$((40+2))\\n" });
  expect((await ended).output).toContain("All is done.");
  expect(await lab.calls("createShell")).toEqual([["createShell", `shell ${lab.own.shellId}`, "ok"]]);
  expect(relay.errors).toEqual([]);
});
