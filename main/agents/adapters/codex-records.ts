import type { z } from "zod";
import type { AgentContext } from "../../../core/protocol/quotas.ts";
import type { EventDetails, ParsePurpose, TranscriptEvent, TranscriptParser, TranscriptSink } from "./adapter.ts";
import { contextOf, itemEvents, jsonOr, resultOf } from "./codex-items.ts";
import {
  ApiError,
  Compacted,
  Line,
  Message,
  Meta,
  type RateLimits,
  Settings,
  TokenCount,
  type TokenInfo,
  ToolCall,
  TurnContext,
  type Usage,
  UsageRecord,
} from "./codex-schema.ts";
import { agentEvent, linkedImage, TranscriptClock, tell, toolInput } from "./event-parts.ts";

/**
 * Codex's records, new ("paginated") and old. New files have one `token_usage_record` per API call; in old ones a call
 * is a `token_count` whose running total has changed. Running totals of forks start at their parent's, so only the
 * part of a call is ever summed.
 */
export class CodexParser implements TranscriptParser {
  readonly #purpose: ParsePurpose;
  #thread: Thread;
  #met = false;

  constructor(session: string, purpose: ParsePurpose) {
    this.#purpose = purpose;
    this.#thread = newThread(session);
  }

  matters(bytes: Buffer, start: number, end: number): "no" | "yes" {
    // The type stands in the first 100 bytes, after the timestamp and the ordinal.
    const head = bytes.toString("latin1", start, Math.min(end, start + 130));
    if (this.#purpose === "events") return head.includes('"type":"world_state"') ? "no" : "yes";
    return UNCOUNTED.test(head) ? "no" : "yes";
  }

  record(value: unknown, subagent: boolean, sink: TranscriptSink): void {
    const parsed = Line.safeParse(value);
    if (!parsed.success) {
      sink.skip("not a record of this agent");
      return;
    }
    const { type, payload, timestamp, ordinal } = parsed.data;
    if (type === "session_meta") {
      this.#meta(payload, timestamp, subagent ? undefined : sink);
      return;
    }
    const thread = this.#thread;
    const at = thread.clock.at(timestamp);
    const id = `${thread.id}:${ordinal ?? thread.records}`;
    thread.records += 1;
    if (type === "turn_context") {
      const context = TurnContext.safeParse(payload).data;
      if (context !== undefined && !subagent) learnFacts(context, sink);
      const model = context?.model;
      if (model === undefined) return;
      thread.model = model;
      if (!subagent) sink.model(model);
    } else if (type === "token_usage_record") this.#usageRecord(thread, payload, at, subagent, sink);
    else if (type === "compacted") {
      if (isNewCompaction(thread, "records"))
        sink.event(agentEvent(id, "compacted", at, "Conversation compacted", side(subagent)));
      const summary = Compacted.safeParse(payload).data?.message ?? "";
      if (summary !== "") sink.note?.(agentEvent(`${id}:s`, "note", at, summary, side(subagent), { kind: "summary" }));
    } else if (type === "event_msg") this.#message(thread, payload, { id, at, subagent, sink });
    else if (type === "response_item") responseItem(thread, payload, { id, at, subagent, sink });
  }

  /** Old forks copy their parent's lines, its session_meta included: the first one is the file's own. */
  #meta(payload: unknown, timestamp: unknown, sink: TranscriptSink | undefined): void {
    const meta = Meta.safeParse(payload).data;
    if (meta === undefined || this.#met) return;
    this.#met = true;
    if (meta.git?.branch !== undefined) sink?.facts({ branch: meta.git.branch });
    this.#thread = newThread(meta.id);
    this.#thread.paginated = meta.history_mode === "paginated";
    const copies = meta.forked_from_id != null || (typeof meta.source === "object" && meta.source !== null);
    const born = Date.parse(this.#thread.clock.at(timestamp));
    // The copies are all written in the second of the fork.
    if (copies && !this.#thread.paginated) this.#thread.copiedUntil = Math.floor(born / 1000) * 1000 + 999;
  }

  #usageRecord(thread: Thread, payload: unknown, at: string, subagent: boolean, sink: TranscriptSink): void {
    const record = UsageRecord.safeParse(payload).data;
    if (record === undefined) {
      sink.skip("usage record without usage");
      return;
    }
    thread.recorded = true;
    this.#call(thread, record.response_id, record.usage, at, subagent, sink);
  }

  #tokenCount(thread: Thread, payload: unknown, at: string, subagent: boolean, sink: TranscriptSink): void {
    const { info, rate_limits: limits } = TokenCount.safeParse(payload).data ?? {};
    const isCopied = thread.copiedUntil !== undefined && Date.parse(at) <= thread.copiedUntil;
    if (limits != null && !isCopied) reportWindows(limits, at, sink);
    if (info == null) return;
    if (!subagent) sink.context(contextIn(info));
    const total = JSON.stringify(info.total_token_usage);
    const repeated = total === thread.total;
    thread.total = total;
    if (thread.paginated || thread.recorded) {
      thread.recorded = false; // the echo of the usage record before it
      return;
    }
    if (repeated) {
      sink.skip("token count repeated without a new call");
      return;
    }
    if (isCopied) {
      sink.skip("copied from the session that this one was forked from");
      return;
    }
    this.#call(thread, `${thread.id}#${total}`, info.last_token_usage, at, subagent, sink);
  }

  #call(thread: Thread, id: string, usage: Usage, at: string, subagent: boolean, sink: TranscriptSink): void {
    if (usage.input_tokens + usage.output_tokens === 0) {
      sink.skip("no tokens");
      return;
    }
    const cached = Math.min(usage.cached_input_tokens ?? 0, usage.input_tokens);
    const cacheWrite = Math.min(usage.cache_write_input_tokens ?? 0, usage.input_tokens - cached);
    const input = usage.input_tokens - cached - cacheWrite;
    const tokens = { input, cacheWrite, cacheWrite1h: 0, cached, output: usage.output_tokens };
    sink.call({ id, answer: answerOf(thread), model: thread.model, at, subagent, tokens, factor: factorOf(thread) });
    // The usage comes after the items of its answer.
    thread.answers += 1;
  }

