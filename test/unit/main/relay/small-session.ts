import { Client } from "../../../../core/client/client.ts";
import type { SessionId, ShellId } from "../../../../core/protocol/ids.ts";
import { linkedPair } from "../../../../core/protocol/link.ts";
import type { Role, Shell } from "../../../../core/protocol/records.ts";
import type { ShellEvent } from "../../../../core/protocol/shell-host.ts";
import { Guests } from "../../../../main/relay/access/guests.ts";
import { Keys } from "../../../../main/relay/access/keys.ts";
import { Audit } from "../../../../main/relay/audit/audit.ts";
import { Plugins } from "../../../../main/relay/plugins/plugins.ts";
import type { Identity } from "../../../../main/relay/session/identity.ts";
import type { AgentInShell, AgentsPort, HistoryControl } from "../../../../main/relay/session/ports.ts";
import { Session } from "../../../../main/relay/session/session.ts";
import { openStore } from "../../../../main/relay/store/open-store.ts";
import { Store } from "../../../../main/relay/store/store.ts";
import { noAgents } from "../../../support/no-agents.ts";
import { standInShellHost } from "../../../support/stand-in-shell-host.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface SmallSession extends AsyncDisposable {
  readonly session: Session;
  readonly store: Store;
  readonly guests: Guests;
  readonly keys: Keys;
  /** Lets a guest in; returns the identity of the guest's connections. */
  guest(wanted?: { name?: string; role?: Role }): Identity & { readonly guest: string };
  join(identity?: Partial<Identity>, resume?: string): Promise<Client>;
  /** The agents in its shells, by the shell's id; "unknown" where that cannot be told. */
  readonly agents: Map<number, readonly AgentInShell[] | "unknown">;
  /** What a shell would tell of itself. */
  tell(event: ShellEvent): void;
  /** Closes the session and opens it again from the store, as the relay's next start does. */
  reopen(): Promise<void>;
  /** Opens it again as after a crash: nothing was written down at the end. */
  crash(): void;
}

/** A real session on a real store, with shells that are records only: no process, no network. */
export function smallSession({
  agents: agentsPort = noAgents,
  history,
  program,
}: {
  readonly agents?: AgentsPort;
  readonly history?: HistoryControl;
  /** What every shell is; bash by default. */
  readonly program?: string;
} = {}): SmallSession {
  const folder = temporaryFolder();
  const store = new Store(openStore(folder.path).database);
  const row = { id: "session-1" as SessionId, name: "default", owner: "ann", createdAt: new Date(0).toISOString() };
  store.sessions.add(row);
  const plugins = new Plugins(store.plugins);
  const guests = new Guests(store.guests, store.invites);
  const agents: SmallSession["agents"] = new Map();
  let keys = new Keys(store.keys);
  let shells = paperShells(program);
  const quiet = () => undefined;
  const audit = new Audit(store.audit, { debug: quiet, info: quiet, warn: quiet, error: quiet });
  const open = () => {
    keys = new Keys(store.keys);
    return new Session({
      row,
      store,
      keys,
      audit,
      plugins,
      guests,
      shellHost: shells.host,
      agents: agentsPort,
      governor: { agentsChanged() {}, checkInput() {}, async checkPrompt() {}, answered() {} },
      async findAgents(_session, { id }) {
        const found = agents.get(id) ?? [];
        if (found === "unknown") throw new Error("no look into this shell");
        return found;
      },
      history: () => history,
      url: () => "",
    });
  };
  let session = open();
  const crashed: Session[] = [];
  return {
    get session() {
      return session;
    },
    get keys() {
      return keys;
    },
    store,
    guests,
    guest({ name = "bob", role = "writer" } = {}) {
      const { guest } = guests.admit({ session: row.id, name, role, device: "", invite: null });
      return { name, role, guest: guest.id, from: "127.0.0.1" };
    },
    agents,
    async join(identity = {}, resume) {
      const pair = linkedPair();
      session.clients.join(pair.relay, { name: "ann", role: "admin", ...identity });
      const client = new Client(
        {
          kind: "desktop",
          device: "test",
          toast: () => "log",
          notify: () => "log",
          viewport: () => ({ cols: 160, rows: 48 }),
        },
        resume,
      );
      await client.connect(pair.client);
      return client;
    },
    tell: (event) => shells.tell(event),
    async reopen() {
      await session[Symbol.asyncDispose]();
      shells = paperShells(program);
      session = open();
    },
    crash() {
      crashed.push(session);
      shells = paperShells(program);
      session = open();
    },
    async [Symbol.asyncDispose]() {
      // A process that crashes has no timers left, which would need the store.
      for (const one of [...crashed, session]) await one[Symbol.asyncDispose]();
      guests[Symbol.dispose]();
      store[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** A shell's record, running, as the store keeps it. */
export function shellRecord(id: number, more: Partial<Shell> = {}): Shell {
  return {
    id: id as ShellId,
    title: "bash",
    cwd: "/",
    command: "/bin/bash",
    pid: 1000 + id,
    cols: 80,
    rows: 24,
    running: true,
    exitCode: null,
    ownerClientId: null,
    owner: null,
    createdAt: new Date(0).toISOString(),
    ...more,
  };
}

export function paperShells(program = "/bin/bash") {
  const known = new Set<number>();
  const running = new Set<number>();
  const receivers = new Set<(event: ShellEvent) => void>();
  const written: [number, Uint8Array | string][] = [];
  const tell = (event: ShellEvent) => {
    if ((event.kind === "exited" || event.kind === "lost") && !running.delete(event.id)) return;
    for (const receive of receivers) receive(event);
  };
  const host = standInShellHost({
    async spawn({ id, cwd = "/home" }) {
      known.add(id);
      running.add(id);
      return { pid: 1000 + id, command: program, cwd };
    },
    async write(id, data) {
      written.push([id, data]);
      return { queued: 0 };
    },
    keys: async () => ({ queued: 0 }),
    resize: async () => undefined,
    async close({ shell: id }) {
      tell({ kind: "lost", id });
    },
    async forget({ shell: id }) {
      known.delete(id);
    },
    has: (id) => known.has(id),
    read: async () => ({ output: "", chunks: 0, offset: 0, end: 0, missed: 0 }),
    type: async () => ({ offset: 0, queued: 0 }),
    run: async () => ({ exitCode: 0, durationMs: 0, cwd: null, output: "", start: 0, end: 0, missed: 0 }),
    waitFor: async () => ({ kind: "idle", matched: null, exitCode: null, signal: null, offset: 0, end: 0 }),
    onEvent(receive) {
      receivers.add(receive);
      return () => receivers.delete(receive);
    },
    async dispose() {
      for (const id of running) tell({ kind: "lost", id });
      known.clear();
    },
  });
  return { host, tell, written };
}
