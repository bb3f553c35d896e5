import type { AskableName, AskInput, AskResult } from "../commands/asked.ts";
import { closesTilesOnExit } from "../commands/close-on-exit.ts";
import { CommandContext, type Self } from "../commands/context.ts";
import { type MethodName, runMethod } from "../commands/index.ts";
import { showShell } from "../commands/show-shell.ts";
import { specOf } from "../commands/specs.ts";
import { applyDiff } from "../protocol/apply-diff.ts";
import { errorText } from "../protocol/error-text.ts";
import { RemoteError, unreachable, withTarget } from "../protocol/errors.ts";
import type { RelayEvent } from "../protocol/events.ts";
import { PROTOCOL_VERSION, REPLACED, type RelayFrame } from "../protocol/frames.ts";
import type { CommandTarget, ShellId } from "../protocol/ids.ts";
import type { ClientLink } from "../protocol/link.ts";
import type { SessionDiff, SessionMirror } from "../protocol/mirror.ts";
import { parseParams } from "../protocol/parse-params.ts";
import { checkRole } from "../protocol/roles.ts";
import { type ClientState, focusOf, freshState, restoreState, withoutTiles } from "../state/client-state.ts";
import { ClientStore } from "../state/client-store.ts";
import type { ClientHost } from "../state/ports.ts";
import { PendingAsks } from "./pending-asks.ts";
import { TerminalSubscriptions } from "./terminal-subscriptions.ts";

/** The session as known since the relay's last welcome. */
interface Joined {
  readonly self: Self;
  readonly link: ClientLink;
  mirror: SessionMirror;
}

/** What a request is part of, in place of the user at the view: a command of the relay, by its id, or a plugin's. */
interface Doer {
  readonly command?: number | undefined;
  readonly by?: "plugin" | undefined;
}

/**
 * A client: announces itself to the relay, keeps a mirror of the session, executes commands on its own state, and
 * returns their results. Views are optional and attach with `subscribe`.
 */
export class Client {
  readonly state = new ClientStore(freshState);
  readonly terminals = new TerminalSubscriptions();
  readonly #host: ClientHost;
  readonly #asks = new PendingAsks();
  readonly #views = new Set<() => void>();
  readonly #eventListeners = new Set<(event: RelayEvent) => void>();
  #link: ClientLink | undefined;
  #joined: Joined | undefined;
  #resume: string | undefined;
  #hasState = false;
  #reacting = false;

  constructor(host: ClientHost, resume?: string) {
    this.#host = host;
    this.#resume = resume;
    this.state.subscribe(() => {
      this.#publishState();
      this.#notifyViews();
    });
  }

  /** Who this client is in the session; undefined while it is not connected. */
  get self(): Self | undefined {
    return this.#joined?.self;
  }

  /** The latest known state of the session; undefined before the first welcome. */
  get mirror(): SessionMirror | undefined {
    return this.#joined?.mirror;
  }

  /** Token that identifies this client to the relay after a lost connection. */
  get resumeToken(): string | undefined {
    return this.#resume;
  }

  /** Whether the state changes now because the session did: no one has changed the layout. */
  get reacting(): boolean {
    return this.#reacting;
  }

