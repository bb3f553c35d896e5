import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ShellId } from "../../core/protocol/ids.ts";
import { Receipt } from "../../core/protocol/receipts.ts";
import { Answered, answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { runCli } from "../unit/cli/run-cli.ts";
import { installOnly } from "./programs.ts";
import { pause, QuestionLab } from "./question-lab.ts";

const PATCHBAY = resolve(import.meta.dirname, "../../dist/cli/main.js");
const Sent = z.object({ result: Receipt });
const Started = z.object({ shellId: ShellId, agentType: z.string(), agentSessionId: z.string() });

/** Returns a folder with the built command line as `patchbay`, and with the agent: those of npm are left out of a shell's PATH. */
function folderOfPrograms(home: string, command: string): string {
  const bin = join(home, "bin");
  mkdirSync(bin);
  symlinkSync(command, join(bin, basename(command)));
  writeFileSync(join(bin, "patchbay"), `#!/bin/sh\nexec '${process.execPath}' '${PATCHBAY}' "$@"\n`);
  chmodSync(join(bin, "patchbay"), 0o755);
  return bin;
}

const Details = z.object({ result: z.object({ reported: z.number(), difference: z.number() }) });

/**
 * The real programs, which the built `agents start --acp` starts in a shell of a real relay. `verb` has the stub of the model
 * ask for a command. `account`: whether the agent tells the tokens of all calls, what it has cost by its own account, the
 * tokens of some calls, or nothing.
 */
describe.each([
  { kind: "claude", program: "claude-acp", verb: "RUN", account: "cost" },
  { kind: "claude", program: "claude-acp-0.16", verb: "RUN", account: "nothing" },
  { kind: "codex", program: "codex-acp", verb: "ASK", account: "tokens" },
  { kind: "codex", program: "codex-acp-0.16", verb: "ASK", account: "nothing" },
  { kind: "gemini", program: "gemini", verb: "RUN", account: "some" },
  { kind: "opencode", program: "opencode", verb: "ASK", account: "cost" },
] as const)("$program by the Agent Client Protocol", { timeout: 180_000 }, ({ kind, program, verb, account }) => {
  let agent: QuestionLab;

  beforeAll(() => installOnly(program), 900_000);
  afterEach(() => agent[Symbol.asyncDispose]());

  const prompt = (file: string) => `Do it. ${verb}{touch ${file}} SAY{Done.}`;
  const usage = () => agent.agent?.tokenUsage;
  /** Resolves when what the agent has used is known; it is read after the turn's end. */
  const accountIs = {
    nothing: async () => expect(usage()).toMatchObject({ input: 0, output: 0, cached: 0, cost: 0 }),
    some: () => until("its tokens", () => (usage()?.output ?? 0) > 0),
    async tokens() {
      await until("the tokens of the last turn", () => usage()?.output === agent.truth().output);
      const { calls: _calls, ...truth } = agent.truth();
      expect(usage()).toEqual({ ...truth, cost: expect.closeTo(0.0824, 6) });
    },
    async cost() {
      const path = `/v1/sessions/${agent.relay.session}/agent-sessions/${agent.agent?.sessionId}`;
      const { text } = await agent.relay.request("GET", path);
      const { reported, difference } = Details.parse(JSON.parse(text)).result;
      expect(reported).toBeGreaterThan(0.1);
      expect(difference).toBeCloseTo(0, 6);
      await until("the cost of the last turn", () => Math.abs((usage()?.cost ?? 0) - reported) < 1e-6);
      expect(usage()).not.toMatchObject({ unpriced: true });
    },
  };

  const receipt = async (id: number) => {
    const { text } = await agent.relay.request("GET", `/v1/sessions/${agent.relay.session}/receipts/${id}`);
    return Sent.parse(JSON.parse(text)).result;
  };

  test("asks, is answered over HTTP and in the terminal, is stopped, and takes prompts with proof", async () => {
    agent = await QuestionLab.open({
      program,
      path: folderOfPrograms,
      connect({ home }) {
        // Claude Code's adapter would begin in a mode in which a model answers the questions.
        mkdirSync(join(home, ".claude"), { recursive: true });
        writeFileSync(join(home, ".claude", "settings.json"), '{ "permissions": { "defaultMode": "default" } }');
      },
      async start({ home, cwd, relay }) {
        const env = { HOME: home, SERVICE_URL: relay.url, SERVICE_TOKEN: relay.key };
        const started = await runCli(["agents", "start", kind, "--acp", "--cwd", cwd, "--json"], { env });
        expect([started.err, started.code]).toEqual(["", 0]);
        const { shellId, agentType, agentSessionId } = Started.parse(JSON.parse(started.out));
        expect([agentType, agentSessionId]).toEqual([`${kind}-acp`, expect.stringMatching(/./)]);
        return shellId;
      },
    });
    await agent.shows("Ready.", 120_000);
    await agent.joined();

    const first = await agent.asks(prompt("made-one"));
    expect(first).toMatchObject({
      agentType: `${kind}-acp`,
      source: "protocol",
      kind: "permission",
      answerable: true,
    });
    const given = await answer(agent.relay, first.id, { option: "yes", wait: 15 });
    expect(Answered.parse(JSON.parse(given.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await until("the file", () => existsSync(join(agent.cwd, "made-one")));
    await agent.idle();

    // The stub of a model counts its steps from the last prompt that was answered.
    const answerPlainly = async () => {
      await agent.idle();
      await agent.press("Go on. SAY{Gone on.}");
      await pause(500);
      await agent.press("Enter");
      await until("the answer", async () => (await agent.screen()).includes("» Go on."));
      await agent.idle();
    };
    const second = await agent.asks(prompt("made-two"));
    const refused = await answer(agent.relay, second.id, { option: "no", wait: 15 });
    expect(Answered.parse(JSON.parse(refused.text)).result.receipt).toMatchObject({ state: "confirmed" });
    await answerPlainly();
    expect(existsSync(join(agent.cwd, "made-two"))).toBe(false);

    const third = await agent.asks(prompt("made-three"));
    await agent.press(String(1 + third.options.findIndex(({ id }) => id === "yes")));
    expect(await agent.ended(third.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
    await until("the file", () => existsSync(join(agent.cwd, "made-three")));
    await agent.idle();

    const fourth = await agent.asks(prompt("made-four"));
    await agent.press("Escape");
    expect(await agent.ended(fourth.id)).toMatchObject({ state: "withdrawn" });
    await answerPlainly();
    expect(existsSync(join(agent.cwd, "made-four"))).toBe(false);

    const path = `/v1/sessions/${agent.relay.session}/prompts`;
    const sent = await agent.relay.request("POST", path, {
      body: { shellId: agent.shell, text: "Say it.\nSAY{Proved.}" },
    });
    const { id } = Sent.parse(JSON.parse(sent.text)).result;
    const proved = await until("the receipt", async () => {
      const now = await receipt(id);
      return now.final ? now : undefined;
    });
    expect(proved.history.map(({ state }) => state)).toEqual(["queued", "written", "echoed", "accepted", "started"]);
    await agent.shows("Proved.");
    await agent.idle();
    await accountIs[account]();
    expect(agent.relay.errors).toEqual([]);
  });
});
