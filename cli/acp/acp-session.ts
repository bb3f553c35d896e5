import { z } from "zod";
import type { AcpReport } from "../../core/protocol/acp-agents.ts";
import type { AcpLine } from "../../main/system/acp-record.ts";
import { contentText, planLines, ToolUpdate, toolContent, toolTitle } from "./describe-update.ts";
import { bounded, type QuestionReports } from "./relay-reports.ts";
import type { TextStyle } from "./screen.ts";
import { cleanText } from "./wrap-text.ts";

/** What a session shows to its user, and asks at the terminal. */
export interface SessionView {
  print(text: string, style?: TextStyle): void;
  stream(text: string, style?: TextStyle): void;
  endStream(): void;
  /** Shows numbered options; resolves to the number of the chosen one, from 0 on; to undefined when `signal` takes it back. */
  choose(
    question: { readonly title: string; readonly labels: readonly string[] },
    signal: AbortSignal,
  ): Promise<number | undefined>;
  /** Says how many prompts wait for the end of the turn. */
  queued(prompts: number): void;
  state(state: "working" | "blocked" | "idle" | "error", message?: string): void;
}

/** The agent's end of the protocol, as far as a session needs it. */
export interface AgentLink {
  /** Sends a prompt; resolves at the end of its turn. */
  prompt(text: string): Promise<unknown>;
  cancel(): void;
}

interface SessionParts {
  readonly view: SessionView;
  readonly link: AgentLink;
  readonly reports: QuestionReports;
  readonly record: { add(line: Omit<AcpLine, "id" | "at">): void };
  /** Own id of the session, as in the record. */
  readonly sessionId: string;
  readonly cwd: string;
}

/** A request for permission that has no answer yet. */
interface OpenRequest {
  readonly call: string;
  readonly settle: (answer: Answer) => void;
}

type Answer = { readonly by: "terminal" | "relay"; readonly option: PermissionOption } | { readonly by: "cancel" };

interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

interface PermissionRequest {
  readonly toolCall: unknown;
  readonly options: readonly PermissionOption[];
}

/** The answer in the protocol's own words. */
export type PermissionOutcome =
  | { readonly outcome: "cancelled" }
  | { readonly outcome: "selected"; readonly optionId: string };

/** Answers that the agent has not reacted to yet, and tools that run: beyond these numbers the oldest are forgotten. */
const MOST_DECIDED = 100;
const MOST_TOOLS = 1000;
const MOST_ASKED = 20;
const MOST_QUEUED = 50;
const WITHDRAWN_MS = 300;
const MOST_RECORDED = 200_000;

const Update = z.object({ sessionUpdate: z.string(), content: z.unknown().optional() });
const Usage = z.object({
  used: z.number().min(0),
  size: z.number().positive().optional().catch(undefined),
  cost: z
    .object({ amount: z.number().min(0), currency: z.literal("USD") })
    .nullish()
    .catch(undefined),
});
const count = z.number().min(0).nullish().catch(0);
const Ended = z.object({
  stopReason: z.string(),
  usage: z
    .object({
      inputTokens: count,
      outputTokens: count,
      cachedReadTokens: count,
      cachedWriteTokens: count,
      thoughtTokens: count,
    })
    .nullish()
    .catch(undefined),
  _meta: z
    .object({
      quota: z
        .object({ token_count: z.object({ input_tokens: count, output_tokens: count }) })
        .optional()
        .catch(undefined),
    })
    .nullish()
    .catch(undefined),
});
type Ended = z.infer<typeof Ended>;

/**
 * One session with an agent: the prompts, one turn after the other, what the agent tells in them, and its requests for
 * permission, which the terminal and the relay may answer: the first answer counts.
 */