  /** Switches to this link. Resolves when the relay welcomes the client; rejects if the link closes before that. */
  connect(link: ClientLink): Promise<void> {
    const { kind: clientKind, device } = this.#host;
    this.#link?.close("replaced by a new connection");
    this.#link = link;
    return new Promise((resolve, reject) => {
      link.onClose((reason) => {
        reject(new RemoteError("client_gone", reason));
        this.#handleDisconnect(link, reason);
      });
      link.onFrame((frame) => {
        if (frame.type === "bytes") this.terminals.receive(frame);
        else if (frame.type === "welcome") {
          this.#handleWelcome(link, frame);
          resolve();
        } else this.#receive(frame);
      });
      link.send({
        type: "hello",
        protocol: PROTOCOL_VERSION,
        device,
        clientKind,
        ...(this.#resume === undefined ? {} : { resume: this.#resume }),
      });
    });
  }

  disconnect(reason: string): void {
    this.#link?.close(reason);
  }

  /** Calls `view` after every change of state, mirror or connection. Returns an unsubscribe function. */
  subscribe(view: () => void): () => void {
    this.#views.add(view);
    return () => this.#views.delete(view);
  }

  onEvent(listener: (event: RelayEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /**
   * Executes a command for a view of this client. Readers can rearrange their own screen; the relay rejects operations
   * that their role does not allow. `by`: not the person at the view. Rejects with a RemoteError.
   */
  async execute(method: string, params: unknown, by?: "plugin"): Promise<unknown> {
    const spec = specOf(method);
    if (spec === undefined) throw new RemoteError("unknown_method", `No method ${method}.`);
    const { value } = await this.#run(method as MethodName, { params: parseParams(spec.params, params), by });
    return value;
  }

  /** Requests an operation that only the relay can execute. Rejects with a RemoteError when the relay refuses it. */
  ask<K extends AskableName>(op: K, params: AskInput<K>): Promise<AskResult<K>> {
    return this.#ask(op, params, {}) as Promise<AskResult<K>>;
  }

  #ask(op: string, params: unknown, { command, by }: Doer): Promise<unknown> {
    const link = this.#link;
    if (link === undefined) return Promise.reject(new RemoteError("no_client", "Not connected to the relay."));
    const part = { ...(command !== undefined && { for: command }), ...(by !== undefined && { by }) };
    return this.#asks.open((id) => link.send({ type: "ask", id, op, params, ...part }));
  }

  #handleWelcome(link: ClientLink, welcome: RelayFrame & { type: "welcome" }): void {
    this.#joined = {
      self: { id: welcome.client, name: welcome.name, role: welcome.role },
      link,
      mirror: welcome.mirror,
    };
    this.#resume = welcome.resume;
    const saved = this.#hasState ? undefined : restoreState(welcome.saved);
    // The relay missed changes made while the link was down.
    if (this.#hasState) this.#publishState();
    this.#hasState = true;
    if (saved !== undefined) this.#react(() => saved);
    const shown = new Set<number>(
      welcome.mirror.shells.filter((shell) => !closesTilesOnExit(shell)).map(({ id }) => id),
    );
    this.#removeTilesOf((shell) => !shown.has(shell));
    this.terminals.connect(link);
    this.#notifyViews();
  }

  #handleDisconnect(link: ClientLink, reason: string): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    // Another connection resumed this client. Resuming again would make the two replace each other forever.
    if (reason === REPLACED) this.#resume = undefined;
    this.#asks.refuseAll(`The connection to the relay was lost: ${reason}.`);
    this.terminals.disconnect();
    this.#notifyViews();
  }

  /** Whether the link is open and the relay has welcomed this client over it. */
  get connected(): boolean {
    return this.#link !== undefined && this.#joined?.link === this.#link;
  }

  #receive(frame: Exclude<RelayFrame, { type: "welcome" }>): void {
    switch (frame.type) {
      case "execute":
        this.#execute(frame);
        break;
      case "diff":
        this.#applyDiff(frame.diff);
        break;
      case "answer":
        this.#asks.answer(frame.id, frame.value);
        break;
      case "refused":
        this.#asks.refuse(frame.id, frame.error);
        break;
      case "event":
        for (const listener of [...this.#eventListeners]) listener(frame.event);
        break;
      case "adopted":
        showShell({ state: this.state, host: this.#host }, frame.shell, frame.focus ?? true);
        break;
      case "missed":
        this.terminals.missed(frame.shell, frame);
        break;
      default:
        unreachable(frame);
    }
  }

  #applyDiff(diff: SessionDiff): void {
    if (this.#joined === undefined) return;
    const before = this.#joined.mirror;
    this.#joined.mirror = applyDiff(before, diff);
    if (diff.kind === "client" && diff.client.id === this.#joined.self.id) {
      this.#joined = { ...this.#joined, self: { ...this.#joined.self, role: diff.client.role } };
    }
    if (diff.kind === "shell-gone") {
      if (diff.by !== undefined) this.#replaceShell(diff.id, diff.by);
      this.#removeTilesOf((shell) => shell === diff.id);
    }
    // Only at the moment it ends: a tile opened later to read the output stays.
    if (diff.kind === "shell" && closesTilesOnExit(diff.shell) && isRunning(before, diff.shell.id)) {
      this.#removeTilesOf((shell) => shell === diff.shell.id);
    }
    this.#notifyViews();
  }

  #replaceShell(old: ShellId, by: ShellId): void {
    this.#react((now) => {
      const tiles = Object.entries(now.tiles).map(([key, tile]) => [
        key,
        showsShell(tile.type) && tile.id === old ? { ...tile, id: by } : tile,
      ]);
      return { ...now, tiles: Object.fromEntries(tiles) };
    });
  }

