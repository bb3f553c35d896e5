import type { ShellEvent, ShellHost } from "../../../core/protocol/shell-host.ts";
import type { HistoryRecorder } from "../history/recorder.ts";
import { createShellHost } from "../shell-host.ts";
import type { KeptSession } from "./protocol.ts";

interface Options {
  readonly integrationFolder: string;
  readonly log: (message: string) => void;
  readonly recorder: HistoryRecorder;
}

/** The shells of all sessions in the host process, with or without a connected relay. */
export class SessionHosts {
  readonly #options: Options;
  readonly #hosts = new Map<string, ShellHost>();
  readonly #ending = new Map<string, Promise<void>>();
  readonly #receivers = new Set<(session: string, event: ShellEvent) => void>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** The shells of a session; created on first use. */
  get(session: string): ShellHost {
    const known = this.#hosts.get(session);
    if (known !== undefined) return known;
    const { integrationFolder, log, recorder } = this.#options;
    const host = createShellHost({
      integrationFolder,
      log: (message) => log(`session ${session}: ${message}`),
      record: (shell, output) => recorder.record(session, shell, output),
    });
    host.onEvent((event) => {
      for (const receive of this.#receivers) receive(session, event);
    });
    this.#hosts.set(session, host);
    return host;
  }

  /** All shells, by session. */
  list(): KeptSession[] {
    return [...this.#hosts].map(([session, host]) => ({ session, shells: [...host.list()] }));
  }

  onEvent(receive: (session: string, event: ShellEvent) => void): () => void {
    this.#receivers.add(receive);
    return () => void this.#receivers.delete(receive);
  }

  /** The end of the session's shells while it is in progress; a stopped relay may have started it. */
  ending(session: string): Promise<void> | undefined {
    return this.#ending.get(session);
  }

  /** Ends a session's shells and forgets them. */
  end(session: string): Promise<void> {
    const ending = this.#ending.get(session) ?? this.#end(session).finally(() => this.#ending.delete(session));
    this.#ending.set(session, ending);
    return ending;
  }

  async #end(session: string): Promise<void> {
    await this.#hosts.get(session)?.dispose();
    this.#hosts.delete(session);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#hosts.keys()].map((session) => this.end(session)));
  }
}
