import type { Writable } from "node:stream";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { ResourcePlace } from "./resources.ts";

/** Resources that a client may watch at a time. */
const MOST = 100;
/** A resource that changes all the time is told of this often. */
const PAUSE_MS = 1000;
/** Output of a shell that arrives before the client was told of it, in bytes. */
const WINDOW_BYTES = 4096;

interface WatchedResourcesOptions {
  readonly sessions: Pick<Sessions, "all" | "find">;
  /** Tells the client, over the stream that it listens to. */
  readonly tell: (uri: string) => void;
}

/**
 * The resources that a client watches. A change is told once however much changes, at most once a second, and not before
 * the client has read what it was sent: a client that reads nothing costs nothing.
 */
export class WatchedResources implements Disposable {
  readonly #options: WatchedResourcesOptions;
  readonly #watched = new Map<string, () => void>();
  readonly #changed = new Map<string, () => void>();
  #stream: Writable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(options: WatchedResourcesOptions) {
    this.#options = options;
  }

  /** @throws RemoteError `limit_reached`, `unknown_session`, `unknown_shell`, `invalid_request` */
  add(uri: string, place: ResourcePlace): void {
    if (this.#watched.has(uri)) return;
    if (!place.isWatched) {
      throw new RemoteError(
        "invalid_request",
        "Changes of the history are not told: read it again, or subscribe to the shell.",
      );
    }
    if (this.#watched.size >= MOST) {
      throw new RemoteError("limit_reached", `A connection watches at most ${MOST} resources: unsubscribe from some.`);
    }
    this.#watched.set(
      uri,
      place.shell === undefined ? this.#watchConversation(uri, place) : this.#watchShell(uri, place.shell),
    );
  }

  remove(uri: string): void {
    this.#watched.get(uri)?.();
    this.#watched.delete(uri);
    this.#changed.delete(uri);
  }

  /** Tells changes over a stream from now on, until it is closed. */
  listen(stream: Writable): void {
    this.#stream = stream;
    stream.once("close", () => {
      if (this.#stream === stream) this.#stream = undefined;
    });
    stream.on("drain", () => this.#plan());
    this.#plan();
  }

  [Symbol.dispose](): void {
    for (const uri of [...this.#watched.keys()]) this.remove(uri);
    clearTimeout(this.#timer);
    this.#stream = undefined;
  }

  #watchShell(uri: string, { session: id, shell }: NonNullable<ResourcePlace["shell"]>): () => void {
    const session = this.#options.sessions.find(id);
    if (session === undefined) throw new RemoteError("unknown_session", "No session has this id.");
    // A shell that has ended prints no more.
    if (!session.shells.host.has(session.shells.get(shell).id)) return () => undefined;
    let unread = 0;
    const subscription = session.shells.host.follow(
      shell,
      { window: WINDOW_BYTES, plain: false },
      {
        text: (_text, offset, to) => {
          unread += to - offset;
          this.#change(uri, () => {
            subscription.acknowledge(unread);
            unread = 0;
          });
        },
        missed: () => undefined,
        end: () => this.#change(uri, () => undefined),
      },
    );
    return () => subscription.stop();
  }

  #watchConversation(uri: string, { params }: ResourcePlace): () => void {
    const { agentSessionId } = { agentSessionId: undefined, ...params };
    const watch = ({ state }: Session) =>
      state.events.subscribe(({ event }) => {
        const isOfAgent =
          event.type === "agent.updated" || event.type === "agent.waiting" || event.type === "agent.ended";
        if (isOfAgent && event.data.sessionId === agentSessionId) this.#change(uri, () => undefined);
      });
    const stops = this.#options.sessions.all().map(watch);
    return () => {
      for (const stop of stops) stop();
    };
  }

  #change(uri: string, told: () => void): void {
    this.#changed.set(uri, told);
    this.#plan();
  }

  #plan(): void {
    if (this.#timer !== undefined || this.#changed.size === 0) return;
    const { writableNeedDrain = true } = this.#stream ?? {};
    if (writableNeedDrain) return;
    const waitMs = Math.max(0, this.#toldAt + PAUSE_MS - performance.now());
    this.#timer = setTimeout(() => this.#tell(), waitMs).unref();
  }

  #tell(): void {
    this.#timer = undefined;
    if (this.#stream === undefined || this.#stream.writableNeedDrain) return;
    this.#toldAt = performance.now();
    const changed = [...this.#changed];
    this.#changed.clear();
    for (const [uri, told] of changed) {
      this.#options.tell(uri);
      told();
    }
  }
}
