import { homedir } from "node:os";
import { basename } from "node:path";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ClientId, SessionId, ShellId } from "../../../core/protocol/ids.ts";
import { limits } from "../../../core/protocol/limits.ts";
import type { Role, Shell, ShellLease } from "../../../core/protocol/records.ts";
import type { OpParams } from "../../../core/protocol/relay-ops.ts";
import type { CallLimit, InputResult, ShellEvent, ShellHost } from "../../../core/protocol/shell-host.ts";
import { Undo } from "../../../core/undo.ts";
import { namedExit } from "../../system/signal-names.ts";
import type { Keys, Membership, PersonMembership } from "../access/keys.ts";
import { ignoreDiskErrors } from "../store/disk-errors.ts";
import type { ShellEnding, ShellStart } from "../store/shell-rows.ts";
import type { Store } from "../store/store.ts";
import { endCause } from "./reconcile-shells.ts";
import type { SessionState } from "./session-state.ts";
import { ShellSignals } from "./shell-signals.ts";
import {
  keptRecord,
  type Launch,
  launchAgain,
  membershipAgain,
  type StartedAgain,
  shellEnvironment,
  startOf,
} from "./shell-start.ts";
import { endableBy, type ShellUser } from "./shell-user.ts";
import { Throttle } from "./throttle.ts";

/** How a shell ended: both null when that is not known. */
interface ShellEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

interface Start {
  /** How it is started again; undefined where that is not known. */
  readonly again: ShellStart | undefined;
  readonly known: Partial<Shell> & Pick<Shell, "ownerClientId" | "owner">;
  /** What the shell's token may at most. */
  readonly membership: PersonMembership;
  readonly limit: CallLimit;
}

/** A shell's folder and foreground program are stored at most this often: a crash leaves nothing older. */
const STORE_EVERY_MS = 250;

/** Programs set titles many times a second (spinners): they are passed on at most this often. */
const TITLE_EVERY_MS = 250;

interface SessionShellsOptions {
  readonly session: SessionId;
  readonly owner: string;
  readonly state: SessionState;
  readonly store: Store;
  readonly keys: Keys;
  readonly host: ShellHost;
  /** Address of the relay, for the environment of the shells. */
  readonly url: () => string;
  /** The data folder, for the environment of the shells; undefined where there is none. */
  readonly dataFolder?: string | undefined;
  readonly membership: (user: ShellUser) => PersonMembership;
}

/** The shells of a session: their records, their owners and who may do what with them. */
export class SessionShells implements AsyncDisposable {
  readonly #options: SessionShellsOptions;
  readonly #undo = new Undo();
  /** Shells whose end was heard before their start had been told. */
  readonly #ended = new Map<number, ShellEnd>();
  #starting = 0;
  readonly #titles = new Throttle<string>(TITLE_EVERY_MS, (id, title) => this.#tellTitle(id, title));
  readonly #changed = new Throttle<true>(STORE_EVERY_MS, (id) => this.#store(id));
  /** The relay ends all shells. */
  #stopping = false;
  readonly #signals: ShellSignals;

