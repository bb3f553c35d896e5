import { beforeAll, expect, test } from "vitest";
import type { ShellId } from "../../core/protocol/ids.ts";
import { AgentLab } from "../integration/main/agents/agent-lab.ts";
import { type Lane, sendAmongDisturbances } from "../support/many-prompts.ts";
import { startWatchingRelay } from "../support/watching-relay.ts";
import { type AgentPlace, agentPlace, installOnly } from "./programs.ts";
import { startInShell } from "./start-in-shell.ts";
import { userMessages } from "./user-messages.ts";

const programs = ["claude", "codex", "gemini"] as const;

beforeAll(() => installOnly(...programs), 900_000);

/** `AGENT_PROMPTS=1000 npm run test:agents -- test/agents/many-prompts.test.ts` sends a thousand, for half an hour. */
const PROMPTS = Number(process.env.AGENT_PROMPTS ?? 60);

const words = { claude: "--model claude-sonnet-4-6 --permission-mode default", codex: "", gemini: "" };

const turns = [
  "SAY{Done.}",
  "RUN{sleep 1} SAY{Done.}",
  "SAY{Done.} two\nlines",
  "ASK{touch made} SAY{Done.}",
  "SAY{Done.}",
  `SAY{Done.} long ${"word ".repeat(250)}`,
  "SAY{Done.} again",
];

test(`${PROMPTS} prompts into real agents among resizes, dialogs, kills and busy turns: every receipt agrees with the transcripts`, {
  timeout: 60_000 + PROMPTS * 10_000,
}, async () => {
  const lab = new AgentLab();
  const places = new Map<string, AgentPlace>();
  for (const program of programs) places.set(program, await agentPlace(lab, program, program));
  const env = Object.assign({}, ...[...places.values()].map((place) => place.env));
  const relay = await startWatchingRelay({ home: lab.home, undo: lab.undo, env });
  const client = await relay.join();
  try {
    const lanes = await Promise.all(
      [...places].map(async ([name, place]) => {
        const program = programs.find((one) => one === name) ?? "claude";
        const start = async () => {
          const { shellId } = await relay.command<{ shellId: ShellId }>("createShell", { cwd: place.cwd });
          await startInShell(relay, shellId, { program, place, words: words[program] });
          return shellId;
        };
        const lane: Lane = {
          shell: await start(),
          turns,
          endEvery: 41,
          // The rest of the line, and the end of the line before it.
          emptying: "\u0015\u007f",
          closeDialog: () => relay.command("sendKeys", { id: lane.shell, keys: ["Escape"] }),
          async restart() {
            lane.shell = await start();
          },
        };
        return lane;
      }),
    );
    const press = (shell: ShellId, data: string) => client.client.ask("writeShell", { shell, data, raw: true });
    const transcripts = () => programs.flatMap((program) => userMessages[program](lab.home));
    const { sent, accepted } = await sendAmongDisturbances({ relay, lanes, press, transcripts }, PROMPTS);
    console.log(`${sent} prompts, ${accepted} of them accepted`);
    expect(accepted).toBeGreaterThan(sent / 3);
  } finally {
    await client[Symbol.asyncDispose]();
    await relay[Symbol.asyncDispose]();
    lab[Symbol.dispose]();
  }
});
