import { setImmediate as immediate } from "node:timers/promises";
import type { AgentEvent } from "../../core/protocol/agent-records.ts";
import type { AgentAdapter } from "./adapters/adapter.ts";
import { homeOf } from "./adapters/agent-home.ts";
import { type AgentsOptions, type ShellRef, shellKey } from "./agents-options.ts";
import type { Clock } from "./clock.ts";
import type { LiveAgent } from "./live-agent.ts";
import { showsText } from "./shows-text.ts";

interface SessionEvidenceOptions extends Pick<AgentsOptions, "screen"> {
  readonly clock: Pick<Clock, "now">;
  /** Returns what reads the new events of an agent session at each call. */
  readonly follow: (adapter: AgentAdapter, home: string, sessionId: string) => () => Promise<readonly AgentEvent[]>;
}

/** An agent session whose terminal is looked for, and the agents that may work on it. */
interface Wanted {
  readonly adapter: AgentAdapter;
  readonly home: string;
  readonly sessionId: string;
  readonly agents: Set<LiveAgent>;
  /** Only a text that was written after this time proves it (ms). */
  readonly since: number;
}

/** An agent that was proven to work on a session, by its id, and the time of what proves it (ms): the latest of it. */
interface Proof {
  readonly agent: string;
  readonly at: number;
}

/** A text of a transcript, and when it was written (ms). */
interface SpokenText {
  readonly text: string;
  readonly at: number;
}

/** What was read of a transcript so far: the last texts, and for how many looks nothing new came. */
interface Reading {
  readonly next: () => Promise<readonly AgentEvent[]>;
  texts: readonly SpokenText[];
  quietLooks: number;
  /** For how many looks it was not asked for. */
  unaskedLooks: number;
}

/** The time before all others, for what holds whenever it was said. */
const ALWAYS = Number.NEGATIVE_INFINITY;
const KEPT_TEXTS = 12;
const SPOKEN = new Set<AgentEvent["type"]>(["user_message", "assistant_message"]);
/** A terminal shows what its transcript contains within this many looks. */
const LOOKS = 20;
/** A reading is kept for so many looks: two sessions that grow in turn would else be read anew at each turn. */
const KEPT_LOOKS = 5;
/** An agent goes from one session to another by `/clear` or `/resume`; any program may report many. */
const MOST_OF_AN_AGENT = 50;
/** So many sessions are looked for at once for an agent: a program can write thousands of transcripts into its folder. */
const MOST_LOOKED_FOR = 20;

/**
 * Proves which agent works on a session that nothing names: what the transcript contains stands on one terminal's screen only, or
 * a hook in the agent's shell reported the session. A screen proves nothing of a text that several screens show, or several transcripts contain.
 * An agent that goes back to a session that it has left is proven there by what is newer than the proof of the one that it leaves.
 */
export class SessionEvidence {
  readonly #options: SessionEvidenceOptions;
  /** By agent session, the agent that was proven to work on it. */
  readonly #proven = new Map<string, Proof>();
  /** By agent, the sessions that it was proven to work on, the latest last. */
  readonly #ofAgent = new Map<string, readonly string[]>();
  /** The sessions that were asked for since the last look. */
  #wanted = new Map<string, Wanted>();
  /** By agent, how many of them it has asked for. */
  #asked = new Map<string, number>();
  readonly #readings = new Map<string, Reading>();
  #looking = false;

  constructor(options: SessionEvidenceOptions) {
    this.#options = options;
  }

