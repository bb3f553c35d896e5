import { panelSession } from "../../../core/client/panel-session.ts";
import { createLink } from "../../../core/operations/create-link.ts";
import { isOperation, operations } from "../../../core/operations/index.ts";
import type { Overview, SessionOverview } from "../../../core/operations/overview.ts";
import { costByHour } from "../../../core/protocol/cost-by-hour.ts";
import type { SessionId } from "../../../core/protocol/ids.ts";
import { type OverviewChange, type OverviewPart, overviewParts } from "../../../core/protocol/overview-changes.ts";
import { PagePlace, withPlace } from "../../../core/protocol/page-place.ts";
import { slicesOf, type UsageDays, type UsageHome, type UsageRow } from "../../../core/protocol/usage.ts";
import type { InvokeArgs, OnMessages, PanelContent } from "../../../preload/channels.ts";
import { createStore } from "../../ui/store.ts";
import type { PanelCall, PanelHost, PanelMessage, RelayAway, RelayConnection } from "../host.ts";
import { words } from "../words/index.ts";
import { isKeyRefusal, type RelayCalls, RelayUnreachable } from "./call-relay.ts";
import { followChanges } from "./follow-changes.ts";
import { handleCall, type PanelHandlers } from "./panel-handlers.ts";

/** Nothing else is asked while nothing changes. */
const SLOW_MS = 60_000;
/** Usage is summed over a whole day, which takes longer. */
const USAGE_MS = 10_000;

/** What the number of what waits depends on, but for today's cost. */
const WAITING: ReadonlySet<OverviewPart> = new Set(["sessions", "people", "agents", "waits", "logins", "budgets"]);
const SHOWN: ReadonlySet<OverviewPart> = new Set([...WAITING, "shells"]);

interface BrowserHostOptions {
  readonly calls: RelayCalls;
  /** The relay's base address, with a slash at its end. */
  readonly base: URL;
  readonly apiKey: string;
  readonly window: Window & typeof globalThis;
  /** The relay does not accept the key, or not for what the panel shows. */
  readonly onRefused: (why: string) => void;
}

type Listeners = { readonly [N in PanelMessage]: Set<(message: OnMessages[N]) => void> };

/**
 * The panel's host in a browser: follows what changes in the relay while the page is visible, reads only that again, and calls
 * the relay's operations with the owner's key. What belongs to the desktop app it cannot do.
 */
