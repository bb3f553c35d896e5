import { setImmediate as immediate } from "node:timers/promises";
import type { AgentEvent } from "../../core/protocol/agent-records.ts";
import type { AgentAdapter } from "./adapters/adapter.ts";
import { homeOf } from "./adapters/agent-home.ts";
import { type ShellRef, shellKey } from "./agents-options.ts";
import type { LiveAgent } from "./live-agent.ts";
import { showsText } from "./shows-text.ts";

interface SessionEvidenceOptions {
  /** Resolves to the visible text of a shell; absent where no screen can be read. */
  readonly screen: ((shell: ShellRef) => Promise<string>) | undefined;
  /** Returns what reads the new events of an agent session at each call. */
  readonly follow: (adapter: AgentAdapter, home: string, sessionId: string) => () => Promise<readonly AgentEvent[]>;
}

/** An agent session whose terminal is looked for, and the agents that may work on it. */
interface Wanted {
  readonly adapter: AgentAdapter;
  readonly home: string;
  readonly sessionId: string;
  readonly agents: Set<LiveAgent>;
}

/** What was read of a transcript so far: the last texts, and for how many looks nothing new came. */
interface Reading {
  readonly next: () => Promise<readonly AgentEvent[]>;
  texts: readonly string[];
  quietLooks: number;
}

const KEPT_TEXTS = 12;
const SPOKEN = new Set<AgentEvent["type"]>(["user_message", "assistant_message"]);
/** A terminal shows what its transcript contains within this many looks. */
const LOOKS = 20;
/** An agent goes from one session to another by `/clear` or `/resume`; any program may report many. */
const MOST_OF_AN_AGENT = 50;
/** So many sessions are looked for at once for an agent: a program can write thousands of transcripts into its folder. */
const MOST_LOOKED_FOR = 20;

/**
 * Proves which agent works on a session that nothing names: what the transcript contains stands on one terminal's screen only, or
 * a hook in the agent's shell reported the session. A screen proves nothing of a text that several screens show, or several transcripts contain.
 */
export class SessionEvidence {
  readonly #options: SessionEvidenceOptions;
  /** By agent session, the id of the agent that was proven to work on it. */
  readonly #proven = new Map<string, string>();
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
   */
  shownIn(agent: LiveAgent, near: readonly LiveAgent[], sessionId: string): "here" | "elsewhere" | undefined {
    const key = keyOf(agent.kind, sessionId);
    const owner = this.#proven.get(key);
    if (owner !== undefined) return owner === agent.found.id ? "here" : "elsewhere";
    const { adapter, process } = agent.found;
    const home = homeOf(adapter, process);
    if (home === undefined) return undefined;
    const known = this.#wanted.get(key);
    const asked = this.#asked.get(agent.found.id) ?? 0;
    if (known === undefined && asked >= MOST_LOOKED_FOR) return undefined;
    if (known === undefined) this.#asked.set(agent.found.id, asked + 1);
    const wanted = known ?? { adapter, home, sessionId, agents: new Set() };
    for (const one of [agent, ...near]) wanted.agents.add(one);
    this.#wanted.set(key, wanted);
    return undefined;
  }

  /**
   * Takes the report of a session by a hook or exporter in an agent's shell. Any program there can report: it takes no
   * session from the agent that works on it now.
   */
  prove(agent: LiveAgent, sessionId: string): void {
    const key = keyOf(agent.kind, sessionId);
    const owner = this.#proven.get(key);
    if (owner === agent.found.id || owner === undefined || this.#ofAgent.get(owner)?.at(-1) !== key)
      this.#keep(agent, key);
  }

  /** Forgets what was proven of all other agents. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [key, id] of this.#proven) if (!ids.has(id)) this.#proven.delete(key);
    for (const id of this.#ofAgent.keys()) if (!ids.has(id)) this.#ofAgent.delete(id);
  }

  #keep({ found: { id } }: LiveAgent, key: string): void {
    const all = [...(this.#ofAgent.get(id) ?? []).filter((one) => one !== key), key];
    for (const old of all.slice(0, -MOST_OF_AN_AGENT)) if (this.#proven.get(old) === id) this.#proven.delete(old);
    this.#ofAgent.set(id, all.slice(-MOST_OF_AN_AGENT));
    this.#proven.set(key, id);
  }

  /** Looks for the sessions that were asked for. Resolves to whether anything was proven. */
  async look(): Promise<boolean> {
    const { screen } = this.#options;
    if (this.#looking) return false;
    const wanted = this.#wanted;
    this.#wanted = new Map();
    this.#asked = new Map();
    for (const key of this.#readings.keys()) if (!wanted.has(key)) this.#readings.delete(key);
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
    const reading = known ?? { next: this.#options.follow(adapter, home, sessionId), texts: [], quietLooks: 0 };
    this.#readings.set(key, reading);
    const events = await reading.next().catch(() => []);
    const texts = events.filter(({ type }) => SPOKEN.has(type)).map(({ text }) => text);
    reading.quietLooks = texts.length === 0 ? reading.quietLooks + 1 : 0;
    reading.texts = [...reading.texts, ...texts].slice(-KEPT_TEXTS);
  }

  async #find(key: string, { agents }: Wanted, screens: ScreenTexts): Promise<boolean> {
    const reading = this.#readings.get(key);
    if (reading === undefined || reading.quietLooks > LOOKS) return false;
    const others = [...this.#readings].filter(([other]) => other !== key).flatMap(([, { texts }]) => texts);
    const texts = reading.texts.filter((text) => !others.includes(text));
    if (texts.length === 0) return false;
    // What an agent starts writes to the terminal of that agent.
    const shown = [...agents].filter(({ startedBy, ended }) => startedBy === undefined && !ended);
    const onScreen = await Promise.all(shown.map(async (agent) => ({ agent, text: await screens.of(agent) })));
    const witnesses = new Set<LiveAgent>();
    for (const text of texts) {
      const [only, ...more] = onScreen.filter((one) => showsText(one.text, text));
      if (only !== undefined && more.length === 0) witnesses.add(only.agent);
    }
    const [agent, ...contradictions] = witnesses;
    if (agent === undefined || contradictions.length > 0) return false;
    this.#keep(agent, key);
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