  constructor(options: SessionShellsOptions) {
    this.#options = options;
    this.#undo.add(options.host.onEvent((event) => this.#heard(event)));
    this.#signals = new ShellSignals(options.state, (id) => this.find(id));
    for (const one of [this.#titles, this.#changed, this.#signals]) this.#undo.add(() => one.dispose());
  }

  get host(): ShellHost {
    return this.#options.host;
  }

  /** The shell of that id. Throws `unknown_shell`. */
  get(id: ShellId): Shell {
    const shell = this.find(id);
    if (shell === undefined) throw new RemoteError("unknown_shell", `No shell ${id} in this session.`);
    return shell;
  }

  find(id: number): Shell | undefined {
    return this.#options.state.now.shells.find((shell) => shell.id === id);
  }

  /** Starts a shell that belongs to the client; resolves when its process runs. `makers` as its record tells them. */
  create(
    user: ShellUser,
    wanted: OpParams<"createShell">,
    { makers, ...limit }: { makers?: readonly string[] | undefined } & CallLimit = {},
  ): Promise<Shell> {
    const { title, hold = wanted.exec === undefined, ...launch } = wanted;
    const known: Start["known"] = {
      ...(title === undefined ? {} : { title, titleFixed: true }),
      ...(hold ? {} : { hold }),
      ...(wanted.exec === undefined ? {} : { direct: true }),
      ...(makers === undefined ? {} : { makers: [...makers] }),
      ownerClientId: user.id,
      owner: user.name,
    };
    const membership = this.#options.membership(user);
    const again = startOf(launch, membership.guest || membership.role !== "admin");
    return this.#start(launch, { known, membership, limit, again });
  }

  /**
   * Starts again what an ended shell ran, as a new shell in its place, and forgets the old one; `force` ends one that
   * still runs. Throws `invalid_request`, `not_your_shell`, or `spawn_failed`, after which the old shell is still there.
   *
   * @param wanted.again - what starts in place of the first command line and program of the old shell
   * @param wanted.noteNew - called with the new shell, before the old one is forgotten
   */
  async respawn(
    user: ShellUser,
    id: ShellId,
    {
      force,
      again,
      noteNew = () => undefined,
      makers,
      ...limit
    }: {
      force: boolean;
      again?: StartedAgain;
      noteNew?: (id: ShellId) => void;
      makers?: readonly string[] | undefined;
    } & CallLimit,
  ): Promise<Shell> {
    const { host } = this.#options;
    const old = endableBy(user, this.get(id), "run it again");
    if (old.running && !force) {
      throw new RemoteError("invalid_request", `Shell ${id} is running: close it first, or use force.`);
    }
    const start = this.#options.store.shells
      .listStored(this.#options.session)
      .find(({ shell }) => shell.id === id)?.start;
    if (again === undefined && !host.has(id) && start === undefined) {
      const sentence = `Shell ${id} ended together with the shell host, so how it was started is unknown: create another.`;
      throw new RemoteError("invalid_request", sentence);
    }
    if (old.running) await host.close({ shell: id }, limit);
    const next = await this.#start(launchAgain(old, { start, again, isKept: host.has(id) }), {
      limit,
      again: start,
      membership: membershipAgain(user.id, this.#options.membership(user), { old, start }),
      known: {
        ...keptRecord(old, makers),
        ownerClientId: old.ownerClientId ?? user.id,
        owner: old.owner ?? user.name,
      },
    });
    noteNew(next.id);
    if (host.has(id)) await host.forget({ shell: id }, limit);
    this.#forget(id, next.id);
    return this.find(next.id) ?? next;
  }

  async #start(launch: Launch, { known, membership, limit, again }: Start): Promise<Shell> {
    const { state, store, session, host, keys, owner, url } = this.#options;
    if (state.now.shells.filter((shell) => shell.running).length + this.#starting >= limits.shellsPerSession) {
      throw new RemoteError(
        "limit_reached",
        `A session holds at most ${limits.shellsPerSession} running shells: close one first.`,
      );
    }
    const id = store.sessions.nextShellId(session);
    const { token, revoke } = keys.createShellToken(owner, session, id, membership);
    this.#starting += 1;
    try {
      const env = { ...launch.env, ...shellEnvironment({ ...this.#options, url: url() }, id, token) };
      const { pid, command, cwd } = await host.spawn({ ...launch, id, env }, limit);
      const title = basename(command);
      const shell: Shell = {
        id,
        title,
        cwd,
        command,
        home: env.HOME ?? launch.inherit?.HOME ?? homedir(),
        pid,
        // A program has no prompt to be at, and may print nothing that would have it looked up.
        ...(known.direct === true ? { process: title } : {}),
        cols: launch.cols,
        rows: launch.rows,
        running: true,
        exitCode: null,
        signal: null,
        ...known,
        createdAt: new Date().toISOString(),
      };
      this.#save(shell, again === undefined ? {} : { start: again });
      state.emit({ type: "shell.created", data: { shell } });
      const early = this.#ended.get(id);
      if (early === undefined) return shell;
      this.#exited(id, early);
      return this.get(id);
    } catch (error) {
      revoke();
      // The shell runs, but could not be stored, and no client knows it.
      if (host.has(id)) host.forget({ shell: id }).catch(() => undefined);
      throw error;
    } finally {
      this.#starting -= 1;
    }
  }

  /** Ends a shell and forgets it. Throws `not_your_shell` for another's, unless the client is an admin. */
  async close(user: ShellUser, id: ShellId, limit?: CallLimit): Promise<void> {
    const shell = endableBy(user, this.get(id), "end it");
    if (shell.running) await this.#options.host.close({ shell: id }, limit);
    if (this.#options.host.has(id)) await this.#options.host.forget({ shell: id }, limit);
    this.#forget(id);
  }

  /** Types into a shell. Throws `shell_exited` when nothing runs in it any more. */
  write(id: ShellId, data: string, limit?: CallLimit): Promise<InputResult> {
    this.running(id);
    return this.#options.host.write(id, data, limit);
  }

  async resize(id: ShellId, { cols, rows }: { cols: number; rows: number }, limit?: CallLimit): Promise<void> {
    const shell = this.running(id);
    if (shell.cols === cols && shell.rows === rows) return;
    await this.#options.host.resize({ shell: id, cols, rows }, limit);
    this.#change(id, { cols, rows });
  }

  /** The shell of that id, which must still run. */
  running(id: ShellId): Shell {
    const shell = this.get(id);
    if (!shell.running) throw new RemoteError("shell_exited", `Shell ${id} has ended: create another.`);
    return shell;
  }

  /** Whether it is restricted, in place of the session's setting and of what made it. */
  setRestricted(id: ShellId, restricted: boolean): void {
    const shell = this.get(id);
    this.#save({ ...shell, restricted });
    if (restricted && shell.restricted !== true) this.#options.keys.endOpenOfShell(this.#options.session, id);
  }

  /** Ends what programs have opened in the shells that follow the session's setting, after it has restricted them. */
  endOpenOfUnset(): void {
    for (const { id, running, restricted } of this.#options.state.now.shells) {
      if (running && restricted === undefined) this.#options.keys.endOpenOfShell(this.#options.session, id);
    }
  }

  /** Shows who has the writer lease of a shell. Not stored: no lease outlives the relay. */
  setLease(id: ShellId, lease: ShellLease | undefined): void {
    const shell = this.find(id);
    if (shell === undefined) return;
    const { lease: _, ...without } = shell;
    this.#options.state.apply({ kind: "shell", shell: lease === undefined ? without : { ...without, lease } });
  }

  setOwner(id: ShellId, owner: ShellUser | null): void {
    const shell = this.find(id);
    if (owner !== null) this.#options.keys.lowerShellToken(this.#options.session, id, this.#options.membership(owner));
    if (shell === undefined) return;
    const handed = owner !== null && owner.id !== shell.ownerClientId ? ({ handed: true } as const) : {};
    this.#save({ ...shell, ...handed, ownerClientId: owner?.id ?? null, owner: owner?.name ?? null });
  }

  /** Lowers what the programs in a client's shells may do to at most this, and in shells that take their places. */
  lowerRights(client: ClientId, membership: Membership): void {
    const { session, store, keys, state } = this.#options;
    const isLess = membership.guest || membership.role !== "admin";
    for (const { id, ownerClientId } of state.now.shells) {
      if (ownerClientId !== client) continue;
      keys.lowerShellToken(session, id, membership);
      const stored = isLess ? store.shells.listStored(session).find(({ shell }) => shell.id === id) : undefined;
      if (stored?.start === undefined) continue;
      store.shells.put(session, stored.shell, { start: { ...stored.start, byGuest: true } });
    }
  }

  /**
   * Lowers what the programs in a guest's shells may do to at most the guest's role, however long ago the guest left.
   * Without a role, because the guest was removed, they may do nothing.
   */
  setRightsOfGuest(guest: string, role: Role | undefined): void {
    const { keys, session } = this.#options;
    if (role === undefined) keys.revokeTokensOfGuest(session, guest);
    else keys.lowerTokensOfGuest(session, guest, { role, guest: true });
  }

  /** The client is gone for good: its shells run on, unowned. */
  disown(client: ClientId): void {
    for (const shell of this.#options.state.now.shells) {
      if (shell.ownerClientId === client) this.setOwner(shell.id, null);
    }
  }

  /** Ends all shells, unless they are to outlive the relay; what becomes of them is written down before this resolves. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    await this.#options.host.dispose();
    this.#undo.dispose();
  }

  #save(shell: Shell, more: { readonly start?: ShellStart } = {}): void {
    this.#options.store.shells.put(this.#options.session, persistentPart(shell), more);
    this.#options.state.apply({ kind: "shell", shell });
  }

  /** Stores what a shell is by now, for the case that nothing can be written at its end. */
  #store(id: number): void {
    const shell = this.find(id);
    if (shell?.running !== true) return;
    ignoreDiskErrors(() => this.#options.store.shells.put(this.#options.session, persistentPart(shell)));
  }

  /** `by`: the shell that takes its place. */
  #forget(id: ShellId, by?: ShellId): void {
    this.#ended.delete(id);
    this.#options.keys.revokeShellTokens(this.#options.session, id);
    this.#options.store.shells.remove(this.#options.session, id);
    this.#options.state.apply({ kind: "shell-gone", id, ...(by === undefined ? {} : { by }) });
  }

  #heard(event: ShellEvent): void {
    switch (event.kind) {
      case "exited":
        this.#exited(event.id, namedExit(event));
        break;
      case "lost":
        this.#exited(event.id, { exitCode: null, signal: null });
        break;
      case "title":
        this.#titles.push(event.id, event.title);
        break;
      case "cwd":
        this.#change(event.id, { cwd: event.cwd });
        this.#changed.push(event.id, true);
        break;
      case "activity":
        this.#change(event.id, { activeAt: new Date(event.at).toISOString() });
        break;
      case "process":
        this.#change(event.id, { process: event.process, commandLine: event.commandLine });
        this.#changed.push(event.id, true);
        if (event.process === null) this.#signals.end(event.id);
        break;
      case "signal":
        this.#signals.push(event.id, event.signal);
        break;
    }
  }

  #exited(id: number, end: ShellEnd): void {
    const { state, keys, session, store } = this.#options;
    this.#signals.end(id);
    const shell = this.find(id);
    if (shell === undefined) {
      this.#ended.set(id, end);
      return;
    }
    this.#ended.delete(id);
    keys.revokeShellTokens(session, shell.id);
    const ended: Shell = { ...shell, running: false, ...end, pid: null, process: null };
    state.apply({ kind: "shell", shell: ended });
    state.emit({ type: "shell.exited", data: { shellId: shell.id, ...end } });
    const { process = null } = shell;
    const cause = this.#stopping ? "stopped" : endCause(ended, true);
    const ending: ShellEnding = { cause, at: new Date().toISOString(), process };
    // Last, because it has happened whether it can be written down or not; the next start takes stock anyway.
    store.shells.put(session, persistentPart(ended), { ending });
  }

  #tellTitle(id: number, title: string): void {
    const shell = this.find(id);
    if (shell === undefined || shell.title === title || shell.titleFixed === true) return;
    this.#change(id, { title });
    this.#options.state.emit({ type: "shell.title", data: { shellId: shell.id, title } });
  }

  #change(id: number, change: Partial<Shell>): void {
    const shell = this.find(id);
    if (shell !== undefined) this.#options.state.apply({ kind: "shell", shell: { ...shell, ...change } });
  }
}

/** Returns what of a shell is true after a restart of the relay too. */
function persistentPart({ lease: _lease, progress: _progress, commandLine: _line, ...persistent }: Shell): Shell {
  return persistent;
}