export class BrowserHost implements PanelHost, Disposable {
  readonly #options: BrowserHostOptions;
  readonly #listeners: Listeners = {
    "panel.changed": new Set(),
    "panel.tab": new Set(),
    "panel.section": new Set(),
  };
  readonly #touchListeners = new Set<(parts: readonly OverviewPart[]) => void>();
  readonly #handlers: PanelHandlers;
  readonly #away = createStore<RelayAway | undefined>(undefined);
  /** When the relay answered last (ISO 8601). */
  #lastAnswer: string | undefined;
  #wanted: ReadonlySet<OverviewPart> = SHOWN;
  #overview: Overview | undefined;
  #today: readonly UsageRow[] = [];
  #usageAt = Number.NEGATIVE_INFINITY;
  #isUsageStale = true;
  /** What is to be read: `undefined` stands for everything. */
  readonly #stale = new Set<SessionId | undefined>();
  #stopFollowing: (() => void) | undefined;
  #slow: number | undefined;
  #usageTimer: number | undefined;
  #isReading = false;

  constructor(options: BrowserHostOptions) {
    this.#options = options;
    this.#handlers = this.#calls();
  }

  [Symbol.dispose](): void {
    const { window } = this.#options;
    this.#stopFollowing?.();
    window.clearInterval(this.#slow);
    window.clearTimeout(this.#usageTimer);
  }

  /** Reads what the panel shows now, and from then on what changes. `waiting`: only what the number of what waits needs. */
  follow(scope: "all" | "waiting"): void {
    const { window } = this.#options;
    this.#wanted = scope === "all" ? SHOWN : WAITING;
    this.#openStream();
    this.#slow ??= window.setInterval(this.#readAll, SLOW_MS);
    this.#readAll();
  }

  /** The connection to the relay, as far as reading tells. */
  readonly connection: RelayConnection = {
    away: this.#away,
    retry: async () => {
      // The stream would wait for the end of its pause.
      this.#stopFollowing?.();
      this.#stopFollowing = undefined;
      this.#openStream();
      this.#isUsageStale = true;
      this.#stale.add(undefined);
      await this.#read();
    },
  };

  /** Calls back with what has changed, for what is read beside the overview. Returns an unsubscribe function. */
  readonly onTouched = (listener: (parts: readonly OverviewPart[]) => void): (() => void) => {
    this.#touchListeners.add(listener);
    return () => this.#touchListeners.delete(listener);
  };

  /** Returns US dollars since midnight at the end of each hour, as they were read last. */
  costByHour(): readonly number[] {
    return costByHour(this.#today, new Date());
  }

  can(name: PanelCall): boolean {
    return Object.hasOwn(this.#handlers, name);
  }

  invoke<N extends PanelCall>(name: N, args: InvokeArgs<N>): Promise<unknown> {
    return handleCall(this.#handlers, name, args);
  }

  on<N extends PanelMessage>(name: N, listener: (message: OnMessages[N]) => void): () => void {
    const listeners: Listeners[N] = this.#listeners[name];
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  #calls(): PanelHandlers {
    const { calls, window } = this.#options;
    const changing = async <T>(call: Promise<T>): Promise<T> => {
      try {
        return await call;
      } finally {
        // A refused one may have come too late, and one without an answer may have been executed.
        this.#readAll();
      }
    };
    const isCopied = async (text: string) => {
      try {
        // A page that came unencrypted has no clipboard; others may refuse a copy some time after the press.
        await window.navigator.clipboard.writeText(text);
        return true;
      } catch {
        return false;
      }
    };
    const copy = async (text: string) => {
      if (!(await isCopied(text))) throw new Error(words.browser.notCopied);
    };
    return {
      "panel.start": () => this.follow("all"),
      "panel.run": ({ operation, params, session }) => {
        if (session !== undefined) return changing(calls.command(session, operation, params, this.#ownClient(session)));
        if (!isOperation(operation)) throw new Error(words.browser.onlyInApp);
        const call = calls.run(operation, params);
        // What is polled changes nothing: the overview is not to be read after each time.
        return operations[operation].effect === "read" ? call : changing(call);
      },
      "panel.open": ({ id, shell, place }) => {
        const wanted = place ?? (shell === undefined ? undefined : { in: "shell", shellId: shell });
        this.#openSession(id, PagePlace.optional().parse(wanted));
      },
      "panel.copy": ({ id }) => copy(id),
      "panel.copySecret": ({ secret }) => copy(secret),
      "panel.invite": async ({ copy: isWanted, ...wanted }) => {
        const link = await createLink((name, params) => calls.operation(name, params), wanted);
        return { ...link, copied: isWanted && (await isCopied(link.url)) };
      },
      "panel.usage": ({ days }) => this.#slices(days),
      "panel.save": ({ name, text }) => {
        this.#download(name, text);
        return { file: name };
      },
    };
  }

  #openStream(): void {
    const { window, calls, onRefused } = this.#options;
    this.#stopFollowing ??= followChanges({
      ...{ calls, window, onRefused },
      onBegin: () => {
        this.#readAll();
        this.#touch(overviewParts);
      },
      onChange: (change) => this.#take(change),
      // Tells whether the relay is away, or only its stream.
      onFailed: () => this.#readAll(),
    });
  }

  #touch(parts: readonly OverviewPart[]): void {
    for (const tell of [...this.#touchListeners]) tell(parts);
  }

  #take({ parts, sessions }: OverviewChange): void {
    if (parts.includes("agents") || parts.includes("budgets")) this.#isUsageStale = true;
    if (parts.some((part) => this.#wanted.has(part))) {
      const isOfRelay = parts.some((part) => part === "sessions" || part === "logins" || part === "budgets");
      for (const session of isOfRelay ? [undefined] : sessions) this.#stale.add(session);
      void this.#read();
    }
    this.#touch(parts);
  }

  readonly #readAll = (): void => {
    this.#isUsageStale = true;
    this.#stale.add(undefined);
    void this.#read();
  };

  async #read(): Promise<void> {
    const { window, onRefused } = this.#options;
    if (this.#isReading || window.document.hidden) return;
    this.#isReading = true;
    try {
      while (this.#stale.size > 0) await this.#readStale();
      this.#lastAnswer = new Date().toISOString();
      this.#away.set(undefined);
    } catch (error) {
      // What was read last stays; the next attempt comes with the next change.
      this.#stale.add(undefined);
      if (isKeyRefusal(error)) {
        onRefused(error.message);
        this.#away.set(undefined);
        return;
      }
      // Any other error is an answer of the relay. Before the first content it is all that can be shown.
      const isAway = error instanceof RelayUnreachable || this.#overview === undefined;
      this.#away.set(isAway ? { lastAnswer: this.#lastAnswer } : undefined);
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads the costs of today; keeps those that were read last where that takes too long. */
  async #readUsage(): Promise<readonly UsageRow[]> {
    try {
      const { calls } = this.#options;
      return await calls.operation("getUsage", { days: 1, by: "hour" });
    } catch (error) {
      if (error instanceof RelayUnreachable) return this.#today;
      throw error;
    }
  }

  async #readStale(): Promise<void> {
    const { calls } = this.#options;
    const [session] = this.#stale;
    const isOne = this.#stale.size === 1 && session !== undefined && this.#overview !== undefined;
    this.#stale.clear();
    const [overview, usage] = await Promise.all([
      calls.operation("getOverview", isOne ? { session } : {}),
      this.#isUsageDue() ? this.#readUsage() : this.#today,
    ]);
    this.#overview = isOne ? withSession(this.#overview, overview, session) : overview;
    this.#today = usage;
    const content = contentOf(this.#overview, usage, this.#options.base.href);
    for (const tell of [...this.#listeners["panel.changed"]]) tell(content);
  }

  /** Returns whether usage is to be read now; if it is too soon, reads it later. */
  #isUsageDue(): boolean {
    if (!this.#isUsageStale) return false;
    const { window } = this.#options;
    const rest = this.#usageAt + USAGE_MS - performance.now();
    window.clearTimeout(this.#usageTimer);
    if (rest > 0) {
      this.#usageTimer = window.setTimeout(this.#readAll, rest);
      return false;
    }
    this.#isUsageStale = false;
    this.#usageAt = performance.now();
    return true;
  }

  #ownClient(session: string): number | undefined {
    const found = this.#overview?.sessions.find((one) => one.session.id === session);
    return found === undefined ? undefined : ownClient(found, this.#overview?.user);
  }

  async #slices(days: UsageDays) {
    const rows =
      days === 1
        ? await this.#options.calls.operation("getUsage", { days, by: "hour" })
        : await this.#options.calls.operation("getUsage", { days, by: "day" });
    const homes = new Map(
      (this.#overview?.sessions ?? []).flatMap(({ session, agentSessions }) =>
        agentSessions.map(({ sessionId, cwd }): [string, UsageHome] => [
          sessionId,
          { session: session.name, folder: cwd },
        ]),
      ),
    );
    return slicesOf(rows, (agentSession) => homes.get(agentSession));
  }

  /** Opens a session's page beside this one, which is let in with the same key, and at what is to be shown. */
  #openSession(session: string, place: PagePlace | undefined): void {
    const { base, apiKey, window } = this.#options;
    const page = new URL(`s/${encodeURIComponent(session)}`, base);
    page.hash = withPlace(`token=${apiKey}`, place);
    window.open(page, "_blank", "noopener");
  }

  #download(name: string, text: string): void {
    const { document, URL: urls } = this.#options.window;
    const link = document.createElement("a");
    link.href = urls.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = name;
    link.click();
    urls.revokeObjectURL(link.href);
  }
}

/** Puts a session as it is now into what was read before; one that was closed meanwhile is left out. */
function withSession(before: Overview | undefined, now: Overview, id: SessionId): Overview {
  const [session] = now.sessions;
  const known = before?.sessions ?? [];
  const sessions =
    session === undefined
      ? known.filter((one) => one.session.id !== id)
      : known.map((one) => (one.session.id === id ? session : one));
  return { ...now, sessions };
}

/** Returns the id of a connected client of the owner, in whose name commands are executed; undefined where none is. */
function ownClient({ clients }: Pick<SessionOverview, "clients">, user: string | undefined): number | undefined {
  return clients.find(({ name, role, guest }) => guest !== true && role === "admin" && name === user)?.id;
}

/** Makes the panel's content of what the relay tells. */
export function contentOf(overview: Overview, today: readonly UsageRow[], address: string): PanelContent {
  const { user, version, logins, budgets, healthIssue, outsideUrls } = overview;
  const sum = (rows: readonly UsageRow[]) => rows.reduce((total, { cost }) => total + cost, 0);
  return {
    address: address.replace(/\/$/, ""),
    externalAddresses: outsideUrls,
    healthIssue: healthIssue ?? undefined,
    logins,
    version,
    budgets,
    costToday: sum(today),
    desktop: undefined,
    sessions: overview.sessions.map(({ session, guests, agentSessions, ...mirror }) => {
      const starts = new Map(agentSessions.map(({ sessionId, startedAt }) => [sessionId, startedAt]));
      return panelSession({
        id: session.id,
        name: session.name,
        self: ownClient(mirror, user),
        mirror,
        guests,
        muted: [],
        costToday: sum(today.filter(({ sessionId }) => starts.has(sessionId))),
        labelOf: () => undefined,
        startOf: (agentSession) => starts.get(agentSession),
      });
    }),
  };
}
