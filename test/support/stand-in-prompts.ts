import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type AgentRelay, type PromptAgent, startAgentRelay } from "./agent-relay.ts";
import { type Lane, sendAmongDisturbances } from "./many-prompts.ts";

const kinds: readonly PromptAgent[] = ["claude", "claude", "codex", "gemini"];

const turns = [
  "",
  "[busy 120]",
  "[swallow]",
  "[slow 80]",
  "[ask 150]",
  "",
  "two\nlines",
  `long ${"word ".repeat(250)}`,
];

/** Sends prompts to four stand-ins of agents among disturbances; more than half of them are accepted. */
export async function sendToStandIns(prompts: number): Promise<void> {
  await using lab = await startAgentRelay();
  const lanes = await Promise.all(kinds.map((kind) => standIn(lab, kind)));
  const { accepted } = await sendAmongDisturbances(
    {
      relay: lab.relay,
      lanes,
      press: (shell, data) => lab.client.client.ask("writeShell", { shell, data, raw: true }),
      transcripts: () => userMessages(lab.home),
    },
    prompts,
  );
  expect(accepted).toBeGreaterThan(prompts / 2);
}

async function standIn(lab: AgentRelay, kind: PromptAgent): Promise<Lane> {
  const start = async () => {
    const shell = await lab.shell();
    await lab.start(kind, shell);
    return shell;
  };
  const lane: Lane = {
    shell: await start(),
    turns,
    endEvery: 17,
    emptying: "\u0015",
    openDialog: (pid) => void process.kill(pid, "SIGUSR2"),
    async restart() {
      lane.shell = await start();
    },
  };
  return lane;
}

/** The users' messages in the transcripts of all agents, without what is put around pastes. */
function userMessages(home: string): string[] {
  const files = [".claude/projects", ".codex/sessions", ".gemini/tmp"].flatMap((folder) =>
    readdirSync(join(home, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".jsonl"))
      .map((file) => join(home, folder, file)),
  );
  return files
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .flatMap((line) => {
      if (!/"type":"user"|"type":"UserMessage"/.test(line)) return [];
      const { message, content, payload } = JSON.parse(line);
      const told = message?.content ?? (content ?? payload.item.content)[0].text;
      return [String(told).replace(/<\/?pasted_content[^>]*>/g, "")];
    });
}
