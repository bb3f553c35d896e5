import { CommandContext, Delegated, type Self } from "../commands/context.ts";
import { closesItsTiles } from "../commands/drop-done.ts";
import { type MethodName, runnable } from "../commands/index.ts";
import { showShell } from "../commands/show-shell.ts";
import { specOf } from "../commands/specs.ts";
import { RemoteError, unreachable } from "../protocol/errors.ts";
import type { RelayEvent } from "../protocol/events.ts";
import { foldDiff } from "../protocol/fold-diff.ts";
import { type Hit, PROTOCOL_VERSION, REPLACED, type RelayFrame } from "../protocol/frames.ts";
import type { ShellId } from "../protocol/ids.ts";
import type { ClientLink } from "../protocol/link.ts";
import type { SessionDiff, SessionMirror } from "../protocol/mirror.ts";
import { parseParams } from "../protocol/parse-params.ts";
import type { OpInput, OpResult, RelayOp } from "../protocol/relay-ops.ts";
import { checkRole } from "../protocol/roles.ts";
import { focusOf, freshState, restoreState, withoutTiles } from "../state/client-state.ts";
import { ClientStore } from "../state/client-store.ts";
import type { ClientHost } from "../state/ports.ts";
import { PendingAsks } from "./pending-asks.ts";
import { TerminalStreams } from "./terminal-streams.ts";

/** What is known once the relay has welcomed the client. */
interface Joined {
  readonly self: Self;
  readonly link: ClientLink;
  mirror: SessionMirror;
}

/**
 * A client: announces itself to the relay, keeps a mirror of the session, executes commands on its own state, and
 * answers. Views attach from outside with `subscribe`; without any it works just the same.
 */
export class Client {
  readonly state = new ClientStore(freshState);
  readonly terminals = new TerminalStreams();
  readonly #host: ClientHost;
  readonly #asks = new PendingAsks();
  readonly #views = new Set<() => void>();
  readonly #eventListeners = new Set<(event: RelayEvent) => void>();
  #link: ClientLink | undefined;
  #joined: Joined | undefined;
  #resume: string | undefined;
  #known = false;

  constructor(host: ClientHost, resume?: string) {
    this.#host = host;
    this.#resume = resume;
    this.state.subscribe(() => {
      this.#tellState();
      this.#changed();
    });
  }

  /** Who this client is in the session; undefined while it is not connected. */
  get self(): Self | undefined {
    return this.#joined?.self;
  }

  /** The session as last heard of; undefined before the first welcome. */
  get mirror(): SessionMirror | undefined {
    return this.#joined?.mirror;
  }

  /** Proves to the relay, after a cut, that this is the same client. */
  get resumeToken(): string | undefined {
    return this.#resume;
  }

