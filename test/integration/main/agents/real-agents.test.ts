import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AgentLab, session, until } from "./agent-lab.ts";

/**
 * The real programs against stubs of their APIs. They are hundreds of megabytes, so this runs only when asked for:
 * PATCHBAY_REAL_AGENTS=1 (they are then kept in the system's temporary folder for the next time).
 */
const asked = process.env.PATCHBAY_REAL_AGENTS === "1";
const cache = join(tmpdir(), "patchbay-real-agents");
const packages = ["@anthropic-ai/claude-code@2.1.329", "@openai/codex@0.169.0", "@google/gemini-cli@0.61.0"];
const bin = join(cache, "node_modules", ".bin");
const DETECTION_MS = 2000;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe.runIf(asked)("a real agent in a shell", { timeout: 120_000 }, () => {
  let lab: AgentLab;

  beforeAll(() => {
    if (["claude", "codex", "gemini"].every((name) => existsSync(join(bin, name)))) return;
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(cache, "package.json"), '{ "private": true }');
    execFileSync("npm", ["install", "--no-audit", "--no-fund", ...packages], { cwd: cache, stdio: "inherit" });
  }, 600_000);
  beforeEach(() => {
    lab = new AgentLab();
  });
  afterEach(() => lab[Symbol.dispose]());

  /** Starts the program and answers it as first told with a session and a model, which must be soon. */
  async function startsInTime(kind: string, shell: ReturnType<AgentLab["shell"]>, command: string) {
    lab.agents.start();
    await until("the prompt", () => shell.output().includes("ready> "));
    const started = Date.now();
    shell.run(command);
    const agent = await until(`${kind} to be listed`, () => {
      const [one] = lab.agents.list(session);
      return one !== undefined && one.sessionId !== "" && one.model !== "" ? one : undefined;
    });
    const took = Date.now() - started;
    console.log(`${kind} listed with session and model after ${took} ms`);
    expect(agent.agentType).toBe(kind);
    expect(agent.sessionId).toMatch(UUID);
    return { agent, took };
  }

  async function isGoneInTime(shell: ReturnType<AgentLab["shell"]>) {
    const before = shell.output().length;
    await until(
      "the shell's prompt",
      () =>
        shell
          .output()
          .slice(before - 200)
          .trimEnd()
          .endsWith("ready>"),
      60_000,
    );
    const ended = Date.now();
    await until("the agent to be gone", () => lab.agents.list(session).length === 0);
    console.log(`gone after ${Date.now() - ended} ms`);
    expect(Date.now() - ended).toBeLessThan(DETECTION_MS);
    await until("agent.ended", () => lab.changes.some(({ type }) => type === "agent.ended"));
  }

  test("claude", async () => {
    const url = await lab.stub("anthropic-stub.mjs");
    const cwd = lab.folder("work", "proj.a");
    const key = "sk-ant-stub-000-aaaaaaaaaaaaaaaaaaaa";
    const config = {
      hasCompletedOnboarding: true,
      theme: "dark",
      projects: { [cwd]: { hasTrustDialogAccepted: true } },
    };
    const approved = { customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] } };
    writeFileSync(join(lab.home, ".claude.json"), JSON.stringify({ ...config, ...approved }));
    const shell = lab.shell(cwd, {
      IS_SANDBOX: "1",
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    });
    const { took } = await startsInTime(
      "claude",
      shell,
      `${bin}/claude --model claude-sonnet-4-6 --permission-mode default`,
    );
    expect(took).toBeLessThan(DETECTION_MS);
    await until("the input", () => /idle|waiting/.test(lab.agents.list(session)[0]?.state ?? ""));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    shell.pty.write("Do it. ASK{touch made-by-stub} SAY{Finished the turn.}");
    await new Promise((resolve) => setTimeout(resolve, 300));
    shell.pty.write("\r");
    await until("the permission request", () => lab.agents.list(session)[0]?.state === "waiting");
    shell.pty.write("\r");
    await until(
      "the end of the turn",
      () => (lab.agents.cost(session).total.output ?? 0) > 0 && lab.agents.list(session)[0]?.state === "idle",
    );
    const cost = lab.agents.cost(session, { explain: true });
    console.log(JSON.stringify(cost), JSON.stringify(lab.agents.list(session)));
    expect(cost.byModel.map(({ model }) => model)).toEqual(["claude-sonnet-4-6"]);
    const [run] = lab.agents.sessions(session);
    const events = await lab.agents.events(session, run?.sessionId ?? "");
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(["user_message", "permission_request", "tool_call", "tool_result", "assistant_message"]),
    );
    shell.pty.write("/exit");
    await new Promise((resolve) => setTimeout(resolve, 300));
    shell.pty.write("\r");
    await isGoneInTime(shell);
    expect(lab.agents.sessions(session)).toMatchObject([{ sessionId: run?.sessionId, status: "ended" }]);
    expect(lab.agents.cost(session).total).toEqual(cost.total);
  });

  test.each([["exec"], ["tui"]])("codex (%s)", async (mode) => {
    const url = await lab.stub("openai-responses-stub.mjs");
    const cwd = lab.folder("work", "proj-c");
    execFileSync("git", ["init", "-q", cwd]);
    const config = [
      'model = "gpt-5.5"',
      'model_provider = "stub"',
      "check_for_update_on_startup = false",
      "[model_providers.stub]",
      'name = "Local stub"',
      `base_url = "${url}/v1"`,
      'env_key = "STUB_OPENAI_KEY"',
      'wire_api = "responses"',
      "[analytics]",
      "enabled = false",
      `[projects."${cwd}"]`,
      'trust_level = "trusted"',
      "[notice.model_migrations]",
      '"gpt-5.5" = "gpt-6-sol"',
    ];
    writeFileSync(join(lab.folder(".codex"), "config.toml"), config.join("\n"));
    const shell = lab.shell(cwd, { STUB_OPENAI_KEY: "x" });
    const command = mode === "exec" ? `exec 'Look. RUN{sleep 3} SAY{Done.}'` : "";
    const { agent, took } = await startsInTime("codex", shell, `${bin}/codex ${command}`);
    if (mode === "exec") expect(took).toBeLessThan(DETECTION_MS);
    if (mode === "tui") {
      await new Promise((resolve) => setTimeout(resolve, 2000));
      shell.pty.write("Look. RUN{echo hi} SAY{Done.}");
      await new Promise((resolve) => setTimeout(resolve, 500));
      shell.pty.write("\r");
    }
    await until("two answers", () => lab.agents.cost(session).total.output > 80, 40_000).catch((error: unknown) => {
      console.log(shell.output().slice(-3000), JSON.stringify(lab.agents.list(session)));
      throw error;
    });
    if (mode === "tui") {
      await until("the end of the turn", () => lab.agents.list(session)[0]?.state === "idle");
      shell.pty.write("\x03");
      await new Promise((resolve) => setTimeout(resolve, 500));
      shell.pty.write("\x03");
    }
    await isGoneInTime(shell);
    console.log(
      JSON.stringify(lab.agents.sessions(session)),
      JSON.stringify(lab.changes.map(({ type, agent: { state } }) => `${type}:${state}`)),
    );
    expect(lab.agents.sessions(session)).toMatchObject([
      { sessionId: agent.sessionId, model: "gpt-5.5", status: "ended" },
    ]);
  });

  test("gemini", async () => {
    const url = await lab.stub("gemini-stub.mjs");
    const cwd = lab.folder("work", "proj-g");
    execFileSync("git", ["init", "-q", cwd]);
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      telemetry: { enabled: false },
    };
    writeFileSync(join(lab.folder(".gemini"), "settings.json"), JSON.stringify(settings));
    writeFileSync(join(lab.folder(".gemini"), "trustedFolders.json"), JSON.stringify({ [cwd]: "TRUST_FOLDER" }));
    const shell = lab.shell(cwd, { GEMINI_API_KEY: "x", GOOGLE_GEMINI_BASE_URL: url });
    const command = `${bin}/gemini -m gemini-2.5-pro --approval-mode yolo -p 'Look. RUN{sleep 3} SAY{Done.}'`;
    const { agent, took } = await startsInTime("gemini", shell, command);
    expect(took).toBeLessThan(DETECTION_MS);
    await until("two answers", () => lab.agents.cost(session).total.output > 80, 40_000);
    await isGoneInTime(shell);
    console.log(
      JSON.stringify(lab.agents.sessions(session)),
      JSON.stringify(lab.changes.map(({ type, agent: { state } }) => `${type}:${state}`)),
    );
    expect(lab.agents.sessions(session)).toMatchObject([
      { sessionId: agent.sessionId, model: "gemini-2.5-pro", status: "ended" },
    ]);
  });
});
