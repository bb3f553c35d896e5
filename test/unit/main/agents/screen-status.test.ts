import { expect, test } from "vitest";
import { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import type { AgentAdapter } from "../../../../main/agents/adapters/adapter.ts";
import { geminiAdapter } from "../../../../main/agents/adapters/gemini.ts";
import { Manifest, manifestAdapter } from "../../../../main/agents/adapters/manifest.ts";
import { opencodeAdapter } from "../../../../main/agents/adapters/opencode.ts";
import { qwenAdapter } from "../../../../main/agents/adapters/qwen.ts";
import {
  decideStatus,
  type StatusSignal,
  type StatusSignals,
  withSignal,
} from "../../../../main/agents/agent-status.ts";
import { ScreenStatus } from "../../../../main/agents/screen-status.ts";

const DIALOG = "Allow execution of: 'touch a'?\n\n› 1. Yes, allow once\n  2. Yes, allow always\n  3. No (esc)\n";
const BUSY = (seconds: number) => `✦ Working… (esc to cancel, ${seconds}s)\n> \n`;
const INPUT = "> Please RUN a command\n";

/** An agent, Qwen by default, whose transcript says that its turn runs, on a screen that the test draws. */
function lab(adapter: AgentAdapter = qwenAdapter()) {
  let now = 100_000;
  let screen = "";
  let signals: StatusSignals = {};
  let transcript: StatusSignal | undefined = {
    source: "transcript",
    status: "working",
    detail: "prompt sent",
    at: now,
  };
  let next: (() => void) | undefined;
  let told: () => void = () => undefined;
  const logged: string[] = [];
  const agent = {
    session: SessionId.parse("screen-session"),
    shellId: ShellId.parse(1),
    found: { id: "a", adapter },
    get byTranscript() {
      return transcript;
    },
    isReported: false,
    hasTerminal: true,
    receiveStatus: (signal: StatusSignal) => {
      signals = withSignal(signals, signal);
    },
  };
  const status = new ScreenStatus({
    screen: async () => screen,
    clock: {
      now: () => now,
      after(_, task) {
        next = task;
        return () => (next = undefined);
      },
    },
    agents: () => [agent],
    changed: () => told(),
    log: (line) => logged.push(line),
  });
  return {
    status,
    agent,
    logged,
    follows: () => next !== undefined,
    onTold: (task: () => void) => (told = task),
    /** Shows a screen for some seconds, a look in each; returns the state then. */
    async shows(text: (second: number) => string, seconds = 1): Promise<string> {
      for (let second = 0; second < seconds; second += 1) {
        now += 1000;
        screen = text(second);
        await status.look();
      }
      return decideStatus({ ...signals, ...(transcript && { transcript }) }, 0).status;
    },
    /** Takes its transcript away, for an agent that has none. */
    hasNone() {
      transcript = undefined;
    },
    records(next: StatusSignal["status"], detail: string) {
      now += 100;
      transcript = { source: "transcript", status: next, detail, at: now };
    },
  };
}

test("a dialog in a turn is a wait, as long as it stands there, and again in the next turn", async () => {
  const agent = lab();
  expect(await agent.shows(BUSY, 5)).toBe("working");
  expect(await agent.shows(() => DIALOG, 10)).toBe("waiting");
  expect(await agent.shows(BUSY)).toBe("working");
  agent.records("working", "a tool has answered");
  expect(await agent.shows(() => DIALOG)).toBe("waiting");
  // A record that is written while another dialog follows at once.
  agent.records("working", "a tool is called");
  expect(await agent.shows(() => DIALOG)).toBe("waiting");
  agent.records("idle", "answer ended");
  expect(await agent.shows(() => INPUT)).toBe("idle");
});

test("a turn that a key has ended is over once the screen shows none for a while, and the next one runs", async () => {
  const agent = lab();
  expect(await agent.shows(BUSY, 3)).toBe("working");
  expect(await agent.shows(() => INPUT)).toBe("working");
  expect(await agent.shows(() => INPUT)).toBe("idle");
  agent.records("working", "prompt sent");
  // Of a turn that was not seen on the screen, a moment without a sign of it tells nothing.
  expect(await agent.shows(() => INPUT, 2)).toBe("working");
  expect(await agent.shows(() => INPUT, 2)).toBe("idle");
  agent.records("working", "prompt sent");
  expect(await agent.shows(BUSY)).toBe("working");
});

test("a dialog that a key has ended with its turn is no work a second later", async () => {
  const agent = lab();
  expect(await agent.shows(() => DIALOG, 3)).toBe("waiting");
  expect(await agent.shows(() => INPUT)).toBe("working");
  expect(await agent.shows(() => INPUT)).toBe("idle");
});

test("a failed call that is tried again is work as long as the screen shows the turn, and an error then", async () => {
  const agent = lab();
  expect(await agent.shows(BUSY, 3)).toBe("working");
  agent.records("error", "429");
  expect(await agent.shows(BUSY)).toBe("working");
  agent.records("error", "429");
  expect(await agent.shows(BUSY, 5)).toBe("working");
  expect(await agent.shows(() => INPUT, 2)).toBe("error");
  agent.records("working", "prompt sent");
  expect(await agent.shows(BUSY)).toBe("working");
});

test("a long turn whose screen stands still is no end while it shows the turn", async () => {
  const agent = lab();
  expect(await agent.shows(() => BUSY(1), 30)).toBe("working");
});

test("a call that the transcript omits is a wait soon after an answer, until its dialog has gone", async () => {
  const agent = lab(geminiAdapter());
  agent.records("idle", "answer ended");
  expect(await agent.shows(BUSY)).toBe("idle");
  expect(await agent.shows(() => DIALOG, 120)).toBe("waiting");
  expect(await agent.shows(() => INPUT)).toBe("idle");
  // Long after the answer a list on the screen is no dialog of it.
  expect(await agent.shows(() => INPUT, 60)).toBe("idle");
  expect(await agent.shows(() => DIALOG)).toBe("idle");
});

test("a list on the screen after an answer is no wait of an agent whose transcript has its calls", async () => {
  const agent = lab();
  agent.records("idle", "answer ended");
  expect(await agent.shows(() => DIALOG, 5)).toBe("idle");
});

test("a dialog whose options have gaps is no end of a turn", async () => {
  const agent = lab();
  expect(await agent.shows(BUSY, 2)).toBe("working");
  expect(
    await agent.shows(() => "❯ 1. Yes\n  2. Yes, and do not ask again for:\n  7) npm run deploy\n  3. No\n", 10),
  ).toBe("working");
});

test("of a kind with a manifest the screen alone tells turns, dialogs and their ends, with a transcript and without", async () => {
  const robot = { kind: "robot", programs: ["robot"], screen: { working: "esc to cancel", waiting: "[Pp]roceed\\?" } };
  const agent = lab(manifestAdapter(Manifest.parse(robot)));
  for (const hasTranscript of [true, false]) {
    if (hasTranscript) agent.records("idle", "answer ended");
    else agent.hasNone();
    expect(await agent.shows(() => INPUT, 2)).toBe("idle");
    expect(await agent.shows(BUSY)).toBe("working");
    expect(await agent.shows(() => BUSY(1), 30)).toBe("working");
    expect(await agent.shows(() => "Proceed? [y/n]")).toBe("waiting");
    expect(await agent.shows(() => DIALOG)).toBe("waiting");
    expect(await agent.shows(BUSY)).toBe("working");
    // What is drawn once without the sign may be half a picture.
    expect(await agent.shows(() => INPUT)).toBe("working");
    expect(await agent.shows(() => INPUT)).toBe("idle");
  }
});

test("the permission dialog of opencode, which has no numbers, is a wait", async () => {
  const agent = lab(opencodeAdapter());
  const dialog =
    "┃  △ Permission required                 Context\n┃    # touch a\n┃  Allow once   Allow always   Reject\n";
  expect(await agent.shows(() => "■■⬝⬝  esc interrupt   ctrl+p commands\n", 3)).toBe("working");
  expect(await agent.shows(() => dialog)).toBe("waiting");
  expect(await agent.shows(() => "┃  Ask anything\n  ctrl+p commands\n", 2)).toBe("idle");
  agent.records("working", "prompt sent");
  expect(await agent.shows(() => "┃  Please explain △ Permission required\n  esc interrupt\n", 3)).toBe("working");
});

test("a turn, its end and a new dialog are followed, an old dialog and what is over are not", async () => {
  const agent = lab();
  await agent.shows(() => INPUT, 4);
  expect(agent.follows()).toBe(false);
  agent.records("working", "prompt sent");
  await agent.shows(BUSY, 3);
  expect(agent.follows()).toBe(true);
  await agent.shows(() => DIALOG, 60);
  expect(agent.follows()).toBe(true);
  await agent.shows(() => DIALOG);
  expect(agent.follows()).toBe(false);
  await agent.shows(() => INPUT);
  expect(agent.follows()).toBe(true);
  await agent.shows(() => INPUT);
  expect(agent.follows()).toBe(false);
});

test("a screen tells nothing of an agent in a pane of tmux, and nothing of one that another agent has started", async () => {
  const robot = { kind: "robot", programs: ["robot"], screen: { working: "esc to cancel" } };
  for (const adapter of [qwenAdapter(), manifestAdapter(Manifest.parse(robot))]) {
    const agent = lab(adapter);
    agent.agent.hasTerminal = false;
    // Another pane shows a quiet file, and then a list with a marked line.
    expect(await agent.shows(() => INPUT, 5)).toBe("working");
    expect(await agent.shows(() => DIALOG, 5)).toBe("working");
    expect(agent.follows()).toBe(false);
  }
});

test("nothing is followed once it is disposed of", async () => {
  const agent = lab();
  await agent.shows(BUSY);
  agent.status[Symbol.dispose]();
  expect(agent.follows()).toBe(false);
  await agent.shows(BUSY);
  expect(agent.follows()).toBe(false);
});

test("a turn is over though the program still draws what it has ended with", async () => {
  const agent = lab();
  await agent.shows(BUSY, 3);
  await agent.shows(() => "Request cancelled.\n> \n");
  expect(await agent.shows(() => "Request cancelled.\n\n? for shortcuts\n> \n")).toBe("idle");
});

test("a failed call that is tried again is no error while the screen shows the turn, or has just shown it", async () => {
  const agent = lab();
  await agent.shows(BUSY, 2);
  agent.records("error", "500");
  expect(await agent.shows(() => "Retrying\n> \n")).toBe("working");
  expect(await agent.shows(BUSY)).toBe("working");
  agent.records("error", "500");
  expect(await agent.shows(() => "It failed\n> \n", 2)).toBe("error");
});

test("an agent that was updated is told after the look, and what fails then is logged and ends nothing", async () => {
  const agent = lab();
  let told = 0;
  agent.onTold(() => (told += 1));
  await agent.status.look(agent.agent);
  expect(told).toBe(1);
  agent.onTold(() => {
    throw new Error("the disk is full");
  });
  await agent.shows(BUSY);
  await agent.status.look(agent.agent);
  expect(agent.logged).toContain("what screens show of agents could not be told");
  expect(agent.follows()).toBe(true);
});
