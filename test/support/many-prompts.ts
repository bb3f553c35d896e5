import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { z } from "zod";
import type { ShellId } from "../../core/protocol/ids.ts";
import { Receipt } from "../../core/protocol/receipts.ts";
import type { TestRelay } from "./test-relay.ts";
import { until } from "./until.ts";

/** A shell with an agent; another one takes its place when the agent was ended. */
export interface Lane {
  shell: ShellId;
  /** What happens in the turns of the prompts, in rotation. */
  readonly turns: readonly string[];
  /** The agent's process is ended after one prompt in so many. */
  readonly endEvery: number;
  /** Opens a dialog of the agent beside its turns. */
  openDialog?(pid: number): void;
  /** Keys that empty the agent's input, when they are pressed again and again. */
  readonly emptying: string;
  /** Closes a dialog that one of its turns has opened. */
  closeDialog?(): Promise<void>;
  /** Starts the agent in a new `shell`, and resolves when it takes prompts. */
  restart(): Promise<void>;
}

export interface Disturbed {
  readonly relay: TestRelay;
  readonly lanes: readonly Lane[];
  /** Types keys as a person in a view. */
  press(shell: ShellId, data: string): Promise<unknown>;
  /** The users' messages in the transcripts of all agents. */
  transcripts(): readonly string[];
}

const sessionOf = ({ relay }: TestRelay, id: string) => relay.sessions.get(id);

/** Disturbs a shell while its prompts are written: resizes, dialogs, a person's keys, the end of the agent. */
async function disturb(lab: Disturbed, lane: Lane, step: number): Promise<void> {
  const { shell } = lane;
  const session = sessionOf(lab.relay, lab.relay.session);
  const pid = agentPid(lab, shell);
  if (step % 3 === 0) await session.shells.resize(shell, { cols: 60 + ((step * 7) % 60), rows: 20 + (step % 20) });
  if (step % 7 === 1 && pid !== undefined) lane.openDialog?.(pid);
  if (step % 11 === 2) await lab.press(shell, `typed ${step}\r`);
  if (step % lane.endEvery !== 3 || pid === undefined) return;
  // With its group: a launcher that is killed leaves the agent that it has started.
  process.kill(-pid, step % 2 === 0 ? "SIGKILL" : "SIGTERM");
  await until("the end of the agent", () => session.state.now.agents.every((agent) => agent.shellId !== shell), 30_000);
  // A prompt that was being pasted when the agent ended may stand at the shell's prompt, without Enter.
  await lab.relay.command("closeShell", { id: shell });
  await lane.restart();
}

const Sent = z.object({ result: Receipt });

async function send(relay: TestRelay, prompt: object): Promise<Receipt> {
  const answer = await relay.request("POST", `/v1/sessions/${relay.session}/prompts`, { body: prompt });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return Sent.parse(JSON.parse(answer.text)).result;
}

/** What a prompt waits for while a text stands in the input: a person's, or that of a prompt before it. */
const LEFT = /was not sent|in the agent's input already/;

/** Waits until a prompt was written or given up, as a person who erases what was left in the input. */
async function drained(
  lab: Disturbed,
  lane: Pick<Lane, "shell" | "emptying" | "closeDialog">,
  id: number,
): Promise<void> {
  const { sends, shells, state: session } = sessionOf(lab.relay, lab.relay.session);
  const done = async () => {
    const { state, waitsFor } = sends.get(id);
    const queue = sends.list().filter(({ shellId }) => shellId === lane.shell);
    if (LEFT.test(waitsFor ?? "") || queue.some((one) => LEFT.test(one.waitsFor ?? ""))) {
      await lab.press(lane.shell, lane.emptying);
    }
    const waits = session.now.agents.some((agent) => agent.shellId === lane.shell && agent.state === "waiting");
    if (waits) await lane.closeDialog?.();
    return state !== "queued";
  };
  try {
    await until(`prompt ${id}`, done, 90_000);
  } catch (error) {
    const { text } = await shells.host.screen({ shell: lane.shell });
    const queue = sends.list().filter(({ shellId }) => shellId === lane.shell);
    const waits = queue.map((one) => `${one.id} is ${one.state} and waits for ${one.waitsFor}`);
    throw new Error([...waits, "at this screen:", text.trimEnd()].join("\n"), { cause: error });
  }
}

/** The process in front of a shell's terminal, which leads its group. */
function agentPid({ relay }: Disturbed, shell: ShellId): number | undefined {
  const pid = sessionOf(relay, relay.session).shells.find(shell)?.pid;
  if (pid === undefined || pid === null) return undefined;
  const front = Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[5]);
  return front === pid ? undefined : front;
}

const withoutSpace = (text: string) => text.replace(/\s+/g, "");
const wasAccepted = ({ history }: Receipt) => history.some(({ state }) => state === "accepted");

/** Counts of what became of the prompts. */
export interface Outcome {
  readonly sent: number;
  readonly accepted: number;
}

/**
 * Sends prompts to agents among resizes, dialogs, busy turns, typing and ends of agents, and expects every receipt to agree
 * with the transcripts: each accepted prompt is there once, and no other is.
 */
export async function sendAmongDisturbances(lab: Disturbed, prompts: number): Promise<Outcome> {
  const { lanes } = lab;
  const texts = new Map<number, string>();
  const session = sessionOf(lab.relay, lab.relay.session);
  // The relay itself keeps the last 500 final ones only.
  const latest = new Map<number, Receipt>();
  session.state.subscribers.add({
    send(frame) {
      if (frame.type === "event" && frame.event.type === "receipt.changed")
        latest.set(frame.event.data.id, frame.event.data);
    },
  });
  await Promise.all(
    lanes.map(async (lane, place) => {
      for (let step = 0; step < prompts / lanes.length; step++) {
        const text = `#${place * 1000 + step}# ${lane.turns[(step + place) % lane.turns.length]}`;
        const when = step % 5 === 0 ? "now" : "idle";
        const sent = await send(lab.relay, { shellId: lane.shell, text, when });
        texts.set(sent.id, text);
        await disturb(lab, lane, step);
        // A few prompts wait in the queue at any time.
        if (step % 4 === 3) await drained(lab, lane, sent.id);
      }
    }),
  );
  for (const { id, shellId } of session.sends.list()) {
    const lane = lanes.find(({ shell }) => shell === shellId);
    await drained(lab, lane ?? { shell: shellId, emptying: "\u0015" }, id);
  }
  await until(
    "the queues",
    () =>
      session.sends.list().every(({ state }) => state === "uncertain" || state === "echoed" || state === "accepted"),
    120_000,
  );
  // What can still be recorded is recorded when the agents have ended.
  for (const { shell } of lanes) await lab.relay.command("closeShell", { id: shell });
  await until("every receipt to be final", () => session.sends.list().length === 0, 60_000);
  const receipts = [...latest.values()];
  expect(receipts).toHaveLength(texts.size);
  const recorded = lab.transcripts().map(withoutSpace);
  const disagreements = receipts.flatMap((receipt) => {
    const text = withoutSpace(texts.get(receipt.id) ?? "");
    const times = recorded.filter((one) => one === text).length;
    return times === (wasAccepted(receipt) ? 1 : 0) ? [] : [{ times, receipt }];
  });
  expect(disagreements).toEqual([]);
  expect(lab.relay.errors).toEqual([]);
  return { sent: texts.size, accepted: receipts.filter(wasAccepted).length };
}
