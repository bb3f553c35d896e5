import { z } from "zod";
import type { HookReply, HookReport } from "../../../core/protocol/agent-hooks.ts";
import { CodexChanges, callId, readCodexRequest } from "./codex-requests.ts";
import { CodexServer, codexSocket, type RequestId } from "./codex-server.ts";

/** A Codex that runs in a shell, and its thread. */
export interface CodexTerminal {
  readonly thread: string;
  /** Codex's home folder. */
  readonly home: string;
  readonly cwd: string;
}

interface CodexQuestionsOptions<Terminal extends CodexTerminal> {
  /** The terminals whose user has connected them. */
  readonly terminals: () => readonly Terminal[];
  /** Reports what a terminal's thread asks and does; resolves to the reply, an empty one where it is settled elsewhere. */
  readonly report: (
    terminal: Terminal,
    key: string,
    report: HookReport,
    signal: AbortSignal,
  ) => Promise<HookReply["output"]>;
}

/** A request without an answer so far. */
interface Pending {
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  readonly thread: string;
  /** Set once it was reported. */
  reported?: { readonly call: string; readonly root: string; readonly asked: AbortController };
}

const Thread = z.object({ thread: z.object({ id: z.string(), sessionId: z.string().optional() }) });
const Loaded = z.object({ data: z.array(z.string()) });
const OfThread = z.object({ threadId: z.string() });
const Status = OfThread.extend({ status: z.object({ type: z.string() }) });
const Resolved = OfThread.extend({ requestId: z.union([z.string(), z.number()]) });
const Item = OfThread.extend({
  item: z.object({
    id: z.string(),
    type: z.string(),
    status: z.string().optional().catch(undefined),
    changes: CodexChanges.optional().catch(undefined),
  }),
});

const MOST_THREADS = 1000;
const MOST_CHANGES = 50;
const MOST_PENDING = 100;

/**
 * The questions of the Codex terminals that share an app server (one for each home folder). The relay is one more client
 * of it: each client is sent the requests for approval of the threads that it follows, the first reply counts, and all
 * are told. So neither the terminal's dialog nor the relay ever waits for the other.
 */
export class CodexQuestions<Terminal extends CodexTerminal> implements Disposable {
  readonly #options: CodexQuestionsOptions<Terminal>;
  readonly #homes = new Map<string, Home<Terminal>>();

  constructor(options: CodexQuestionsOptions<Terminal>) {
    this.#options = options;
  }

  /** Connects to the app servers of the terminals that there are now, and leaves the others. */
  update(): void {
    const terminals = this.#options.terminals();
    const homes = new Set(terminals.map(({ home }) => home));
    for (const [home, known] of this.#homes) {
      if (homes.has(home)) continue;
      this.#homes.delete(home);
      known[Symbol.dispose]();
    }
    for (const home of homes) {
      const known = this.#homes.get(home) ?? this.#connect(home);
      known?.update(terminals.filter((terminal) => terminal.home === home));
    }
  }

  [Symbol.dispose](): void {
    for (const home of this.#homes.values()) home[Symbol.dispose]();
    this.#homes.clear();
  }

  #connect(home: string): Home<Terminal> | undefined {
    const path = codexSocket(home);
    if (path === undefined) return undefined;
    const made = new Home<Terminal>(path, this.#options.report, () => {
      if (this.#homes.get(home) === made) this.#homes.delete(home);
    });
    this.#homes.set(home, made);
    return made;
  }
}

/** One app server, and what the threads in it ask. */
class Home<Terminal extends CodexTerminal> implements Disposable {
  readonly #report: CodexQuestionsOptions<Terminal>["report"];
  readonly #server: CodexServer;
  /** The threads that the server has loaded. To follow another one would load it, beside the program that has it. */
  readonly #loaded = new Set<string>();
  readonly #followed = new Set<string>();
  /** The thread that the user talks to, by the threads of its sub-agents. */
  readonly #roots = new Map<string, string>();
  readonly #changes = new Map<string, CodexChanges>();
  /** The approvals that tool calls have asked for, where a call may ask for several. */
  readonly #approvals = new Map<string, readonly string[]>();
  readonly #pending = new Map<RequestId, Pending>();
  #terminals: readonly Terminal[] = [];
  #ready = false;

