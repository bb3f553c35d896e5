import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { HookQuestion, HookReply } from "../../../../../core/protocol/agent-hooks.ts";
import type { Agent } from "../../../../../core/protocol/agent-records.ts";
import { SessionId, type ShellId } from "../../../../../core/protocol/ids.ts";
import { partsOf, type Question, shownDigest } from "../../../../../core/protocol/questions.ts";
import { readAcpHook } from "../../../../../main/agents/hooks/acp-hooks.ts";
import { readClaudeHook } from "../../../../../main/agents/hooks/claude-hooks.ts";
import { readGeminiHook } from "../../../../../main/agents/hooks/gemini-hooks.ts";
import { readOpencodeHook } from "../../../../../main/agents/hooks/opencode-hooks.ts";
import { readCodexRequest } from "../../../../../main/agents/protocols/codex-requests.ts";
import { Questions } from "../../../../../main/relay/questions/questions.ts";
import { openStore } from "../../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../../main/relay/store/store.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const ann = { kind: "user", name: "ann", client: null } as const;

/** What an agent asks, with the text that tells it from all others. */
interface Asked {
  readonly agent: "claude" | "gemini" | "opencode" | "codex" | "acp";
  readonly key: string;
  readonly shell: number;
  readonly agentSession: string;
  readonly thread: string;
  readonly call: string;
  readonly tool: "run" | "other" | "edit";
  readonly text: string;
}

const few = (...values: string[]) => fc.constantFrom(...values);
const asked = fc.record({
  agent: fc.constantFrom("claude", "gemini", "opencode", "codex", "acp"),
  key: few("k1", "k2"),
  shell: fc.constantFrom(1, 2),
  agentSession: few("s1", "s2"),
  thread: few("t1", "t2"),
  call: few("c1", "c2"),
  tool: fc.constantFrom("run", "other", "edit"),
  text: fc.oneof(
    few("ls", "rm -rf work"),
    fc.string({ unit: "binary", maxLength: 40 }).filter((one) => !one.includes("\\")),
  ),
}) satisfies fc.Arbitrary<Asked>;

function read(given: Asked): HookQuestion | undefined {
  const { agentSession, thread, call, text } = given;
  const report = (() => {
    switch (given.agent) {
      case "claude":
        return readClaudeHook({
          ...{ session_id: agentSession, cwd: "/p", agent_id: thread, hook_event_name: "PermissionRequest" },
          ...inputOf(given, { run: "Bash", edit: "Write", other: "mcp__x__y" }),
        });
      case "gemini":
        return readGeminiHook({
          ...{ session_id: agentSession, cwd: "/p", hook_event_name: "Notification" },
          ...{ notification_type: "ToolPermission", details: { type: given.tool, title: call, [thread]: text } },
        });
      case "opencode":
        return readOpencodeHook({
          ...{ type: "permission.asked", root: agentSession, cwd: "/p" },
          properties: { id: call, sessionID: thread, permission: given.tool, metadata: { command: text } },
        });
      case "acp":
        return readAcpHook({
          ...{ type: "permission", session: agentSession, call, cwd: "/p" },
          toolCall: { title: thread, kind: given.tool === "run" ? "execute" : given.tool, rawInput: { after: text } },
          options: [
            { optionId: "a", name: "Allow", kind: "allow_once" },
            { optionId: "r", name: "Reject", kind: "reject_once" },
          ],
        });
      case "codex":
        return undefined;
    }
  })();
  if (given.agent !== "codex") return report?.kind === "asks" ? report.question : undefined;
  const params = { threadId: thread, itemId: call, command: text, [given.tool]: given.tool };
  const method = "item/commandExecution/requestApproval";
  return readCodexRequest({ method, params }, { root: agentSession, cwd: "/p", changes: undefined });
}

function inputOf({ tool, text }: Asked, names: Readonly<Record<Asked["tool"], string>>) {
  const inputs = {
    run: { command: text },
    edit: { file_path: "/p/a", content: text },
    other: { command: "ls", after: text },
  };
  return { tool_name: names[tool], tool_input: inputs[tool] };
}

