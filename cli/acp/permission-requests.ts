import type { AcpReport } from "../../core/protocol/acp-agents.ts";
import { ToolUpdate, toolContent, toolTitle } from "./describe-update.ts";
import { keepLast, type SessionParts } from "./session-parts.ts";
import { cleanText } from "./wrap-text.ts";

export interface PermissionRequest {
  readonly toolCall: unknown;
  readonly options: readonly PermissionOption[];
}

interface PermissionOption {
  readonly optionId: string;
  readonly name: string;
  readonly kind: string;
}

/** The answer in the protocol's own words. */
export type PermissionOutcome =
  | { readonly outcome: "cancelled" }
  | { readonly outcome: "selected"; readonly optionId: string };

type Answer = { readonly by: "terminal" | "relay"; readonly option: PermissionOption } | { readonly by: "cancel" };

interface PermissionParts extends Pick<SessionParts, "view" | "reports" | "sessionId" | "cwd"> {
  /** What the agent has called a tool before. */
  readonly titleOf: (toolCallId: string) => string | undefined;
  /** Called when a request was opened or answered. */
  readonly changed: () => void;
}

const MOST_OPEN = 20;
/** Answers that the agent has not reacted to yet; beyond this number the oldest are forgotten. */
const MOST_DECIDED = 100;
const WITHDRAWN_MS = 300;

/**
 * The agent's requests for permission. The terminal and the relay may answer, and the first answer is passed on. What the
 * tool does next is reported as the proof of it.
 */
export class PermissionRequests {
  readonly #parts: PermissionParts;
  readonly #open = new Set<(answer: Answer) => void>();
  /** Requests whose answers are on their way. */
  readonly #requests = new Set<Promise<PermissionOutcome>>();
  readonly #decided = new Map<string, { readonly call: string; readonly option: PermissionOption }>();
  #calls = 0;

  constructor(parts: PermissionParts) {
    this.#parts = parts;
  }

  get isOpen(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Asks the user for permission.
   * @param signal - the agent has taken its request back
   */
  async ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    if (this.#open.size >= MOST_OPEN || signal.aborted) return { outcome: "cancelled" };
    const answered = this.#ask(request, signal);
    this.#requests.add(answered);
    return answered.finally(() => this.#requests.delete(answered));
  }

  /** Takes back what the agent has asked. Resolves when that was told. */
  async cancel(): Promise<void> {
    for (const settle of this.#open) settle({ by: "cancel" });
    await Promise.allSettled(this.#requests);
  }

  /** A tool has changed its state, which shows whether the agent took the answer. */
  reacted(toolCallId: string, status: string): void {
    const decided = this.#decided.get(toolCallId);
    if (decided === undefined) return;
    const { call, option } = decided;
    const allows = option.kind.startsWith("allow");
    if (status !== "completed" && status !== "failed" && !(allows && status === "in_progress")) return;
    this.#decided.delete(toolCallId);
    const { reports, sessionId: session } = this.#parts;
    const report: AcpReport =
      !allows && status === "completed"
        ? { type: "ran", session, call }
        : { type: "settled", session, call, decision: option.optionId };
    void reports.tell(report);
  }

  /** The turn has ended: its answers are proved by that, and its tools do nothing more. */
  async turnEnded(): Promise<void> {
    await this.cancel();
    this.#decided.clear();
    void this.#parts.reports.tell({ type: "turn", session: this.#parts.sessionId });
  }

  async #ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionOutcome> {
    const { changed, titleOf, view } = this.#parts;
    this.#calls += 1;
    const call = String(this.#calls);
    const tool = ToolUpdate.safeParse(request.toolCall).data;
    const named = tool?.title ?? titleOf(tool?.toolCallId ?? "");
    const title = toolTitle({ title: named, kind: tool?.kind });
    const over = new AbortController();
    const answer = await new Promise<Answer>((settle) => {
      this.#open.add(settle);
      over.signal.addEventListener("abort", () => this.#open.delete(settle), { once: true });
      signal.addEventListener("abort", () => settle({ by: "cancel" }), { once: true });
      changed();
      this.#askEverywhere(request, { call, title, whole: named || title, over: over.signal }, settle);
    });
    over.abort();
    view.print(`? ${title}: ${describeAnswer(answer)}`, "faint");
    const outcome = this.#passOn(answer, call, tool?.toolCallId);
    if (answer.by === "cancel") await this.#withdraw(call);
    changed();
    return outcome;
  }

  #askEverywhere(
    { toolCall, options }: PermissionRequest,
    {
      call,
      title,
      whole,
      over,
    }: { readonly call: string; readonly title: string; readonly whole: string; readonly over: AbortSignal },
    settle: (answer: Answer) => void,
  ): void {
    const { view, reports, cwd } = this.#parts;
    const lines = toolContent(ToolUpdate.safeParse(toolCall).data?.content);
    if (lines.length > 0) view.print(lines.join("\n"));
    const labels = options.map(({ name }) => cleanText(name).replace(/\s+/g, " "));
    const choose = (by: "terminal" | "relay", option: PermissionOption | undefined) => {
      if (option !== undefined) settle({ by, option });
    };
    void view.choose({ title, labels }, over).then((place) => choose("terminal", options[place ?? -1]));
    const described = { ...(typeof toolCall === "object" ? toolCall : {}), title: whole };
    void reports
      .ask({ call, cwd, toolCall: described, options })
      .then((id) =>
        choose(
          "relay",
          options.find(({ optionId }) => optionId === id),
        ),
      )
      .catch(() => undefined);
  }

  #passOn(answer: Answer, call: string, toolCallId: string | undefined): PermissionOutcome {
    if (answer.by === "cancel") return { outcome: "cancelled" };
    const { reports, sessionId: session } = this.#parts;
    const { option } = answer;
    if (answer.by === "terminal") void reports.tell({ type: "settled", session, call });
    if (toolCallId !== undefined) keepLast(this.#decided, toolCallId, { call, option }, MOST_DECIDED);
    return { outcome: "selected", optionId: option.optionId };
  }

  /** The relay hears that a question is withdrawn before it sees that the agent waits no more, which would answer it. */
  async #withdraw(call: string): Promise<void> {
    const { reports, sessionId: session } = this.#parts;
    const told = reports.tell({ type: "withdrawn", session, call });
    await Promise.race([told, new Promise((resolve) => setTimeout(resolve, WITHDRAWN_MS))]);
  }
}

function describeAnswer(answer: Answer): string {
  if (answer.by === "cancel") return "cancelled";
  return `${cleanText(answer.option.name)}${answer.by === "relay" ? " (answered in Patchbay)" : ""}`;
}