  /**
   * Tells where an agent session was proven to be; for one that is not known, `look` will try, for the first ones that an
   * agent asks for.
   * @param near - the other agents that may work on it
   * @param since - see `JoinRequest.shownIn`; with it, another agent has a session only until it goes on to the next
   */
  shownIn(
    agent: LiveAgent,
    near: readonly LiveAgent[],
    sessionId: string,
    since?: number,
  ): "here" | "elsewhere" | undefined {
    const key = keyOf(agent.kind, sessionId);
    const proof = this.#proven.get(key);
    const from = Math.max(since ?? ALWAYS, this.#leftAt(agent, key));
    if (proof?.agent === agent.found.id && proof.at > from) return "here";
    const isOthers = proof !== undefined && proof.agent !== agent.found.id;
    if (isOthers && (since === undefined || this.#isLatest(proof.agent, key))) return "elsewhere";
    const { adapter, process } = agent.found;
    const home = homeOf(adapter, process);
    if (home === undefined) return undefined;
    const known = this.#wanted.get(key);
    const asked = this.#asked.get(agent.found.id) ?? 0;
    if (known === undefined && asked >= MOST_LOOKED_FOR) return undefined;
    if (known === undefined) this.#asked.set(agent.found.id, asked + 1);
    // What has proven it before does not do so again.
    const after = proof === undefined ? (since ?? ALWAYS) : Math.max(from, proof.at);
    const agents = new Set([...(known?.agents ?? []), agent, ...near]);
    this.#wanted.set(key, { adapter, home, sessionId, agents, since: Math.min(after, known?.since ?? after) });
    if (since !== undefined) this.#readCurrent(agent);
    return undefined;
  }

  /** Reads the session that an agent works on too: its screen shows what was said there, which proves no other session. */
  #readCurrent({ kind, joined, found: { adapter } }: LiveAgent): void {
    if (joined === undefined) return;
    const { home, sessionId } = joined;
    const key = keyOf(kind, sessionId);
    if (!this.#wanted.has(key))
      this.#wanted.set(key, { adapter, home, sessionId, agents: new Set(), since: Number.POSITIVE_INFINITY });
  }

  /** Returns the time of the proof of the session that an agent works on: an older one of another session is outdated. */
  #leftAt({ kind, joined, found }: LiveAgent, key: string): number {
    const current = joined && keyOf(kind, joined.sessionId);
    const proof = current === undefined || current === key ? undefined : this.#proven.get(current);
    return proof?.agent === found.id ? proof.at : ALWAYS;
  }

  #isLatest(agent: string, key: string): boolean {
    return this.#ofAgent.get(agent)?.at(-1) === key;
  }

  /**
   * Takes the report of a session by a hook or exporter in an agent's shell. Any program there can report: it takes no
   * session from the agent that works on it now. Nor does it lead an agent back to a session that it has left: a turn goes on
   * and ends there without the terminal.
   * @param at - the time of what is reported, in ms
   */
  prove(agent: LiveAgent, sessionId: string, at = this.#options.clock.now()): void {
    const { kind, joined, found } = agent;
    const key = keyOf(kind, sessionId);
    const owner = this.#proven.get(key)?.agent;
    const isCurrent = joined === undefined || joined.sessionId === sessionId;
    const isFree = owner === undefined || (owner === found.id ? isCurrent : !this.#isLatest(owner, key));
    if (isFree) this.#keep(agent, key, at);
  }

  /** Forgets what was proven of all other agents. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [key, { agent }] of this.#proven) if (!ids.has(agent)) this.#proven.delete(key);
    for (const id of this.#ofAgent.keys()) if (!ids.has(id)) this.#ofAgent.delete(id);
  }

  #keep({ found: { id } }: LiveAgent, key: string, at: number): void {
    const before = this.#proven.get(key);
    this.#proven.set(key, { agent: id, at: before?.agent === id ? Math.max(before.at, at) : at });
    const others = (this.#ofAgent.get(id) ?? []).filter((one) => one !== key && this.#proven.get(one)?.agent === id);
    const provenAt = (one: string) => this.#proven.get(one)?.at ?? 0;
    const all = [...others, key].sort((one, other) => provenAt(one) - provenAt(other));
    for (const old of all.slice(0, -MOST_OF_AN_AGENT)) this.#proven.delete(old);
    this.#ofAgent.set(id, all.slice(-MOST_OF_AN_AGENT));
  }

  /** Looks for the sessions that were asked for. Resolves to whether anything was proven. */
  async look(): Promise<boolean> {
    const { screen } = this.#options;
    if (this.#looking) return false;
    const wanted = this.#wanted;
    this.#wanted = new Map();
    this.#asked = new Map();
    for (const [key, reading] of this.#readings) {
      reading.unaskedLooks = wanted.has(key) ? 0 : reading.unaskedLooks + 1;
      if (reading.unaskedLooks > KEPT_LOOKS) this.#readings.delete(key);
    }
    if (screen === undefined || wanted.size === 0) return false;
    this.#looking = true;
    try {
      for (const [key, one] of wanted) {
        await this.#read(key, one);
        // A folder of many files takes long to list, and each transcript is looked for in its folder.
        await immediate();
      }
      const screens = new ScreenTexts(screen);
      const found = await Promise.all([...wanted].map(([key, one]) => this.#find(key, one, screens)));
      return found.includes(true);
    } finally {
      this.#looking = false;
    }
  }

  async #read(key: string, { adapter, home, sessionId }: Wanted): Promise<void> {
    const known = this.#readings.get(key);
    const next = known?.next ?? this.#options.follow(adapter, home, sessionId);
    const reading: Reading = known ?? { next, texts: [], quietLooks: 0, unaskedLooks: 0 };
    this.#readings.set(key, reading);
    const events = await reading.next().catch(() => []);
    const now = this.#options.clock.now();
    const spoken = events.filter(({ type }) => SPOKEN.has(type));
    // A program can write any time: one to come would outdate all proofs.
    const texts = spoken.map(({ text, at }) => ({ text, at: Math.min(Date.parse(at) || 0, now) }));
    reading.quietLooks = texts.length === 0 ? reading.quietLooks + 1 : 0;
    reading.texts = [...reading.texts, ...texts].slice(-KEPT_TEXTS);
  }

  async #find(key: string, { agents, since }: Wanted, screens: ScreenTexts): Promise<boolean> {
    const reading = this.#readings.get(key);
    if (reading === undefined || reading.quietLooks > LOOKS) return false;
    const others = [...this.#readings].filter(([other]) => other !== key).flatMap(([, { texts }]) => texts);
    const said = new Set(others.map(({ text }) => text));
    const texts = reading.texts.filter(({ text, at }) => at > since && !said.has(text));
    if (texts.length === 0) return false;
    // What an agent starts writes to the terminal of that agent.
    const shown = [...agents].filter(({ startedBy, ended }) => startedBy === undefined && !ended);
    const onScreen = await Promise.all(shown.map(async (agent) => ({ agent, text: await screens.of(agent) })));
    const witnesses = new Set<LiveAgent>();
    let provenAt = ALWAYS;
    for (const { text, at } of texts) {
      const [only, ...more] = onScreen.filter((one) => showsText(one.text, text));
      if (only === undefined || more.length > 0) continue;
      witnesses.add(only.agent);
      provenAt = Math.max(provenAt, at);
    }
    const [agent, ...contradictions] = witnesses;
    if (agent === undefined || contradictions.length > 0) return false;
    this.#keep(agent, key, provenAt);
    return true;
  }
}

/** The screens of one look: each is read once. One that cannot be read shows nothing. */
class ScreenTexts {
  readonly #read: (shell: ShellRef) => Promise<string>;
  readonly #texts = new Map<string, Promise<string>>();

  constructor(read: (shell: ShellRef) => Promise<string>) {
    this.#read = read;
  }

  of({ session: sessionId, shellId }: LiveAgent): Promise<string> {
    const shell = { sessionId, shellId };
    const key = shellKey(shell);
    const text = this.#texts.get(key) ?? this.#read(shell).catch(() => "");
    this.#texts.set(key, text);
    return text;
  }
}

function keyOf(kind: string, sessionId: string): string {
  return `${kind}/${sessionId}`;
}