  #message(thread: Thread, payload: unknown, place: Place): void {
    const message = Message.safeParse(payload).data;
    if (message === undefined) return;
    const { id, at, subagent, sink } = place;
    const emit = (type: TranscriptEvent["type"], text: string, details: EventDetails = {}) =>
      sink.event(agentEvent(id, type, at, text, side(subagent), details));
    const answer = { answer: answerOf(thread), model: thread.model };
    const status = (is: "working" | "idle" | "error", why: string) => {
      if (!subagent) sink.status(is, at, why);
    };
    switch (message.type) {
      case "token_count":
        this.#tokenCount(thread, payload, at, subagent, sink);
        return;
      case "thread_settings_applied":
        thread.tier = Settings.safeParse(payload).data?.thread_settings.service_tier;
        return;
      case "task_started":
        status("working", "turn started");
        return;
      case "task_complete":
        if (message.error == null) status("idle", "turn ended");
        else {
          emit("error", message.error.message, wordsOf(message.error.message));
          status("error", reasonIn(message.error.message));
        }
        return;
      case "turn_aborted":
        emit("interrupted", `Turn aborted (${message.reason ?? "no reason given"})`);
        status("idle", "turn aborted");
        return;
      case "item_completed":
        this.#item(thread, message.item, place);
        return;
      case "user_message": {
        const images = [...(message.images ?? []), ...(message.local_images ?? [])].map(linkedImage);
        const prompt = subagent ? "subagent_prompt" : "user_message";
        emit(prompt, message.message ?? "", { ...(images.length > 0 && { images }) });
        status("working", "prompt sent");
        return;
      }
      case "agent_message":
        emit("assistant_message", message.message ?? "", answer);
        status("idle", "answer ended");
        return;
      case "agent_reasoning":
        emit("thinking", message.text ?? "", answer);
        status("working", "thinking");
        return;
      case "error":
        emit("error", message.message ?? "", wordsOf(message.message ?? ""));
        status("error", reasonIn(message.message ?? ""));
        return;
    }
  }

  #item(thread: Thread, value: unknown, { id, at, subagent, sink }: Place): void {
    if (this.#purpose !== "events") return;
    const answer = { answer: answerOf(thread), model: thread.model };
    itemEvents(value, (call) => thread.calls.has(call)).forEach(({ type, text, data, details }, index) => {
      if (type === "compacted" && !isNewCompaction(thread, "items")) return;
      const is = type === "user_message" && subagent ? "subagent_prompt" : type;
      const own = OF_ANSWERS.has(is) ? { ...answer, ...details } : details;
      tell(sink, agentEvent(index === 0 ? id : `${id}:${index}`, is, at, text, { ...data, ...side(subagent) }, own));
    });
  }
}

/** Events that are parts of an API answer. */
const OF_ANSWERS: ReadonlySet<string> = new Set(["assistant_message", "thinking", "tool_call"]);
/** The last tool calls, whose items say nothing that their own records do not. */
const KEPT_CALLS = 1000;

interface Thread {
  readonly id: string;
  readonly clock: TranscriptClock;
  model: string;
  /** What the calls from now on ask for: `priority` is Codex's fast mode. */
  tier: string | undefined;
  records: number;
  /** API calls so far: names the answer that is being written. */
  answers: number;
  readonly calls: Set<string>;
  /** Compactions so far by each kind of record: new versions write both for one compaction, in either order. */
  readonly compactions: { records: number; items: number };
  total: string;
  paginated: boolean;
  /** A usage record has come whose token_count has not. */
  recorded: boolean;
  copiedUntil: number | undefined;
}

