import { z } from "zod";
import type { ToldUsage } from "../../core/protocol/agent-records.ts";
import { shownLine } from "../../core/protocol/shown-line.ts";
import { type ShellRef, shellKey } from "./agents-options.ts";
import type { PricedCall } from "./ledger.ts";
import type { AgentSessionKey } from "./usage-store.ts";

/** An event that an agent tells by OTLP. */
export interface ToldEvent extends AgentSessionKey {
  /** In ms. */
  readonly at: number;
  /** What it is evidence of; undefined for an event that says nothing of the agent's state. */
  readonly state?: { readonly status: "working" | "error"; readonly detail: string } | undefined;
  /** A call that the agent counts. */
  readonly call?: Pick<PricedCall, "input" | "output" | "cached"> & { readonly cost?: number | undefined };
}

/** Tokens or dollars of a call: far more than any has. */
const MOST_COUNTED = 1e9;
/** Exporters try for minutes. */
const OLDEST_MS = 24 * 3600 * 1000;
const LONGEST_DETAIL = 200;

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()).optional() });
const LogRecord = z.object({ attributes: z.array(Attribute).default([]) });
const ScopeLogs = z.object({ logRecords: z.array(LogRecord).default([]) });
const ResourceLogs = z.object({ scopeLogs: z.array(ScopeLogs).default([]) });

/**
 * Reads the events of Claude Code (seen with 2.1.330) and Codex (0.169) in what an exporter of OTLP logs sends. Other programs'
 * logs, and events of these that say nothing of state and use, are left out.
 */
export function readToldEvents(resourceLogs: readonly unknown[]): ToldEvent[] {
  return resourceLogs.flatMap((one) => {
    const { scopeLogs = [] } = ResourceLogs.safeParse(one).data ?? {};
    return scopeLogs.flatMap(({ logRecords }) => logRecords.flatMap((record) => eventOf(record) ?? []));
  });
}

function eventOf({ attributes }: z.infer<typeof LogRecord>): ToldEvent | undefined {
  const values = new Map(attributes.map(({ key, value = {} }) => [key, simple(Object.values(value)[0])]));
  const text = (name: string) => String(values.get(name) ?? "");
  // Counts come as numbers, as decimals in a text, or not at all.
  const count = (name: string) => {
    const told = Number(values.get(name));
    return told > 0 && told <= MOST_COUNTED ? told : 0;
  };
  const at = timeOf(text("event.timestamp"));
  const name = text("event.name").replace(/^claude_code\./, "");
  const isCodex = name.startsWith("codex.");
  const sessionId = text(isCodex ? "conversation.id" : "session.id").slice(0, 200);
  if (sessionId === "") return undefined;
  const common = { agentType: isCodex ? "codex" : "claude", sessionId, at };
  const working = (detail: string) => ({ status: "working", detail }) as const;
  switch (name) {
    case "user_prompt":
    case "codex.user_prompt":
      return { ...common, state: working("a prompt was sent") };
    case "api_request": {
      const input = count("input_tokens") + count("cache_creation_tokens");
      const [output, cached, cost] = [count("output_tokens"), count("cache_read_tokens"), count("cost_usd")];
      return { ...common, state: working("the model was called"), call: { input, output, cached, cost } };
    }
    case "api_error":
    case "codex.api_error":
      return {
        ...common,
        state: { status: "error", detail: shownLine(text("error"), LONGEST_DETAIL) || "the model's call failed" },
      };
    case "codex.sse_event": {
      // Told twice of each answer, once with its tokens.
      if (text("event.kind") !== "response.completed" || !values.has("input_token_count")) return undefined;
      const cached = count("cached_token_count");
      const call = {
        input: Math.max(0, count("input_token_count") - cached),
        output: count("output_token_count"),
        cached,
      };
      return { ...common, state: working("the model was called"), call };
    }
    default:
      return undefined;
  }
}

/** Returns a value that can be compared; undefined for a list or an object, which none of the events read here has. */
function simple(value: unknown): string | number | boolean | undefined {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

/** Returns a time in ms; now for one that is none, or cannot be: any program may tell anything. */
function timeOf(text: string): number {
  const [told, now] = [Date.parse(text), Date.now()];
  return told > now - OLDEST_MS && told < now ? told : now;
}

/** Conversations of a shell, and shells, whose sums are kept: those told of last. */
const MOST_IN_SHELL = 50;
const MOST_SHELLS = 200;

/**
 * The sums of calls that agents count themselves and tell by OTLP, since the relay's start. They are a witness of the sums
 * that are read from transcripts, and no part of any sum.
 */
export class ToldUsages {
  /** By shell, so that a program that tells of many conversations displaces those of no other. */
  readonly #told = new Map<string, Map<string, ToldUsage>>();

  add(shell: ShellRef, { call, at, ...key }: ToldEvent): void {
    if (call === undefined) return;
    const here = this.#told.get(shellKey(shell)) ?? new Map<string, ToldUsage>();
    const known = here.get(keyOf(key));
    putLast(here, keyOf(key), MOST_IN_SHELL, {
      since: known?.since ?? new Date(at).toISOString(),
      calls: (known?.calls ?? 0) + 1,
      input: (known?.input ?? 0) + call.input,
      output: (known?.output ?? 0) + call.output,
      cached: (known?.cached ?? 0) + call.cached,
      ...(call.cost !== undefined && { cost: (known?.cost ?? 0) + call.cost }),
    });
    putLast(this.#told, shellKey(shell), MOST_SHELLS, here);
  }

  /** Returns what an agent session has told in a shell. A shell's word counts for what ran there only. */
  of(shell: ShellRef, key: AgentSessionKey): ToldUsage | undefined {
    return this.#told.get(shellKey(shell))?.get(keyOf(key));
  }
}

/** Keeps a value as the latest, and as many as may be. */
function putLast<T>(map: Map<string, T>, key: string, most: number, value: T): void {
  map.delete(key);
  map.set(key, value);
  const [oldest = key] = map.keys();
  if (map.size > most) map.delete(oldest);
}

function keyOf({ agentType, sessionId }: AgentSessionKey): string {
  return `${agentType}/${sessionId}`;
}