  constructor(path: string, report: CodexQuestionsOptions<Terminal>["report"], ended: () => void) {
    this.#report = report;
    this.#server = new CodexServer(path, {
      onReady: () => void this.#start(),
      onRequest: (id, method, params) => this.#asked(id, method, params),
      onNotification: (method, params) => this.#told(method, params),
      onEnd: () => {
        this.#ready = false;
        for (const { reported } of this.#pending.values()) reported?.asked.abort();
        this.#pending.clear();
        ended();
      },
    });
  }

  update(terminals: readonly Terminal[]): void {
    this.#terminals = terminals;
    this.#follow();
    for (const pending of this.#pending.values()) this.#place(pending);
  }

  [Symbol.dispose](): void {
    this.#server[Symbol.dispose]();
  }

  async #start(): Promise<void> {
    const result = await this.#server.call("thread/loaded/list", { limit: MOST_THREADS });
    for (const thread of Loaded.safeParse(result).data?.data ?? []) this.#loaded.add(thread);
    this.#ready = true;
    this.#follow();
  }

  /** Follows the threads of the terminals. Codex unloads a thread that no client follows, so an ended terminal's is left. */
  #follow(): void {
    if (!this.#ready) return;
    for (const { thread } of this.#terminals) this.#followThread(thread);
    for (const thread of this.#followed) {
      if (this.#terminalOf(thread) !== undefined) continue;
      this.#followed.delete(thread);
      void this.#server.call("thread/unsubscribe", { threadId: thread });
    }
  }

  /** Requests that wait already are sent again to who follows. A thread without a prompt may be refused. */
  #followThread(threadId: string): void {
    if (this.#followed.has(threadId) || !this.#loaded.has(threadId)) return;
    this.#followed.add(threadId);
    void this.#server.call("thread/resume", { threadId, excludeTurns: true }).then((result) => {
      if (result === undefined) this.#followed.delete(threadId);
    });
  }

  #asked(id: RequestId, method: string, params: unknown): void {
    const thread = OfThread.safeParse(params).data?.threadId;
    if (thread === undefined || this.#pending.size >= MOST_PENDING) return;
    const pending: Pending = { id, method, params, thread };
    this.#pending.set(id, pending);
    this.#place(pending);
  }

  /** Reports a request as soon as the terminal of its thread is known. */
  #place(pending: Pending): void {
    const { id, method, params, thread } = pending;
    const terminal = this.#terminalOf(thread);
    if (pending.reported !== undefined || terminal === undefined) return;
    const item = z.object({ itemId: z.string() }).safeParse(params).data?.itemId ?? "";
    const itemCall = callId(thread, item);
    const changes = this.#changes.get(itemCall);
    const root = terminal.thread;
    const question = readCodexRequest({ method, params }, { root, cwd: terminal.cwd, changes });
    if (question === undefined) return;
    const { call } = question;
    const asked = new AbortController();
    pending.reported = { call, root, asked };
    if (call !== itemCall) {
      const earlier = (this.#approvals.get(itemCall) ?? []).slice(-MOST_PENDING);
      keepLast(this.#approvals, itemCall, [...earlier, call], MOST_CHANGES);
    }
    const key = z.object({ approvalId: z.string() }).safeParse(params).data?.approvalId ?? "";
    this.#report(terminal, `${itemCall}/${key}`.slice(0, 300), { kind: "asks", question }, asked.signal)
      .then((output) => {
        if (Object.keys(output).length > 0 && this.#pending.get(id) === pending) this.#server.reply(id, output);
      })
      // The session has ended, or cannot keep the question: it is answered in the terminal.
      .catch(() => undefined);
  }

  #told(method: string, params: unknown): void {
    switch (method) {
      case "thread/started":
        this.#started(Thread.safeParse(params).data?.thread);
        break;
      case "thread/status/changed":
        this.#statusChanged(Status.safeParse(params).data);
        break;
      case "serverRequest/resolved":
        this.#resolved(Resolved.safeParse(params).data?.requestId);
        break;
      case "item/started":
      case "item/completed":
        this.#item(Item.safeParse(params).data, method === "item/completed");
        break;
      case "turn/completed":
        this.#turnEnded(OfThread.safeParse(params).data?.threadId);
    }
  }

  #started(thread: { readonly id: string; readonly sessionId?: string | undefined } | undefined): void {
    if (thread !== undefined) this.#loaded.add(thread.id);
    if (thread?.sessionId === undefined || thread.sessionId === thread.id) return;
    keepLast(this.#roots, thread.id, thread.sessionId, MOST_THREADS);
  }

  /** The thread of a sub-agent is followed once it works; one of a terminal where it was not there before. */
  #statusChanged(changed: z.infer<typeof Status> | undefined): void {
    if (changed === undefined) return;
    if (changed.status.type === "notLoaded") {
      this.#loaded.delete(changed.threadId);
      this.#followed.delete(changed.threadId);
      return;
    }
    this.#loaded.add(changed.threadId);
    if (changed.status.type !== "active" || !this.#ready) return;
    if (this.#terminalOf(changed.threadId) !== undefined) this.#followThread(changed.threadId);
  }

  #resolved(id: RequestId | undefined): void {
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(pending.id);
    if (pending.reported === undefined) return;
    const { call, root } = pending.reported;
    this.#tell(pending.thread, { kind: "settled", agentSessionId: root, call });
  }

  #item(told: z.infer<typeof Item> | undefined, completed: boolean): void {
    if (told === undefined) return;
    const { threadId, item } = told;
    const call = callId(threadId, item.id);
    if (!completed) {
      if (item.changes !== undefined) keepLast(this.#changes, call, item.changes, MOST_CHANGES);
      return;
    }
    this.#changes.delete(call);
    const calls = [call, ...(this.#approvals.get(call) ?? [])];
    this.#approvals.delete(call);
    const root = this.#terminalOf(threadId)?.thread;
    const ran = item.status === "completed" || item.status === "failed";
    if (root === undefined || !ran) return;
    for (const one of calls) this.#tell(threadId, { kind: "ran", agentSessionId: root, call: one });
  }

  #turnEnded(thread: string | undefined): void {
    const root = thread === undefined ? undefined : this.#terminalOf(thread)?.thread;
    if (thread !== undefined && root !== undefined) this.#tell(thread, { kind: "turn", agentSessionId: root, thread });
  }

  #tell(thread: string, report: HookReport): void {
    const terminal = this.#terminalOf(thread);
    if (terminal === undefined) return;
    this.#report(terminal, "", report, new AbortController().signal).catch(() => undefined);
  }

  #terminalOf(thread: string): Terminal | undefined {
    const root = this.#roots.get(thread) ?? thread;
    return this.#terminals.find((terminal) => terminal.thread === root);
  }
}

/** Keeps a value under a key, and of all the last `most`. */
function keepLast<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