  #removeTilesOf(gone: (shell: number) => boolean): void {
    this.#react((now) => {
      const tiles = Object.values(now.tiles).filter((tile) => showsShell(tile.type) && gone(tile.id));
      return tiles.length === 0
        ? now
        : withoutTiles(
            now,
            tiles.map((tile) => tile.key),
          );
    });
  }

  #react(change: (now: ClientState) => ClientState): void {
    this.#reacting = true;
    try {
      this.state.update(change);
    } finally {
      this.#reacting = false;
    }
  }

  /** Executes a command from the relay, which has already parsed the parameters. Getters answer synchronously. */
  #execute({ id, method, params, source, keepFocus }: RelayFrame & { type: "execute" }): void {
    let outcome: Execution | Promise<Execution>;
    try {
      checkRole(method, specOf(method)?.role ?? "admin", this.#joined?.self.role ?? "reader");
      outcome = this.#run(method as MethodName, { params, source, keepFocus, command: id });
    } catch (error) {
      this.#fail(id, error);
      return;
    }
    const answer = ({ value, hit }: Execution) => this.#link?.send({ type: "result", id, value, hit });
    if (!(outcome instanceof Promise)) answer(outcome);
    else outcome.then(answer, (error: unknown) => this.#fail(id, error));
  }

  #run(
    method: MethodName,
    {
      params,
      source,
      keepFocus,
      ...doer
    }: Pick<RelayFrame & { type: "execute" }, "params" | "source" | "keepFocus"> & Doer,
  ): Execution | Promise<Execution> {
    const { self } = this.#joined ?? throwNotConnected();
    const mirror = () => this.#joined?.mirror ?? throwNotConnected();
    if (specOf(method) === undefined) {
      throw new RemoteError("unknown_method", `This client has no method ${method}: it runs another version.`);
    }
    const state = keepFocus === true ? this.state.keepingFocus() : this.state;
    const context = new CommandContext({
      self,
      mirror,
      source,
      state: () => state,
      host: this.#host,
      request: (name, given) => this.#ask(name, given, doer),
    });
    const { hit } = context;
    try {
      const value: unknown = runMethod(method, context, params);
      if (!(value instanceof Promise)) return { value, hit };
      return value.then(
        (settled: unknown) => ({ value: settled, hit }),
        (error: unknown) => Promise.reject(withTarget(error, hit)),
      );
    } catch (error) {
      throw withTarget(error, hit);
    }
  }

  #fail(id: number, error: unknown): void {
    const failure =
      error instanceof RemoteError
        ? { code: error.code, message: error.message }
        : { code: "client_failed", message: errorText(error) };
    const target = error instanceof RemoteError ? { hit: error.hit } : {};
    this.#link?.send({ type: "failed", id, error: failure, ...target });
  }

  #publishState(): void {
    const { now } = this.state;
    this.#link?.send({ type: "state", focus: focusOf(now), workspace: now.active, saved: now });
  }

  #notifyViews(): void {
    for (const view of [...this.#views]) view();
  }
}

interface Execution {
  readonly value: unknown;
  readonly hit: CommandTarget;
}

function isRunning({ shells }: SessionMirror, id: ShellId): boolean {
  return shells.some((shell) => shell.id === id && shell.running);
}

function showsShell(type: string): boolean {
  return type === "shell" || type === "peek";
}

function throwNotConnected(): never {
  throw new RemoteError("no_client", "Not connected to the relay yet.");
}
