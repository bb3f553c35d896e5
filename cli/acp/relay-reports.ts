import { randomBytes } from "node:crypto";
import { z } from "zod";
import { RelayUnreachable } from "../../client/errors.ts";
import { readText, send } from "../../client/http.ts";
import { type AcpAgentType, type AcpReport, acpLimits, acpWhole } from "../../core/protocol/acp-agents.ts";
import type { JsonValue } from "../../core/protocol/json-value.ts";

/** A request for permission, as the agent made it. */
interface Permission {
  readonly call: string;
  readonly cwd: string;
  readonly toolCall: unknown;
  readonly options: unknown;
}

/** Tells the relay what the agent asks, and what has become of it. */
export interface QuestionReports {
  /** Resolves to the id of the option that was chosen through the relay; to undefined where none was. */
  ask(permission: Permission): Promise<string | undefined>;
  /** Resolves when the relay was told. */
  tell(report: AcpReport): Promise<void>;
}

const AGAIN_MS = 1000;
const REPEAT_MS = 500;
const TELL_MS = 5000;
/** A relay that is started again within a minute continues the question. */
const TRIES = 60;

const Output = z.object({ option: z.string().optional() });

/** Reports with the token of the shell that this program runs in. Outside of Patchbay's shells nothing is reported. */
export class RelayReports implements QuestionReports {
  readonly #url: URL | undefined;
  readonly #token: string;
  readonly #session: string;
  /** The reports of questions that have not ended, by their calls. */
  readonly #waiting = new Map<string, Promise<string | undefined>>();
  #told = Promise.resolve();
  #keys = 0;
  #isOver = false;

  /** @param session own id of the agent session */
  constructor(env: Readonly<Record<string, string | undefined>>, agentType: AcpAgentType, session: string) {
    const { SERVICE_URL: url = "", SERVICE_SESSION: name = "", SERVICE_TOKEN: token = "" } = env;
    const isInShell = URL.canParse(url) && name !== "" && token !== "";
    this.#url = isInShell
      ? new URL(`${url}/v1/sessions/${encodeURIComponent(name)}/agent-hooks/${agentType}`)
      : undefined;
    this.#token = token;
    this.#session = session;
  }

  ask(permission: Permission): Promise<string | undefined> {
    const { call } = permission;
    const answered = this.#ask(permission).finally(() => this.#waiting.delete(call));
    this.#waiting.set(call, answered);
    return answered;
  }

  async #ask({ call, toolCall, options, cwd }: Permission): Promise<string | undefined> {
    // The end of a turn, told before, would close this question too.
    await this.#told;
    const about = { call, cwd, ...reported(toolCall), options: bounded(options) };
    const event = { type: "permission", session: this.#session, ...about };
    // Other programs in the shell cannot guess it.
    const key = randomBytes(16).toString("hex");
    for (let tries = TRIES; tries > 0; tries--) {
      const output = await this.#post(key, event, 0);
      if (output !== "unreachable") return Output.safeParse(output).data?.option;
      await pause(AGAIN_MS);
    }
    return undefined;
  }

  /** Reports follow one another. An end of a question is told again until its own report has ended: they may overtake. */
  tell(report: AcpReport): Promise<void> {
    this.#told = this.#told.then(() => this.#tellNow(report)).catch(() => undefined);
    return this.#told;
  }

  /** Tells that the agent session has ended, and what was reported before, for at most `withinMs`. */
  async end(withinMs: number): Promise<void> {
    this.#isOver = true;
    void this.tell({ type: "ended", session: this.#session });
    await Promise.race([this.#told, pause(withinMs)]);
  }

  async #tellNow(report: AcpReport): Promise<void> {
    this.#keys += 1;
    const key = `${this.#session}-${this.#keys}`;
    const call = report.type === "settled" || report.type === "withdrawn" ? report.call : undefined;
    for (let tries = TRIES; tries > 0; tries--) {
      await this.#post(key, report, TELL_MS);
      const waiting = call === undefined ? undefined : this.#waiting.get(call);
      if (waiting === undefined || this.#isOver) return;
      await Promise.race([waiting, pause(REPEAT_MS)]);
      if (!this.#waiting.has(call ?? "")) return;
    }
  }

  /** Resolves to the relay's answer; to undefined where it refuses, or there is none. */
  async #post(key: string, event: object, silenceMs: number): Promise<unknown> {
    if (this.#url === undefined) return undefined;
    const headers = { "X-Service-Token": this.#token };
    try {
      const answer = await send(this.#url, { method: "POST", headers, body: { key, event }, silenceMs });
      const text = await readText(answer, this.#url);
      return answer.statusCode === 200 ? JSON.parse(text) : undefined;
    } catch (error) {
      return error instanceof RelayUnreachable ? "unreachable" : undefined;
    }
  }
}

/** Returns a tool call as it is reported: whole, or marked as cut where it is too long for that. */
export function reported(toolCall: unknown): { readonly toolCall: JsonValue; readonly cut?: true } {
  let isWhole = true;
  const whole = bounded(toolCall, acpWhole, () => {
    isWhole = false;
  });
  if (isWhole && Buffer.byteLength(JSON.stringify(whole)) <= acpWhole.bytes) return { toolCall: whole };
  return { toolCall: bounded(toolCall), cut: true };
}

type Limits = Readonly<Record<keyof typeof acpLimits, number>>;

/**
 * Returns a value of the agent with its texts and lists cut, so that the relay takes it.
 *
 * @param lost called for what is cut
 */
export function bounded(value: unknown, limits: Limits = acpLimits, lost: () => void = () => undefined): JsonValue {
  const { text, entries: most, id, depth } = limits;
  const fitting = <Part extends { readonly length: number }>(part: Part, limit: number, cut: () => Part): Part => {
    if (part.length <= limit) return part;
    lost();
    return cut();
  };
  if (typeof value === "string") return fitting(value, text, () => value.slice(0, text));
  if (typeof value === "number" || typeof value === "boolean") return value;
  if (typeof value !== "object" || value === null) return null;
  if (depth === 0) {
    lost();
    return null;
  }
  const below = (one: unknown) => bounded(one, { ...limits, depth: depth - 1 }, lost);
  if (Array.isArray(value)) return fitting(value, most, () => value.slice(0, most)).map(below);
  const all = Object.entries(value);
  const entries = fitting(all, most, () => all.slice(0, most));
  return Object.fromEntries(entries.map(([name, one]) => [fitting(name, id, () => name.slice(0, id)), below(one)]));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