/** Everything of an event that an answer to it depends on. Claude's request for a permission does not name the call. */
const identity = ({ key: _key, ...event }: Asked) =>
  JSON.stringify({ ...event, call: event.agent === "claude" ? undefined : event.call });

type Step =
  | { readonly does: "ask"; readonly event: Asked; readonly forged: boolean }
  | { readonly does: "answer"; readonly which: number; readonly option: string; readonly carries: number | null }
  | { readonly does: "leave"; readonly which: number }
  | { readonly does: "screen"; readonly asks: string }
  | { readonly does: "restart" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant("ask"), event: asked, forged: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("answer"),
      which: fc.nat(6),
      option: few("yes", "no", "1"),
      carries: fc.option(fc.nat(6), { nil: null, freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("leave"), which: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("screen"), asks: few("Run ls?", "Run rm?") }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("restart") }) },
);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("no answer reaches an event whose content was not shown to who gave it", async () => {
  using folder = temporaryFolder();
  using store = new Store(openStore(folder.path).database);
  const given = { typed: 0, decided: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      using lab = new Lab(store, given);
      for (const one of steps) await lab.take(one);
      await lab.check();
    }),
    { numRuns: 100 },
  );
  // Otherwise the property says nothing.
  expect(Math.min(given.typed, given.decided, given.refused)).toBeGreaterThan(0);
});

interface Hook {
  readonly event: Asked;
  readonly gone: AbortController;
  output?: HookReply["output"];
}

/** A session's questions, the hooks that wait for answers, and what each answer was given to. */
class Lab implements Disposable {
  readonly #store: Store;
  readonly #session: SessionId;
  readonly #hooks: Hook[] = [];
  readonly #given: { typed: number; decided: number; refused: number };
  /** The events that asked, by their questions. */
  readonly #askedBy = new Map<number, string>();
  /** What was shown under a digest, and the events that it was shown for. */
  readonly #shown = new Map<string, { readonly parts: unknown; readonly events: Set<string> }>();
  /** The events that were answered. */
  readonly #answered = new Set<string>();
  #agents: Agent[] = [];
  #screen = "";
  #typedOn: string[] = [];
  #questions: Questions;

  constructor(store: Store, given: { typed: number; decided: number; refused: number }) {
    this.#store = store;
    this.#given = given;
    this.#session = SessionId.parse(`session-${store.sessions.list().length + 1}`);
    this.#store.sessions.add({ id: this.#session, name: "s", owner: "ann", createdAt: new Date(0).toISOString() });
    this.#questions = this.#open();
  }

  async take(step: Step): Promise<void> {
    if (step.does === "ask") await this.#ask(step.event, step.forged);
    else if (step.does === "answer") await this.#answer(step);
    else if (step.does === "leave") this.#hooks[step.which]?.gone.abort();
    else if (step.does === "screen") await this.#showScreen(step.asks);
    else {
      this.#questions[Symbol.dispose]();
      this.#questions = this.#open();
    }
  }

  async check(): Promise<void> {
    await settle();
    for (const { event, output } of this.#hooks) {
      if (output === undefined || Object.keys(output).length === 0) continue;
      this.#given.decided += 1;
      expect(this.#answered).toContain(identity(event));
    }
    for (const { events } of this.#shown.values()) expect(events.size).toBe(1);
  }

  [Symbol.dispose](): void {
    this.#questions[Symbol.dispose]();
  }

  /** `forged`: under the key of the last event, as a program that has found it out would. */
  async #ask(given: Asked, forged: boolean): Promise<void> {
    const event = forged ? { ...given, key: this.#hooks.at(-1)?.event.key ?? given.key } : given;
    const question = read(event);
    if (question === undefined) return;
    const hook: Hook = { event, gone: new AbortController() };
    this.#hooks.push(hook);
    const where = { shell: event.shell as ShellId, agentType: event.agent, key: event.key };
    const source = event.agent === "codex" || event.agent === "acp" ? ("protocol" as const) : ("hook" as const);
    const asking = { ...where, source, report: { kind: "asks", question } as const };
    void this.#questions.hook(asking, hook.gone.signal).then((output) => {
      hook.output = output;
    });
    await settle();
    this.#note(identity(event), event.text);
  }

