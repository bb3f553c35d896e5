import { z } from "zod";
import { contentText, planLines, ToolUpdate, toolContent, toolTitle } from "./describe-update.ts";
import { type PermissionOutcome, type PermissionRequest, PermissionRequests } from "./permission-requests.ts";
import { bounded } from "./relay-reports.ts";
import type { TextStyle } from "./screen.ts";
import { keepLast, type SessionParts } from "./session-parts.ts";
import { agentErrorText, modelIn, readTurnEnd } from "./turn-end.ts";
import { cleanText } from "./wrap-text.ts";

/** Tools whose titles are known; beyond this number the oldest are forgotten. */
const MOST_TOOLS = 1000;
const MOST_QUEUED = 50;
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

/** One session with an agent: the prompts, one turn after the other, what the agent tells in them, and what it asks. */
export class AcpSession {
  readonly #parts: SessionParts;
  readonly #permissions: PermissionRequests;
  readonly #tools = new Map<string, string>();
  /** A tool call whose input has not come: it is told of as soon as that has, or anything else. */
  #unclear: ToolUpdate | undefined;
  readonly #queue: string[] = [];
  #isWorking = false;
  /** The prompt that the agent has not shown to have. */
  #sent: string | undefined;
  #written: { readonly type: "assistant" | "thinking"; text: string } | undefined;
  #isEnded = false;

  constructor(parts: SessionParts) {
    this.#parts = parts;
    this.#permissions = new PermissionRequests({
      ...parts,
      titleOf: (id) => this.#tools.get(id),
      changed: () => this.#showState(),
    });
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
    void this.#permissions.cancel();
    this.#parts.link.cancel();
  }

  /** The agent has ended: nothing that it asked can be answered any more. */
  end(): void {
    this.#isEnded = true;
    void this.#permissions.cancel();
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
      case "config_option_update":
        this.modelChanged(given);
        break;
      case "usage_update":
        this.#usage(given);
    }
  }

  /** Asks the user for permission. `signal` says that the agent has taken its request back. */
  async permission(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    if (this.#isEnded) return { outcome: "cancelled" };
    this.#acknowledged();
    const { data: tool } = ToolUpdate.safeParse(request.toolCall);
    if (tool !== undefined && this.#unclear?.toolCallId === tool.toolCallId)
      this.#unclear = merged(this.#unclear, tool);
    this.#flush();
    return this.#permissions.ask(request, signal);
  }

  /** Takes note of the model that a new session, or a change of its options, names. */
  modelChanged(given: unknown): void {
    const model = modelIn(given);
    if (model !== undefined) this.#parts.record.add({ type: "model", text: model });
  }

  async #turn(text: string): Promise<void> {
    const { view, link } = this.#parts;
    this.#isWorking = true;
    this.#sent = text;
    view.print(`» ${text.replaceAll("\n", "\n  ")}`, "bold");
    this.#showState();
    const failure = await link.prompt(text).then(
      (response) => this.#turnEnded(response),
      (error: unknown) => this.#turnFailed(error),
    );
    await this.#permissions.turnEnded();
    this.#isWorking = false;
    if (failure === undefined) this.#showState();
    else view.state("error", failure);
    const next = this.#queue.shift();
    view.queued(this.#queue.length);
    if (next !== undefined && !this.#isEnded) void this.#turn(next);
  }

  /** A turn that was cancelled or refused before anything was told of it does not prove that the agent has the prompt. */
  #turnEnded(response: unknown): undefined {
    const { view, record } = this.#parts;
    const { stop, calls } = readTurnEnd(response);
    if (stop === "cancelled" || stop === "refusal") this.#sent = undefined;
    else this.#acknowledged();
    this.#flush();
    if (stop !== "end_turn") view.print(`(${cleanText(stop).replaceAll("_", " ")})`, "faint");
    record.add({ type: "turn", text: stop, calls });
  }

  #turnFailed(error: unknown): string {
    this.#sent = undefined;
    this.#flush();
    const text = agentErrorText(error);
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
    if (this.#written?.type !== type || this.#unclear !== undefined) this.#flush();
    this.#written ??= { type, text: "" };
    if (this.#written.text.length < MOST_RECORDED) this.#written.text += text;
    this.#parts.view.stream(text, type === "thinking" ? "faint" : "plain");
  }

  /** Ends what the agent was writing, or has told of a tool only in part. */
  #flush(): void {
    this.#tellUnclear();
    this.#parts.view.endStream();
    const written = this.#written;
    this.#written = undefined;
    if (written !== undefined && written.text.trim() !== "") this.#parts.record.add(written);
  }

  #toolChanged(given: unknown): void {
    const { data: tool } = ToolUpdate.safeParse(given);
    if (tool === undefined) return;
    this.#acknowledged();
    const { toolCallId: id, status } = tool;
    const unclear = this.#unclear;
    if (unclear?.toolCallId === id) this.#unclear = merged(unclear, tool);
    else {
      this.#flush();
      if (!this.#tools.has(id)) this.#unclear = tool;
      else if (tool.title) keepLast(this.#tools, id, toolTitle(tool), MOST_TOOLS);
    }
    if (this.#unclear !== undefined && !isUnclear(this.#unclear)) this.#tellUnclear();
    this.#permissions.reacted(id, status ?? "");
    if (status === "completed" || status === "failed") this.#toolEnded(tool, status);
  }

  #tellUnclear(): void {
    const tool = this.#unclear;
    this.#unclear = undefined;
    if (tool !== undefined) this.#toolBegan(tool);
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
    this.#parts.view.state(this.#permissions.isOpen ? "blocked" : this.#isWorking ? "working" : "idle");
  }
}

/** Whether a tool call is announced before its input is written: Claude Code's adapter names it later. */
function isUnclear({ status, rawInput }: ToolUpdate): boolean {
  const hasInput = typeof rawInput !== "object" || rawInput === null || Object.keys(rawInput).length > 0;
  return status === "pending" && !hasInput;
}

/** Returns a tool call with an update of it, which has only what has changed. */
function merged(tool: ToolUpdate, update: ToolUpdate): ToolUpdate {
  return {
    toolCallId: tool.toolCallId,
    title: update.title ?? tool.title,
    kind: update.kind ?? tool.kind,
    status: update.status ?? tool.status,
    content: update.content ?? tool.content,
    rawInput: update.rawInput ?? tool.rawInput,
  };
}
