import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { Receipt } from "../../core/protocol/receipts.ts";
import { type AgentRelay, type PromptAgent, startAgentRelay } from "./agent-relay.ts";
import { until } from "./until.ts";

const kinds: readonly PromptAgent[] = ["claude", "claude", "codex", "gemini"];
/** A shell with an agent; another one takes its place when the agent was ended. */
interface Place {
  readonly kind: PromptAgent;
  shell: ShellId;
}

/** What happens in the turns of the prompts, in rotation. */
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

/** Disturbs a shell while its prompts are written: resizes, dialogs, a person's keys, the end of the agent. */
async function disturb(lab: AgentRelay, place: Place, step: number): Promise<void> {
  const { shell, kind } = place;
  const session = lab.relay.relay.sessions.get(lab.relay.session);
  const pid = agentPid(lab, shell);
  if (step % 3 === 0) await session.shells.resize(shell, { cols: 60 + ((step * 7) % 60), rows: 20 + (step % 20) });
  if (step % 7 === 1 && pid !== undefined) process.kill(pid, "SIGUSR2");
  if (step % 11 === 2) await pressKeys(lab, shell, `typed ${step}\r`);
  if (step % 17 !== 3 || pid === undefined) return;
  process.kill(pid, step % 2 === 0 ? "SIGKILL" : "SIGTERM");
  await until("the end of the agent", () => session.state.now.agents.every((agent) => agent.shellId !== shell));
  // A prompt that was being pasted when the agent ended may stand at the shell's prompt, without Enter.
  await lab.relay.command("closeShell", { id: shell });
  place.shell = await lab.shell();
  await lab.start(kind, place.shell);
}

/** Waits until a prompt was written or given up, as a person who erases what was left in the input. */
async function drained(lab: AgentRelay, { shell }: Place, id: number): Promise<void> {
  const { sends } = lab.relay.relay.sessions.get(lab.relay.session);
  const done = async () => {
    const { state, waitsFor } = sends.get(id);
    const isHeld = sends.list().some((one) => one.shellId === shell && one.waitsFor?.includes("was not sent"));
    if (isHeld || waitsFor?.includes("was not sent")) await pressKeys(lab, shell, "\u0015");
    return state !== "queued";
  };
  await until(`prompt ${id}`, done, 90_000);
}

const pressKeys = ({ client }: AgentRelay, shell: ShellId, data: string) =>
  client.client.ask("writeShell", { shell, data, raw: true });

/** The process in front of a shell's terminal. */
function agentPid({ relay }: AgentRelay, shell: ShellId): number | undefined {
  const pid = relay.relay.sessions.get(relay.session).shells.find(shell)?.pid;
  if (pid === undefined || pid === null) return undefined;
  const front = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[5]);
  return front === pid ? undefined : front;
}

/** The users' messages in the transcripts of all agents, without white space and what is put around pastes. */
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
      return [withoutSpace(String(told).replace(/<\/?pasted_content[^>]*>/g, ""))];
    });
}

const withoutSpace = (text: string) => text.replace(/\s+/g, "");
const wasAccepted = ({ history }: Receipt) => history.some(({ state }) => state === "accepted");

/**
 * Sends prompts to four stand-ins of agents among resizes, dialogs, busy turns, typing and ends of agents, and expects every
 * receipt to agree with the transcripts.
 */
export async function sendAmongDisturbances(prompts: number): Promise<void> {
  await using lab = await startAgentRelay();
  const places: Place[] = await Promise.all(kinds.map(async (kind) => ({ kind, shell: await lab.shell() })));
  for (const { kind, shell } of places) await lab.start(kind, shell);
  const texts = new Map<number, string>();
  const session = lab.relay.relay.sessions.get(lab.relay.session);
  // The relay itself keeps the last 500 final ones only.
  const latest = new Map<number, Receipt>();
  session.state.subscribers.add({
    send(frame) {
      if (frame.type === "event" && frame.event.type === "receipt.changed")
        latest.set(frame.event.data.id, frame.event.data);
    },
  });
  await Promise.all(
    places.map(async (place, lane) => {
      for (let step = 0; step < prompts / places.length; step++) {
        const text = `#${lane * 1000 + step}# ${turns[(step + lane) % turns.length]}`;
        const when = step % 5 === 0 ? "now" : "idle";
        const sent = await lab.send(place.shell, text, { when });
        texts.set(sent.id, text);
        await disturb(lab, place, step);
        // A few prompts wait in the queue at any time.
        if (step % 4 === 3) await drained(lab, place, sent.id);
      }
    }),
  );
  for (const { id, shellId: shell } of session.sends.list()) await drained(lab, { kind: "claude", shell }, id);
  await until(
    "the queues",
    () =>
      session.sends.list().every(({ state }) => state === "uncertain" || state === "echoed" || state === "accepted"),
    120_000,
  );
  // What can still be recorded is recorded when the agents have ended.
  for (const { shell } of places) await lab.relay.command("closeShell", { id: shell });
  await until("every receipt to be final", () => session.sends.list().length === 0, 60_000);
  const receipts = [...latest.values()];
  expect(receipts).toHaveLength(prompts);
  const recorded = userMessages(lab.home);
  const disagreements = receipts.filter((receipt) => {
    const text = withoutSpace(texts.get(receipt.id) ?? "");
    return recorded.filter((one) => one === text).length !== (wasAccepted(receipt) ? 1 : 0);
  });
  expect(disagreements).toEqual([]);
  expect(receipts.filter(wasAccepted).length).toBeGreaterThan(prompts / 2);
  expect(lab.relay.errors).toEqual([]);
}