  async #showScreen(asks: string): Promise<void> {
    this.#screen = `${asks}\n ❯ 1. Yes\n   2. No`;
    const tokenUsage = { input: 0, output: 0, cached: 0, cost: 0 };
    const agent = { shellId: 3 as ShellId, agentType: "codex", model: "", sessionId: "", tokenUsage };
    const tells = (state: "waiting" | "working") => {
      this.#agents = [{ ...agent, state }];
      this.#questions.heard({ type: "agent.updated", data: { ...agent, state } });
    };
    tells("working");
    tells("waiting");
    await vi.advanceTimersByTimeAsync(1500);
    this.#note(`screen ${this.#screen}`, asks);
  }

  /** What was opened just now is of the event that was reported just now, and shows all of it. */
  #note(event: string, text: string): void {
    for (const one of this.#questions.list({ all: true })) {
      if (!this.#askedBy.has(one.id)) {
        this.#askedBy.set(one.id, event);
        if (one.answerable) expect(visible(one)).toContain(comparable(text));
      }
      const parts = [one.title, partsOf(one), one.options, one.risk];
      const known = this.#shown.get(one.digest ?? "") ?? { parts, events: new Set() };
      this.#shown.set(one.digest ?? "", known);
      known.events.add(this.#askedBy.get(one.id) ?? "");
      expect(parts).toEqual(known.parts);
    }
  }

  async #answer({ which, option, carries }: Extract<Step, { does: "answer" }>): Promise<void> {
    const all = this.#questions.list({ all: true });
    const question = all[which % Math.max(1, all.length)];
    if (question === undefined) return;
    const seen = carries === null ? question : (all[carries % all.length] ?? question);
    const isSame = seen.digest === question.digest;
    this.#typedOn = [];
    const given = { option, confirmScreen: true, ...(carries === null ? {} : shownDigest(seen)) };
    let isDone = false;
    const answering = this.#questions.answer(question.id, given, ann).then(
      () => {
        expect([isSame, question.state]).toEqual([true, "open"]);
        this.#answered.add(this.#askedBy.get(question.id) ?? "");
        this.#given.typed += this.#typedOn.length;
        for (const screen of this.#typedOn) expect(screen).toBe(seen.detail.screen);
      },
      (error: unknown) => {
        this.#given.refused += 1;
        const codes = /^(question_(closed|changed|not_answerable)|screen_changed|invalid_params)$/;
        expect(error).toMatchObject({ code: expect.stringMatching(codes) });
        if (question.state === "open" && !isSame) expect(error).toMatchObject({ code: "question_changed" });
        expect(this.#typedOn).toEqual([]);
      },
    );
    const done = () => {
      isDone = true;
    };
    void answering.then(done, done);
    // One that is typed waits for the one before, and for its dialog to go.
    while (!isDone) await vi.advanceTimersByTimeAsync(100);
    await answering;
    await settle();
  }

  #open(): Questions {
    const questions = new Questions({
      session: { id: this.#session, apply: () => undefined, emit: () => undefined },
      rows: this.#store.questions,
      isRunning: () => true,
      agents: () => this.#agents,
      follow: () => async () => [],
      screen: {
        read: async (shell) => (shell === 3 ? this.#screen : ""),
        type: async () => void this.#typedOn.push(this.#screen),
        lastInputAt: () => 0,
      },
    });
    questions.restore();
    return questions;
  }
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

function visible(question: Question): string {
  return comparable([question.title, ...partsOf(question).map(({ text }) => text)].join("\n"));
}

/** A text without what is shown in other ways: signs of lines, escapes, and characters that show nothing. */
function comparable(text: string): string {
  return text.replace(/\\(?:u[0-9a-f]{4}|[bfnrt])/g, "").replace(/[^\p{L}\p{N}]/gu, "");
}
