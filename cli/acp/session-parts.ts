import type { AcpLine } from "../../main/system/acp-record.ts";
import type { QuestionReports } from "./relay-reports.ts";
import type { TextStyle } from "./screen.ts";

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
interface AgentLink {
  /** Sends a prompt; resolves at the end of its turn. */
  prompt(text: string): Promise<unknown>;
  cancel(): void;
}

export interface SessionParts {
  readonly view: SessionView;
  readonly link: AgentLink;
  readonly reports: QuestionReports;
  readonly record: { add(line: Omit<AcpLine, "id" | "at">): void };
  /** Own id of the session, as in the record. */
  readonly sessionId: string;
  readonly cwd: string;
}

/** Keeps a value under a key, and of all the last `most`. */
export function keepLast<Value>(map: Map<string, Value>, key: string, value: Value, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
