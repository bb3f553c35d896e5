import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { claudeSettingsFile, geminiHooks, geminiSettingsFile, planConnect } from "../../cli/connect/agent-settings.ts";
import { opencodePluginFile, planPlugin } from "../../cli/connect/opencode-plugin-file.ts";
import type { Question } from "../../core/protocol/questions.ts";
import { HOOK_SCRIPT_NAME, hookScript } from "../../main/agents/hooks/hook-script.ts";
import { OPENCODE_PLUGIN_NAME, opencodePlugin } from "../../main/agents/hooks/opencode-plugin.ts";
import { AgentConnections } from "../../main/system/agent-connections.ts";
import { HookSigns } from "../../main/system/hook-signs.ts";
import { VERSIONS } from "../../tools/setup/agent-programs.mjs";
import { Answered, answer } from "../support/agent-questions.ts";
import { until } from "../support/until.ts";
import { installOnly } from "./programs.ts";
import { pause, QuestionLab } from "./question-lab.ts";

type Wanted = Parameters<typeof QuestionLab.open>[0];
type Kind = "claude" | "codex" | "gemini" | "opencode";

interface Way {
  readonly words?: string;
  readonly connect: Wanted["connect"];
  /** What the terminal shows when the program takes prompts. */
  readonly ready: RegExp;
  /** The prompt that makes the stub of the model ask for a command. */
  prompt(command: string): string;
}

/** How people connect each kind, and how it is spoken to. */
const WAYS: Readonly<Record<Kind, Way>> = {
  claude: {
    words: "--model claude-sonnet-4-6 --permission-mode default",
    connect({ home, cwd, relay }) {
      writeFileSync(join(relay.folder, HOOK_SCRIPT_NAME), hookScript);
      planConnect(claudeSettingsFile("user", { env: { HOME: home }, cwd })).apply();
      new HookSigns(relay.folder).note("claude", "connected");
    },
    ready: /^\s*[│|]?\s*[❯>](?:\s|$)/mu,
    prompt: (command) => `Do it. ASK{${command}} SAY{Done.}`,
  },
  codex: {
    connect: ({ home }) => new AgentConnections(home).set("codex", { homes: [join(home, ".codex")], folders: [] }),
    ready: /^\s*›(?:\s|$)/mu,
    prompt: (command) => `Do it. ASK{${command}} SAY{Done.}`,
  },
  gemini: {
    connect({ home, cwd, relay }) {
      writeFileSync(join(relay.folder, HOOK_SCRIPT_NAME), hookScript);
      planConnect(geminiSettingsFile("user", { env: { HOME: home }, cwd }), { hooks: geminiHooks }).apply();
    },
    ready: /Type your message/u,
    prompt: (command) => `Do it. RUN{${command}} SAY{Done.}`,
  },
  opencode: {
    connect({ home, cwd, relay }) {
      writeFileSync(join(relay.folder, HOOK_SCRIPT_NAME), hookScript);
      writeFileSync(join(relay.folder, OPENCODE_PLUGIN_NAME), opencodePlugin);
      planPlugin(opencodePluginFile("user", { env: { HOME: home }, cwd })).write();
    },
    ready: /Ask anything/u,
    prompt: (command) => `Do it. ASK{${command}} SAY{Done.}`,
  },
};

const versions: readonly string[] = VERSIONS;

/**
 * Published versions, connected as people connect them: the question comes and is answered, or Patchbay says that this
 * version does not report it, and nothing is claimed of an answer that the program does not confirm.
 */
describe.each(versions)("questions of %s", { timeout: 300_000 }, (program) => {
  const [kind] = program.split("@");
  const way = WAYS[kind === "codex" || kind === "gemini" || kind === "opencode" ? kind : "claude"];

  beforeAll(() => installOnly(program), 900_000);

  test("come, or are said to be missing; a confirmed answer is what the program did", async () => {
    await using agent = await QuestionLab.open({
      program,
      ...(way.words === undefined ? {} : { words: way.words }),
      connect: way.connect,
    });
    const takesPrompts = async () => way.ready.test(await agent.screen());
    await until("its input", takesPrompts, 90_000).catch(async (error: unknown) => {
      console.log(await agent.screen());
      throw error;
    });
    await pause(3000); // what is typed before its screen is complete is lost

    const started = performance.now();
    const first = await agent.asks(way.prompt("touch made-one"));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    // One that comes first from the screen may be told better a moment later.
    await pause(1500);
    const question: Question = agent.kept(first.id) ?? first;
    const best = agent.opened().find(({ source, state }) => source !== "screen" && state === "open") ?? question;
    console.log(
      `${program}: ${best.source}, ${best.confidence}, ${seconds} s: ${JSON.stringify(best.text ?? best.title)}`,
    );
    // Of the others it is not known when they have read their hooks.
    if (kind === "claude" && best.source === "screen") expect(best.text).toContain("its hook did not report");
    await until("an answerable one", () => agent.kept(best.id)?.answerable, 10_000).catch(() => undefined);

    const { calls } = agent.truth();
    if (agent.kept(best.id)?.answerable !== true) {
      // Said to be answered in the terminal, and so it is.
      expect(agent.kept(best.id)).toMatchObject({ state: "open", answerable: false, options: [] });
      await agent.press("Enter");
      expect(await agent.ended(best.id)).toMatchObject({ state: "answered", answeredBy: { kind: "terminal" } });
      await until("the file", () => existsSync(join(agent.cwd, "made-one")), 30_000);
      return;
    }
    const option = agent.kept(best.id)?.options[0]?.id ?? "yes";
    const given = await answer(agent.relay, best.id, { option, wait: 15, confirmScreen: true });
    console.log(`${program}: ${given.status} ${given.text.slice(0, 400)}`);
    expect(given.status).toBe(200);
    const { receipt } = Answered.parse(JSON.parse(given.text)).result;
    await until("the file", () => existsSync(join(agent.cwd, "made-one")), 30_000);
    expect(receipt?.state).not.toBe("overruled");

    // Refused in the terminal: nothing runs, and nothing says that it did.
    await until("the turn's end", () => agent.truth().calls > calls);
    await agent.idle();
    await pause(500);
    const second = await agent.asks(way.prompt("touch made-two"));
    await pause(1500);
    await agent.press("Escape");
    await agent.ended(second.id);
    expect(existsSync(join(agent.cwd, "made-two"))).toBe(false);
    expect(agent.relay.errors).toEqual([]);
  });
});
