import type { RelayEvent } from "../../core/protocol/events.ts";
import type { SessionId } from "../../core/protocol/ids.ts";
import type { SessionRecord, Shell } from "../../core/protocol/records.ts";
import { Undo } from "../../core/undo.ts";
import { AdoptRequests } from "./adopt-requests.ts";
import type { Keys } from "./keys.ts";
import type { AgentsPort, ShellsPort } from "./ports.ts";
import { type DoOperation, relayOperations } from "./relay-operations.ts";
import { SessionClients } from "./session-clients.ts";
import { SessionFacts } from "./session-facts.ts";
import { SessionShells } from "./session-shells.ts";
import type { SessionRow, Store } from "./store/store.ts";

/** Ended shells that are still listed at the next start, besides those that were cut off; older ones are forgotten. */
const ENDED_SHELLS_KEPT = 50;

interface Parts {
  readonly row: SessionRow;
  readonly store: Store;
  readonly keys: Keys;
  readonly shellHost: ShellsPort;
  readonly agents: AgentsPort;
  readonly url: () => string;
}

/** One live session: its facts, shells and clients, independent of how anyone reaches it. */
export class Session implements AsyncDisposable {
  readonly facts: SessionFacts;
  readonly shells: SessionShells;
  readonly clients: SessionClients;
  /** Shells that were running when the relay's last run was cut off. */
  readonly endedWithLastRun: readonly Shell[];
  readonly #store: Store;
  readonly #undo = new Undo();

  constructor({ row, store, keys, shellHost, agents, url }: Parts) {
    this.#store = store;
    const { shells: known, cutOff } = takeStock(store, row.id);
    this.endedWithLastRun = cutOff;
    this.facts = new SessionFacts({
      session: row,
      clients: [],
      shells: known,
      chat: store.chat(row.id),
      tunnels: [],
      agents: [],
      adoptRequests: [],
    });
    for (const { id: shellId, exitCode } of cutOff) this.emit({ type: "shell.exited", data: { shellId, exitCode } });
    this.shells = new SessionShells({
      session: row.id,
      owner: row.owner,
      facts: this.facts,
      store,
      keys,
      host: shellHost,
      url,
    });
    const adopts = new AdoptRequests({
      facts: this.facts,
      shells: this.shells,
      adopted: (client, shell) => this.clients.get(client)?.send({ type: "adopted", shell }),
      isConnected: (client) => this.clients.get(client) !== undefined,
    });
    this.#undo.add(() => adopts[Symbol.dispose]());
    const operate: DoOperation = relayOperations({ facts: this.facts, shells: this.shells, adopts, agents, store });
    this.clients = new SessionClients({ facts: this.facts, shells: this.shells, operate, store });
    this.#undo.add(() => this.clients[Symbol.dispose]());
  }

  get id(): SessionId {
    return this.facts.now.session.id;
  }

  get owner(): string {
    return this.facts.now.session.owner;
  }

  record(): SessionRecord {
    const { session, clients, shells } = this.facts.now;
    return { ...session, userCount: clients.length, shellCount: shells.filter((shell) => shell.running).length };
  }

  rename(name: string): void {
    this.#store.renameSession(this.id, name);
    this.facts.apply({ kind: "session", name });
  }

  emit(event: RelayEvent): void {
    this.facts.emit(event);
  }

  /** Ends its shells, then sends its clients away. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.shells[Symbol.asyncDispose]();
    this.#undo.dispose();
  }
}

/** What the store knows of the shells: those that ran when it was last written have ended since, with their host. */
function takeStock(store: Store, session: SessionId): { shells: Shell[]; cutOff: Shell[] } {
  const known = store.shells(session);
  const ended = known.filter((shell) => !shell.running);
  const dropped = new Set(ended.slice(0, -ENDED_SHELLS_KEPT).map((shell) => shell.id));
  for (const id of dropped) store.removeShell(session, id);
  const shells = known
    .filter((shell) => !dropped.has(shell.id))
    .map((shell) => (shell.running ? { ...shell, running: false, pid: null } : shell));
  const ran = new Set(known.filter((shell) => shell.running).map((shell) => shell.id));
  const cutOff = shells.filter((shell) => ran.has(shell.id));
  for (const shell of cutOff) store.putShell(session, shell);
  return { shells, cutOff };
}