function newThread(id: string): Thread {
  const clock = new TranscriptClock();
  return {
    id,
    clock,
    model: "unknown",
    tier: undefined,
    records: 0,
    answers: 0,
    calls: new Set(),
    compactions: { records: 0, items: 0 },
    total: "",
    paginated: false,
    recorded: false,
    copiedUntil: undefined,
  };
}

interface Place {
  readonly id: string;
  readonly at: string;
  readonly subagent: boolean;
  readonly sink: TranscriptSink;
}

/** Counts a compaction; tells whether no record of the other kind has told it before. */
function isNewCompaction({ compactions }: Thread, kind: "records" | "items"): boolean {
  const told = Math.max(compactions.records, compactions.items);
  compactions[kind] += 1;
  return compactions[kind] > told;
}

function answerOf({ id, answers }: Thread): string {
  return `${id}/${answers}`;
}

/** Codex's fast mode costs two and a half times as much with GPT-5.5, else twice as much; the slow one half of it. */
function factorOf({ model, tier }: Pick<Thread, "model" | "tier">): number {
  if (tier === "priority") return model.startsWith("gpt-5.5") ? 2.5 : 2;
  return tier === "flex" ? 0.5 : 1;
}

function learnFacts(
  { effort, approval_policy, sandbox_policy }: z.infer<typeof TurnContext>,
  sink: TranscriptSink,
): void {
  const mode = [approval_policy, sandbox_policy?.type].filter((part) => part !== undefined).join(", ");
  sink.facts({ ...(effort !== undefined && { effort }), ...(mode !== "" && { mode }) });
}

function responseItem(thread: Thread, payload: unknown, { id, at, subagent, sink }: Place): void {
  const call = ToolCall.safeParse(payload).data;
  if (call === undefined) {
    const context = contextOf(payload);
    if (context !== undefined) sink.note?.(agentEvent(id, "note", at, context, side(subagent)));
    return;
  }
  if (!subagent) sink.status("working", at, "a tool runs or is asked for");
  if (call.type.endsWith("_output")) {
    const { text, isError, refused, ...details } = resultOf(call.output);
    const data = { id: call.call_id, isError, ...(refused !== undefined && { refused }), ...side(subagent) };
    sink.event(agentEvent(id, "tool_result", at, text, data, details));
  } else {
    const name = call.name ?? call.type;
    const input = toolInput(jsonOr(call.arguments ?? call.input ?? call.action));
    const data = { id: call.call_id, name, input, ...side(subagent) };
    thread.calls.add(call.call_id);
    const [oldest] = thread.calls;
    if (thread.calls.size > KEPT_CALLS && oldest !== undefined) thread.calls.delete(oldest);
    sink.event(agentEvent(id, "tool_call", at, name, data, { answer: answerOf(thread), model: thread.model }));
  }
}

function contextIn({ last_token_usage: last, model_context_window: size }: TokenInfo): AgentContext {
  const used = last.total_tokens ?? last.input_tokens + last.output_tokens;
  return { used, ...(size != null && size > 0 && { size }) };
}

/** Some versions tell the time of the reset as a number of seconds from the record on. */
function reportWindows(limits: RateLimits, at: string, sink: TranscriptSink): void {
  const { limit_id: id, limit_name: name } = limits;
  const limit = id == null || id === "codex" ? undefined : (name ?? id);
  const windows = [limits.primary, limits.secondary].flatMap((window) => {
    if (window?.window_minutes == null) return [];
    const { used_percent: usedPercent, window_minutes: minutes, resets_at: until, resets_in_seconds: rest } = window;
    const resetsAt = until != null ? until * 1000 : rest != null ? Date.parse(at) + rest * 1000 : undefined;
    return [{ minutes, usedPercent, resetsAt, ...(limit !== undefined && { limit }) }];
  });
  // Of a single model's limit that is missing nothing follows for the others.
  if (windows.length > 0 || limit === undefined) sink.windows(windows, at);
}

function wordsOf(text: string): EventDetails {
  return { words: reasonIn(text) };
}

/** The message in an API's error response, or the text unchanged. */
function reasonIn(text: string): string {
  return ApiError.safeParse(jsonOr(text)).data?.error.message ?? text;
}

function side(subagent: boolean): { subagent?: true } {
  return subagent ? { subagent: true } : {};
}

/** Lines that say nothing about usage, model or status; they hold the texts, so they are most of the bytes. */
const UNCOUNTED =
  /"type":"(?:world_state"|response_item","payload":\{"type":"(?:message|reasoning)"|event_msg","payload":\{"type":"item_completed")/;
