import type { MachineOverview } from "../../../core/protocol/machines.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import type { OtherMachines } from "../../../core/protocol/other-machines.ts";
import { countElsewhere, openElsewhere } from "../../../core/protocol/waiting-elsewhere.ts";

const LOOK_EVERY_MS = 60_000;

interface Options {
  readonly machines: Pick<OtherMachines, "list">;
  /** Called when other questions wait on other machines than before. */
  readonly changed: () => void;
  readonly log: (line: string) => void;
}

interface JoinedSession {
  readonly id: string;
  readonly client: { readonly mirror: Pick<SessionMirror, "questions"> | undefined };
}

/** Counts what waits on other machines: asks them once a minute, and takes what they answer to the panel. */
export class MachineWatch implements Disposable {
  readonly #options: Options;
  readonly #timer: NodeJS.Timeout;
  /** The questions that wait, by their keys. */
  #open: ReadonlySet<string> = new Set();
  /** Number of requests so far. */
  #asked = 0;
  /** The request that `#open` is the answer to. */
  #answered = 0;
  /** Number of requests under way. */
  #asking = 0;
  #stopped = false;

  constructor(options: Options) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
    this.#look();
  }

  /** Asks the machines for the panel. Rejects as they do. */
  async list(): Promise<readonly MachineOverview[]> {
    this.#asked += 1;
    const request = this.#asked;
    this.#asking += 1;
    try {
      const machines = await this.#options.machines.list();
      this.#take(request, openElsewhere(machines));
      return machines;
    } finally {
      this.#asking -= 1;
    }
  }

  /**
   * Returns how many questions wait on other machines.
   *
   * @param sessions those of this machine, whose own questions count there
   */
  waiting(sessions: readonly JoinedSession[]): number {
    const here = sessions.map(({ id, client }) => ({ id, questions: client.mirror?.questions ?? [] }));
    return countElsewhere(this.#open, here);
  }

  [Symbol.dispose](): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  #look(): void {
    // A keychain that is locked keeps a request waiting: no second one joins it.
    if (this.#asking > 0) return;
    this.list().catch((error: Error) =>
      this.#options.log(`What waits on other machines could not be counted: ${error.message}`),
    );
  }

  /** Keeps an answer, unless a later request was answered first. */
  #take(request: number, open: ReadonlySet<string>): void {
    if (this.#stopped || request < this.#answered) return;
    const isSame = open.size === this.#open.size && [...open].every((key) => this.#open.has(key));
    this.#answered = request;
    this.#open = open;
    if (!isSame) this.#options.changed();
  }
}