export class AcpSession {
  readonly #parts: SessionParts;
  readonly #open = new Set<OpenRequest>();
  /** Requests whose answers are on their way. */
  readonly #requests = new Set<Promise<PermissionOutcome>>();
  readonly #decided = new Map<string, { readonly call: string; readonly option: PermissionOption }>();
  readonly #tools = new Map<string, string>();
  readonly #queue: string[] = [];
  #calls = 0;
  #isWorking = false;
  /** The prompt that the agent has not shown to have. */
  #sent: string | undefined;
  #written: { readonly type: "assistant" | "thinking"; text: string } | undefined;
  #isEnded = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** Sends a prompt, at once or when the turn has ended. */
  prompt(text: string): void {
    if (this.#isEnded) return;
    if (!this.#isWorking) {
      void this.#turn(text);
      return;
    }
    if (this.#queue.length >= MOST_QUEUED) {
      this.#parts.view.print("Too many prompts wait: this one was not taken.", "bold");
      return;
    }
    this.#queue.push(text);
    this.#parts.view.queued(this.#queue.length);
  }

  /** Stops the turn. What the agent has asked in it is taken back, as the protocol demands. */
  cancel(): void {
    if (!this.#isWorking) return;
    for (const request of this.#open) request.settle({ by: "cancel" });
    this.#parts.link.cancel();
  }

  /** The agent has ended: nothing that it asked can be answered any more. */
  end(): void {
    this.#isEnded = true;
    for (const request of this.#open) request.settle({ by: "cancel" });
    this.#flush();
  }

  /** Takes what the agent tells. Kinds of updates that are not known are left out. */
  update(given: unknown): void {
    const { data: update } = Update.safeParse(given);
    if (update === undefined) return;
    switch (update.sessionUpdate) {
      case "agent_message_chunk":
        this.#write("assistant", contentText(update.content));
        break;
      case "agent_thought_chunk":
        this.#write("thinking", contentText(update.content));
        break;
      case "tool_call":
      case "tool_call_update":
        this.#toolChanged(given);
        break;
      case "plan":
        this.#acknowledged();
        this.#printLines(planLines(given));
        break;
      case "user_message_chunk":
        this.#acknowledged();
        break;
      case "usage_update":
        this.#usage(given);
    }
  }

  /**
   * Asks the user for permission, at the terminal and through the relay.
   * @param signal - the agent has taken its request back
   */
  async permission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    if (this.#open.size >= MOST_ASKED || signal.aborted || this.#isEnded) return { outcome: "cancelled" };
    const answered = this.#ask(request, signal);
    this.#requests.add(answered);
    return answered.finally(() => this.#requests.delete(answered));
  }

  async #ask({ toolCall, options }: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    this.#acknowledged();
    this.#flush();
    const call = String(++this.#calls);
    const over = new AbortController();
    const answer = await new Promise<Answer>((settle) => {
      const request: OpenRequest = { call, settle };
      this.#open.add(request);
      over.signal.addEventListener("abort", () => this.#open.delete(request), { once: true });
      signal.addEventListener("abort", () => settle({ by: "cancel" }), { once: true });
      this.#showState();
      this.#askEverywhere({ toolCall, options }, call, { settle, over: over.signal });
    });
    over.abort();
    const outcome = this.#answered(answer, call, toolCall);
    if (answer.by === "cancel") await this.#withdraw(call);
    this.#showState();
    return outcome;
  }

  /** The relay hears that a question is withdrawn before it sees that the agent waits no more, which would answer it. */
  async #withdraw(call: string): Promise<void> {
    const { reports, sessionId: session } = this.#parts;
    const told = reports.tell({ type: "withdrawn", session, call });
    await Promise.race([told, new Promise((resolve) => setTimeout(resolve, WITHDRAWN_MS))]);
  }

  #askEverywhere(
    { toolCall, options }: PermissionRequest,
    call: string,
    { settle, over }: { readonly settle: (answer: Answer) => void; readonly over: AbortSignal },
  ): void {
    const { view, reports, cwd } = this.#parts;
    const known = ToolUpdate.safeParse(toolCall).data;
    const title = toolTitle({ title: known?.title ?? this.#tools.get(known?.toolCallId ?? ""), kind: known?.kind });
    this.#printLines(toolContent(known?.content));
    const labels = options.map(({ name }) => cleanText(name).replace(/\s+/g, " "));
    const choose = (by: "terminal" | "relay", option: PermissionOption | undefined) => {
      if (option !== undefined) settle({ by, option });
    };
    void view.choose({ title, labels }, over).then((place) => choose("terminal", options[place ?? -1]));
    const described = { title, ...(typeof toolCall === "object" ? toolCall : {}) };
    void reports
      .ask({ call, cwd, toolCall: bounded(described), options: bounded(options) })
      .then((id) =>
        choose(
          "relay",
          options.find(({ optionId }) => optionId === id),
        ),
      )
      .catch(() => undefined);
  }

  #answered(answer: Answer, call: string, toolCall: unknown): PermissionOutcome {
    const { reports, view, sessionId: session } = this.#parts;
    if (answer.by === "cancel") {
      view.print("  cancelled", "faint");
      return { outcome: "cancelled" };
    }
    const { option, by } = answer;
    view.print(`  ${cleanText(option.name)}${by === "relay" ? " (answered in Patchbay)" : ""}`, "faint");
    if (by === "terminal") void reports.tell({ type: "settled", session, call });
    const id = ToolUpdate.safeParse(toolCall).data?.toolCallId;
    if (id !== undefined) keepLast(this.#decided, id, { call, option }, MOST_DECIDED);
    return { outcome: "selected", optionId: option.optionId };
  }

  async #turn(text: string): Promise<void> {
    const { view, link, reports, sessionId } = this.#parts;
    this.#isWorking = true;
    this.#sent = text;
    view.print(`» ${text.replaceAll("\n", "\n  ")}`, "bold");
    this.#showState();
    const failure = await link.prompt(text).then(
      (response) => this.#turnEnded(Ended.safeParse(response).data),
      (error: unknown) => this.#turnFailed(error),
    );
    for (const request of this.#open) request.settle({ by: "cancel" });
    await Promise.allSettled(this.#requests);
    this.#decided.clear();
    void reports.tell({ type: "turn", session: sessionId });
    this.#isWorking = false;
    if (failure === undefined) this.#showState();
    else view.state("error", failure);
    const next = this.#queue.shift();
    view.queued(this.#queue.length);
    if (next !== undefined && !this.#isEnded) void this.#turn(next);
  }

  /** A turn that was cancelled or refused before anything was told of it does not prove that the agent has the prompt. */
  #turnEnded(ended: Ended | undefined): string | undefined {
    const { view, record } = this.#parts;
    const stop = ended?.stopReason ?? "end_turn";
    if (stop === "cancelled" || stop === "refusal") this.#sent = undefined;
    else this.#acknowledged();
    this.#flush();
    if (stop !== "end_turn") view.print(`(${cleanText(stop.slice(0, 100)).replaceAll("_", " ")})`, "faint");
    const tokens = tokensOf(ended);
    record.add({ type: "turn", text: stop.slice(0, 100), ...(tokens !== undefined && { tokens }) });
    return undefined;
  }

  #turnFailed(error: unknown): string {
    this.#sent = undefined;
    this.#flush();
    const text = errorText(error);
    this.#parts.view.print(`The agent reports an error: ${text}`, "bold");
    this.#parts.record.add({ type: "error", text });
    return text;
  }

  /** The agent's first word of a turn proves that it has the prompt. */
  #acknowledged(): void {
    if (this.#sent === undefined) return;
    this.#parts.record.add({ type: "user", text: this.#sent });
    this.#sent = undefined;
  }

  #write(type: "assistant" | "thinking", text: string): void {
    this.#acknowledged();
    if (this.#written?.type !== type) this.#flush();
    this.#written ??= { type, text: "" };
    if (this.#written.text.length < MOST_RECORDED) this.#written.text += text;
    this.#parts.view.stream(text, type === "thinking" ? "faint" : "plain");
  }

  /** Ends what the agent was writing. */
  #flush(): void {
    this.#parts.view.endStream();
    const written = this.#written;
    this.#written = undefined;
    if (written !== undefined && written.text.trim() !== "") this.#parts.record.add(written);
  }

  #toolChanged(given: unknown): void {
    const { data: tool } = ToolUpdate.safeParse(given);
    if (tool === undefined) return;
    this.#acknowledged();
    this.#flush();
    const { toolCallId: id, status } = tool;
    if (!this.#tools.has(id)) this.#toolBegan(tool);
    else if (tool.title) keepLast(this.#tools, id, toolTitle(tool), MOST_TOOLS);
    this.#reacted(id, status ?? "");
    if (status === "completed" || status === "failed") this.#toolEnded(tool, status);
  }

  #toolBegan(tool: ToolUpdate): void {
    const { view, record } = this.#parts;
    const title = toolTitle(tool);
    keepLast(this.#tools, tool.toolCallId, title, MOST_TOOLS);
    view.print(`● ${title}`);
    if (tool.status !== "completed" && tool.status !== "failed") this.#printLines(toolContent(tool.content));
    record.add({
      type: "tool",
      text: title,
      call: tool.toolCallId.slice(0, 200),
      input: bounded(tool.rawInput ?? null),
    });
  }

  #toolEnded({ toolCallId: id, content }: ToolUpdate, status: "completed" | "failed"): void {
    const { view, record } = this.#parts;
    const lines = toolContent(content);
    view.print(`  ${status === "failed" ? "✗ failed" : "✓ done"}: ${this.#tools.get(id) ?? ""}`, "faint");
    this.#printLines(lines, "faint");
    const text = lines.map((line) => line.slice(2)).join("\n");
    record.add({ type: "result", text, call: id.slice(0, 200), failed: status === "failed" });
  }

  /** What a tool does after an answer shows whether the agent took it. */
  #reacted(id: string, status: string): void {
    const decided = this.#decided.get(id);
    if (decided === undefined) return;
    const { call, option } = decided;
    const allows = option.kind.startsWith("allow");
    if (status !== "completed" && status !== "failed" && !(allows && status === "in_progress")) return;
    this.#decided.delete(id);
    const { reports, sessionId: session } = this.#parts;
    const report: AcpReport =
      !allows && status === "completed"
        ? { type: "ran", session, call }
        : { type: "settled", session, call, decision: option.optionId };
    void reports.tell(report);
  }

  #usage(given: unknown): void {
    const { data: usage } = Usage.safeParse(given);
    if (usage === undefined) return;
    const { used, size, cost } = usage;
    const amount = cost?.amount;
    this.#parts.record.add({
      type: "usage",
      text: "",
      used,
      ...(size !== undefined && { size }),
      ...(amount !== undefined && { cost: amount }),
    });
  }

  #printLines(lines: readonly string[], style?: TextStyle): void {
    if (lines.length > 0) this.#parts.view.print(lines.join("\n"), style);
  }

  #showState(): void {
    this.#parts.view.state(this.#open.size > 0 ? "blocked" : this.#isWorking ? "working" : "idle");
  }
}

function tokensOf(ended: Ended | undefined): AcpLine["tokens"] {
  const usage = ended?.usage;
  if (usage != null) {
    return {
      input: usage.inputTokens ?? 0,
      cached: usage.cachedReadTokens ?? 0,
      cacheWrite: usage.cachedWriteTokens ?? 0,
      output: (usage.outputTokens ?? 0) + (usage.thoughtTokens ?? 0),
    };
  }
  const quota = ended?._meta?.quota?.token_count;
  if (quota === undefined) return undefined;
  return { input: quota.input_tokens ?? 0, cached: 0, cacheWrite: 0, output: quota.output_tokens ?? 0 };
}

/** Returns an error of the agent as one line. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : "unknown";
  const data = z.object({ data: z.object({ details: z.string() }) }).safeParse(error).data?.data.details;
  return cleanText(`${message}${data === undefined ? "" : `: ${data}`}`.slice(0, 2000)).replace(/\s*\n\s*/g, " ");
}

function keepLast<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