  /** Speaks over this link from now on. Resolves with the relay's welcome; rejects when the link closes before it. */
  connect(link: ClientLink): Promise<void> {
    const { kind: clientKind, device } = this.#host;
    this.#link?.close("replaced by a new connection");
    this.#link = link;
    return new Promise((resolve, reject) => {
      link.onClose((reason) => {
        reject(new RemoteError("client_gone", reason));
        this.#left(link, reason);
      });
      link.onFrame((frame) => {
        if (frame.type === "bytes") this.terminals.receive(frame.shell, frame.offset, frame.bytes);
        else if (frame.type === "welcome") {
          this.#welcomed(link, frame);
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

  /** Calls the view after every change of state, mirror or connection. */
  subscribe(view: () => void): () => void {
    this.#views.add(view);
    return () => this.#views.delete(view);
  }

  onEvent(listener: (event: RelayEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /**
   * Executes a command for a view of this client. A reader's view may arrange its own screen; what needs the relay is
   * refused there. Rejects with a RemoteError when it is refused.
   */
  async execute(method: string, params: unknown): Promise<unknown> {
    const spec = specOf(method);
    if (spec === undefined) throw new RemoteError("unknown_method", `No method ${method}.`);
    const { value } = await this.#run(method as MethodName, { params: parseParams(spec.params, params) });
    return value instanceof Delegated ? this.ask(value.op, value.params as never) : value;
  }

  /** Asks the relay for what only the relay has. Rejects with a RemoteError when it is refused. */
  ask<K extends RelayOp>(op: K, params: OpInput<K>): Promise<OpResult<K>> {
    return this.#ask(op, params, undefined);
  }

  /** `command` is the id of the relay's command that it is part of. */
  #ask<K extends RelayOp>(op: K, params: OpInput<K>, command: number | undefined): Promise<OpResult<K>> {
    const link = this.#link;
    if (link === undefined) return Promise.reject(new RemoteError("no_client", "Not connected to the relay."));
    const part = command === undefined ? {} : { for: command };
    return this.#asks.open((id) => link.send({ type: "ask", id, op, params, ...part })) as Promise<OpResult<K>>;
  }

  #welcomed(link: ClientLink, welcome: RelayFrame & { type: "welcome" }): void {
    this.#joined = {
      self: { id: welcome.client, name: welcome.name, role: welcome.role },
      link,
      mirror: welcome.mirror,
    };
    this.#resume = welcome.resume;
    const saved = this.#known ? undefined : restoreState(welcome.saved);
    // What changed while the link was down, the relay has not heard.
    if (this.#known) this.#tellState();
    this.#known = true;
    if (saved !== undefined) this.state.update(() => saved);
    const shown = new Set<number>(welcome.mirror.shells.filter((shell) => !closesItsTiles(shell)).map(({ id }) => id));
    this.#dropTilesOf((shell) => !shown.has(shell));
    this.terminals.connect(link);
    this.#changed();
  }

  #left(link: ClientLink, reason: string): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    // Somebody else holds the seat now; asking for it again would take it from him, and he from us, without end.
    if (reason === REPLACED) this.#resume = undefined;
    this.#asks.refuseAll(`The connection to the relay was lost: ${reason}.`);
    this.terminals.disconnect();
    this.#changed();
  }

  /** Whether the link stands and the relay has welcomed this client over it. */
  get connected(): boolean {
    return this.#link !== undefined && this.#joined?.link === this.#link;
  }

  #receive(frame: Exclude<RelayFrame, { type: "welcome" }>): void {
    switch (frame.type) {
      case "execute":
        this.#execute(frame);
        break;
      case "diff":
        this.#fold(frame.diff);
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
        showShell({ state: this.state, host: this.#host }, frame.shell);
        break;
      case "missed":
        this.terminals.missed(frame.shell, frame);
        break;
      default:
        unreachable(frame);
    }
  }

  #fold(diff: SessionDiff): void {
    if (this.#joined === undefined) return;
    const before = this.#joined.mirror;
    this.#joined.mirror = foldDiff(before, diff);
    if (diff.kind === "client" && diff.client.id === this.#joined.self.id) {
      this.#joined = { ...this.#joined, self: { ...this.#joined.self, role: diff.client.role } };
    }
    if (diff.kind === "shell-gone") {
      if (diff.by !== undefined) this.#showInstead(diff.id, diff.by);
      this.#dropTilesOf((shell) => shell === diff.id);
    }
    // Only when it ends: a tile that is opened later, to read the output, stays.
    if (diff.kind === "shell" && closesItsTiles(diff.shell) && isRunning(before, diff.shell.id)) {
      this.#dropTilesOf((shell) => shell === diff.shell.id);
    }
    this.#changed();
  }

  #showInstead(old: ShellId, by: ShellId): void {
    this.state.update((now) => {
      const tiles = Object.entries(now.tiles).map(([key, tile]) => [
        key,
        showsShell(tile.type) && tile.id === old ? { ...tile, id: by } : tile,
      ]);
      return { ...now, tiles: Object.fromEntries(tiles) };
    });
  }

  #dropTilesOf(gone: (shell: number) => boolean): void {
    this.state.update((now) => {
      const tiles = Object.values(now.tiles).filter((tile) => showsShell(tile.type) && gone(tile.id));
      return tiles.length === 0
        ? now
        : withoutTiles(
            now,
            tiles.map((tile) => tile.key),
          );
    });
  }

  /** A command from the relay, whose parameters the relay has parsed. A getter answers in the same turn. */
  #execute({ id, method, params, source }: RelayFrame & { type: "execute" }): void {
    let outcome: Outcome | Promise<Outcome>;
    try {
      checkRole(method, specOf(method)?.role ?? "admin", this.#joined?.self.role ?? "reader");
      outcome = this.#run(method as MethodName, { params, source, command: id });
    } catch (error) {
      this.#fail(id, error);
      return;
    }
    if (!(outcome instanceof Promise)) this.#answer(id, outcome);
    else
      outcome.then(
        (settled) => this.#answer(id, settled),
        (error: unknown) => this.#fail(id, error),
      );
  }

  #run(
    method: MethodName,
    { params, source, command }: { params: unknown; source?: ShellId | undefined; command?: number },
  ): Outcome | Promise<Outcome> {
    const { self } = this.#joined ?? notJoined();
    const mirror = () => this.#joined?.mirror ?? notJoined();
    if (specOf(method) === undefined) {
      throw new RemoteError("unknown_method", `This client has no method ${method}: it is of another version.`);
    }
    const context = new CommandContext({
      self,
      get mirror() {
        return mirror();
      },
      source,
      state: this.state,
      host: this.#host,
      ask: (op, question) => this.#ask(op, question, command),
    });
    const value: unknown = runnable[method].run(context, params as never);
    if (value instanceof Promise) return value.then((settled: unknown) => ({ value: settled, hit: context.hit }));
    return { value, hit: context.hit };
  }

  #answer(id: number, { value, hit }: Outcome): void {
    if (value instanceof Delegated) {
      this.#link?.send({ type: "delegate", id, op: value.op, params: value.params, hit });
    } else this.#link?.send({ type: "result", id, value, hit });
  }

  #fail(id: number, error: unknown): void {
    const failure =
      error instanceof RemoteError
        ? { code: error.code, message: error.message }
        : { code: "client_failed", message: error instanceof Error ? error.message : String(error) };
    this.#link?.send({ type: "failed", id, error: failure });
  }

  #tellState(): void {
    const { now } = this.state;
    this.#link?.send({ type: "state", focus: focusOf(now), workspace: now.active, saved: now });
  }

  #changed(): void {
    for (const view of [...this.#views]) view();
  }
}

interface Outcome {
  readonly value: unknown;
  readonly hit: Hit;
}

function isRunning({ shells }: SessionMirror, id: ShellId): boolean {
  return shells.some((shell) => shell.id === id && shell.running);
}

function showsShell(type: string): boolean {
  return type === "shell" || type === "peek";
}

function notJoined(): never {
  throw new RemoteError("no_client", "Not connected to the relay yet.");
}
