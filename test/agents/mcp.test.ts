import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ShellId } from "../../core/protocol/ids.ts";
import { agentCommand } from "../../tools/setup/agent-programs.mjs";
import { builtProgram } from "../integration/cli/built-program.ts";
import { until } from "../support/until.ts";
import { type AgentProgram, installOnly } from "./programs.ts";
import { QuestionLab } from "./question-lab.ts";

/** A program that may use Patchbay's tools, and how it is given one prompt without asking for leave to use them. */
const programs: readonly (readonly [AgentProgram, string, string])[] = [
  ["claude", "ENABLE_TOOL_SEARCH=false", "--model claude-haiku-4-5 --dangerously-skip-permissions -p"],
  ["codex", "", "exec --dangerously-bypass-approvals-and-sandbox --skip-git-repo-check"],
  ["gemini", "", "-m gemini-2.5-pro --approval-mode yolo -p"],
  ["opencode", "", "run"],
];

let program: Awaited<ReturnType<typeof builtProgram>>;
beforeAll(async () => {
  await installOnly(...programs.map(([name]) => name));
  program = await builtProgram();
  const script = join(program.folder, "bin", "service");
  mkdirSync(dirname(script));
  writeFileSync(script, `#!/bin/sh\nexec '${process.execPath}' '${program.main}' "$@"\n`);
  chmodSync(script, 0o755);
}, 900_000);
afterAll(() => program[Symbol.dispose]());

const tool = (name: string, input: object) => `TOOL{${name}|${JSON.stringify(input)}}`;

test.each(programs)(
  "%s asks the person, splits, runs, waits and reads the exit code by `service mcp install`",
  async (name, before, words) => {
    // The person's own shell; the agent's is 1.
    const other = 2;
    const prompt = [
      tool("writeToShell", { id: other, data: "mine" }),
      tool("waitFor", { id: other, text: "go-on", timeout: 120 }),
      tool("splitShell", { direction: "horizontal" }),
      tool("runCommand", { tile: 2, command: "(exit 5)", wait: true }),
      "SAY{All done.}",
    ].join(" ");
    await using lab = await QuestionLab.open({
      program: name,
      within: (command) => `${before} ${command}`.trim(),
      words: `${words} '${prompt}'`,
      connect: ({ home }) => {
        const PATH = [dirname(agentCommand(name)), process.env.PATH].join(delimiter);
        const env = { PATH, HOME: home, PATCHBAY_PROGRAM: "service" };
        execFileSync(process.execPath, [program.main, "mcp", "install", name, "--yes"], { env });
      },
    });
    const { relay } = lab;
    await relay.command("createShell", { tile: false });
    const session = relay.relay.sessions.get(relay.session);
    const request = await until(
      "the question to the person",
      () => session.state.now.restrictions.requests[0],
      180_000,
    ).catch(async (error: unknown) => {
      console.log(await lab.screen(), lab.told());
      throw error;
    });
    expect(request).toMatchObject({ shellId: lab.shell, agentType: name });
    // The command line with the shell's own token is refused in the same words.
    const { token } = relay.relay.keys.createShellToken(relay.relay.user, relay.session, lab.shell, {
      role: "admin",
      guest: false,
    });
    const refused = await relay.post(
      { method: "writeToShell", params: { id: other, data: "mine" } },
      { "X-Service-Token": token },
    );
    expect([refused.status, refused.headers.get("x-service-error")]).toEqual([403, "scope_forbids"]);
    await until("the model to be told", () => lab.told().some((told) => told.includes("scope_forbids")));
    await relay.command("answerAgent", { request: request.id, answer: "once" });
    await relay.command("writeToShell", { id: other as ShellId, data: "echo go-on\\n" });
    await lab.shows("All done.", 180_000);
    expect(lab.told().some((told) => /exitCode\W+5\b/.test(told))).toBe(true);
  },
  600_000,
);
