import { panelSession } from "../../../core/client/panel-session.ts";
import { isOperation } from "../../../core/operations/index.ts";
import type { Overview, SessionOverview } from "../../../core/operations/overview.ts";
import { slicesOf, type UsageDays, type UsageHome, type UsageRow } from "../../../core/protocol/usage.ts";
import type { InvokeArgs, OnMessages, PanelContent } from "../../../preload/channels.ts";
import type { PanelCall, PanelHost, PanelMessage } from "../host.ts";
import { words } from "../words/index.ts";
import { CallRefused, type RelayCalls } from "./call-relay.ts";

const POLL_MS = 2_000;
/** Usage is summed over a whole day, which takes longer. */
const USAGE_MS = 10_000;

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
type Handlers = { readonly [N in PanelCall]?: (args: InvokeArgs<N>) => unknown };

/**
 * The panel's host in a browser: reads the relay's overview every 2 s while the page is visible, and calls its operations
 * with the owner's key. What belongs to the desktop app it cannot do.
 */
export class BrowserHost implements PanelHost, Disposable {
  readonly #options: BrowserHostOptions;
  readonly #listeners: Listeners = {
    "panel.changed": new Set(),
    "panel.tab": new Set(),
    "panel.section": new Set(),
  };
  readonly #handlers: Handlers;
  #overview: Overview | undefined;
  #today: readonly UsageRow[] = [];
  #usageAt = Number.NEGATIVE_INFINITY;
  #timer: number | undefined;
  #isReading = false;
  /** It was asked to read while it did: what it reads may be older. */
  #isDue = false;

  constructor(options: BrowserHostOptions) {
    this.#options = options;
    this.#handlers = this.#calls();
    options.window.document.addEventListener("visibilitychange", this.#read);
  }

  [Symbol.dispose](): void {
    this.#options.window.clearInterval(this.#timer);
    this.#options.window.document.removeEventListener("visibilitychange", this.#read);
  }

  /** Reads what the panel shows now, and from then on in this interval while the page is visible. */
  readEvery(ms: number): void {
    const { window } = this.#options;
    window.clearInterval(this.#timer);
    this.#timer = window.setInterval(this.#read, ms);
    void this.#read();
  }

  can(name: PanelCall): boolean {
    return Object.hasOwn(this.#handlers, name);
  }

  async invoke<N extends PanelCall>(name: N, args: InvokeArgs<N>): Promise<unknown> {
    const handle: ((args: InvokeArgs<N>) => unknown) | undefined = this.#handlers[name];
    if (handle === undefined) throw new Error(words.browser.onlyInApp);
    return await handle(args);
  }

  on<N extends PanelMessage>(name: N, listener: (message: OnMessages[N]) => void): () => void {
    const listeners: Listeners[N] = this.#listeners[name];
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  #calls(): Handlers {
    const { calls, window } = this.#options;
    const changing = async <T>(call: Promise<T>): Promise<T> => {
      const result = await call;
      void this.#read();
      return result;
    };
    const inSession = (session: string, method: string, params: object) =>
      changing(calls.command(session, method, params, this.#ownClient(session)));
    const copy = (text: string) => window.navigator.clipboard.writeText(text);
    return {
      "panel.start": () => this.readEvery(POLL_MS),
      "panel.run": ({ operation, params }) => {
        if (!isOperation(operation)) throw new Error(words.browser.onlyInApp);
        return changing(calls.run(operation, params));
      },
      "panel.open": ({ id }) => this.#openSession(id),
      "panel.copy": ({ id }) => copy(id),
      "panel.copySecret": ({ secret }) => copy(secret),
      "panel.invite": async ({ id, copy: isCopied, ...wanted }) => {
        const { url, expiresAt } = await calls.operation("createInvite", { session: id, ...wanted });
        if (isCopied) await copy(url);
        return { url, expiresAt };
      },
      "panel.answerAdopt": ({ id, ...answer }) => inSession(id, "answerAdopt", answer),
      "panel.answerRoleRequest": ({ id, ...answer }) => inSession(id, "answerRoleRequest", answer),
      "panel.restrictShells": ({ id, on }) => inSession(id, "restrictShells", { state: on ? "on" : "off" }),
      "panel.answerAgent": ({ id, ...answer }) => inSession(id, "answerAgent", answer),
      "panel.forgetAgent": ({ id, ...which }) => inSession(id, "forgetAgent", which),
      "panel.usage": ({ days }) => this.#slices(days),
      "panel.save": ({ name, text }) => {
        this.#download(name, text);
        return { file: name };
      },
    };
  }

  readonly #read = async (): Promise<void> => {
    const { calls, window, onRefused } = this.#options;
    this.#isDue = this.#isReading;
    if (this.#isReading || window.document.hidden) return;
    this.#isReading = true;
    try {
      const now = performance.now();
      const isDue = now - this.#usageAt > USAGE_MS;
      const [overview, usage] = await Promise.all([
        calls.operation("getOverview", {}),
        isDue ? calls.operation("getUsage", { days: 1, by: "hour" }) : this.#today,
      ]);
      if (isDue) this.#usageAt = now;
      this.#overview = overview;
      this.#today = usage;
      const content = contentOf(overview, usage, this.#options.base.href);
      for (const tell of [...this.#listeners["panel.changed"]]) tell(content);
    } catch (error) {
      // What was read last stays; the next attempt comes soon.
      const isRefused = error instanceof CallRefused && (error.status === 401 || error.status === 403);
      if (isRefused) onRefused(error.message);
    } finally {
      this.#isReading = false;
      if (this.#isDue) void this.#read();
    }
  };

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

  /** Opens a session's page beside this one, which is let in with the same key. */
  #openSession(session: string): void {
    const { base, apiKey, window } = this.#options;
    const page = new URL(`s/${encodeURIComponent(session)}`, base);
    page.hash = `token=${apiKey}`;
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

/** Returns the id of a connected client of the owner, in whose name commands are executed; undefined where none is. */
function ownClient({ clients }: Pick<SessionOverview, "clients">, user: string | undefined): number | undefined {
  return clients.find(({ name, role, guest }) => guest !== true && role === "admin" && name === user)?.id;
}

/** Makes the panel's content of what the relay tells. */
export function contentOf(overview: Overview, today: readonly UsageRow[], address: string): PanelContent {
  const { user, version, logins, budgets, outsideUrls } = overview;
  const sum = (rows: readonly UsageRow[]) => rows.reduce((total, { cost }) => total + cost, 0);
  return {
    address: address.replace(/\/$/, ""),
    externalAddresses: outsideUrls,
    healthIssue: undefined,
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
