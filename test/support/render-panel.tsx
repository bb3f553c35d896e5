import { act, cleanup, type RenderResult, render, waitFor } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { expect, onTestFinished } from "vitest";
import { ClientId } from "../../core/protocol/ids.ts";
import type { MachineOverview } from "../../core/protocol/machines.ts";
import type { ClientRecord } from "../../core/protocol/records.ts";
import type { InvokeArgs, PanelContent, PanelDesktop, PanelSession, SettingsTarget } from "../../preload/channels.ts";
import { Panel } from "../../renderer/tray/app/panel.tsx";
import { panelStores } from "../../renderer/tray/app/panel-stores.ts";
import { SettingsPage } from "../../renderer/tray/app/settings-page.tsx";
import type { PanelCall, PanelHost, RelayConnection } from "../../renderer/tray/host.ts";
import { words } from "../../renderer/tray/words/index.ts";

export interface RenderedPanel {
  readonly page: RenderResult;
  readonly user: UserEvent;
  /** Calls of the host, in order: the channel, or the procedure, with its parameters and the session of a command. */
  readonly calls: (readonly [name: string, params: unknown])[];
  /** Tells the panel its content, as the main process does. */
  change(parts: Partial<PanelContent>): void;
  /** Tells the window of the settings its section, and a setting of it. */
  showSection(target: SettingsTarget): void;
}

interface Parts {
  readonly content?: Partial<PanelContent>;
  readonly remotes?: readonly MachineOverview[];
  /** What calls result in, by the name of the channel or the operation; an Error is its refusal, a function of an operation answers by its parameters. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** The connection to a relay in another process. */
  readonly connection?: RelayConnection;
  /** The window of the settings in place of the panel. */
  readonly isSettings?: boolean;
  /** The fragment of the address of the panel as a page. */
  readonly fragment?: string;
}

export const usualDesktop: PanelDesktop = {
  relay: { port: null, outside: false, portOverridden: false, listenOverridden: false, restartNeeded: false },
  trayProblem: undefined,
  notificationProblem: undefined,
  dataFolder: "/data",
  keychainProblem: undefined,
  settings: {
    theme: "system",
    language: "system",
    startAtLogin: false,
    notify: { waiting: true, finished: true, failed: true, ended: false, budget: true, messages: true },
    quiet: null,
    relay: { port: null, outside: false },
    terminals: {},
  },
  paused: false,
  keysWanted: [],
};

const nothing: PanelContent = {
  address: "http://127.0.0.1:7717",
  externalAddresses: [],
  healthIssue: undefined,
  logins: [],
  version: "0.1.0",
  sessions: [],
  costToday: 0,
  budgets: { day: null, session: null },
  desktop: usualDesktop,
};

/** Calls that a browser cannot make, as far as tests need them. */
const ONLY_APP: readonly PanelCall[] = ["panel.showSettings", "panel.openMachine"];

/** What operations result in where a test says nothing else, beside empty lists. */
const usualAnswers: Readonly<Record<string, unknown>> = {
  getFleet: { state: "off", broker: null, owner: null, name: null, problem: null, members: [], conflicts: [] },
  audit: [],
  search: { hits: [], complete: true },
  checkHealth: [],
  getPrices: { date: "2026-01-01", ageDays: 1, unpriced: [] },
};

/** Returns a client of a session: a browser that can type, unless the parts say otherwise. */
export function panelClient({ id, ...parts }: { id: number } & Partial<Omit<ClientRecord, "id">>): ClientRecord {
  return {
    ...{ id: ClientId.parse(id), name: "guest", role: "writer", device: "", clientKind: "browser", focus: null },
    connectedAt: new Date(1_700_000_000_000 + id * 1000).toISOString(),
    ...parts,
  };
}

/** Returns a session of the panel in which only its user is. */
export function panelSession(parts: Partial<PanelSession> = {}): PanelSession {
  return {
    id: "session-0000000a",
    name: "orders",
    self: 1,
    shells: [
      { id: 1, name: "rounding", running: true, ownerClientId: null },
      { id: 2, name: "tests", running: true, ownerClientId: null },
    ],
    clients: [panelClient({ id: 1, name: "ann", role: "admin", device: "desktop", clientKind: "desktop" })],
    awayGuests: [],
    adoptRequests: [],
    roleRequests: [],
    questions: [],
    plugins: [],
    restrictions: { restrictShells: false, requests: [], allowed: [] },
    agents: [],
    muted: [],
    costToday: 0,
    agentStarts: {},
    ...parts,
  };
}

/** Renders the panel over a host without a relay. Each test's page is removed at its end. */
export async function renderPanel(parts: Parts = {}): Promise<RenderedPanel> {
  const { content = {}, remotes = [], answers = {}, connection, isSettings = false, fragment } = parts;
  let now = { ...nothing, ...content };
  const listeners = new Set<(message: PanelContent) => void>();
  const sections = new Set<(message: SettingsTarget) => void>();
  const calls: RenderedPanel["calls"] = [];
  const host: PanelHost = {
    ...(connection === undefined ? {} : { connection }),
    can: (name) => now.desktop !== undefined || !ONLY_APP.includes(name),
    async invoke(name, args) {
      if (name === "panel.start") return act(() => listeners.forEach((tell) => void tell(now)));
      if (name !== "panel.run") {
        calls.push([name, args]);
        if (answers[name] instanceof Error) throw answers[name];
        return answers[name] ?? (name === "panel.usage" ? [] : undefined);
      }
      const { operation, params, session } = args as InvokeArgs<"panel.run">;
      if (operation === "getMachines") return remotes;
      calls.push([operation, session === undefined ? params : { session, ...params }]);
      const refusal = answers[operation];
      if (refusal instanceof Error) throw refusal;
      if (typeof refusal === "function") return refusal(params);
      if (operation === "answerQuestion" && answers[operation] === undefined) {
        const answered = now.sessions
          .flatMap(({ questions }) => questions)
          .find(({ id }) => id === Number(Reflect.get(Object(params), "id")));
        return { ...answered, state: "answered" };
      }
      return answers[operation] ?? usualAnswers[operation] ?? (/^(get|list)/.test(operation) ? [] : {});
    },
    on(name, listener) {
      if (name === "panel.section") sections.add(listener as (message: SettingsTarget) => void);
      if (name !== "panel.changed") return () => undefined;
      const tell = listener as (message: PanelContent) => void;
      listeners.add(tell);
      return () => listeners.delete(tell);
    },
  };
  localStorage.clear();
  Reflect.get(window, "happyDOM").setViewport({ width: 400, height: 640 });
  onTestFinished(cleanup);
  if (fragment !== undefined) location.hash = fragment;
  const props = { host, stores: panelStores(window) };
  const page = render(isSettings ? <SettingsPage {...props} /> : <Panel {...props} isPage={fragment !== undefined} />);
  await page.findByRole("main");
  await waitFor(() => expect(page.queryByText(words.connection.loading)).toBeNull());
  return {
    page,
    user: userEvent.setup(),
    calls,
    showSection: (target) => act(() => sections.forEach((tell) => void tell(target))),
    change(changed) {
      now = { ...now, ...changed };
      act(() => listeners.forEach((tell) => void tell(now)));
    },
  };
}
