import type { DesktopSettings, NoticeKind } from "../../preload/channels.ts";
import type { Notice, NoticeSource } from "./notices.ts";
import { isQuiet } from "./quiet-hours.ts";

/** Of one session, so many notifications in such a time; what is more becomes one sentence at its end. */
const BURST_MS = 10_000;
const BURST = 3;

interface Burst {
  readonly said: Set<string>;
  readonly timer: NodeJS.Timeout;
  shown: number;
  held: number;
}

interface Options {
  readonly settings: () => DesktopSettings;
  readonly show: (notice: Notice, source: NoticeSource) => void;
}

/** Decides which notifications the user gets: by kind, pause, quiet hours, and not a thousand of them. */
export class NoticeGate implements Disposable {
  /** Until the app ends. */
  paused = false;
  readonly #options: Options;
  readonly #bursts = new Map<string, Burst>();

  constructor(options: Options) {
    this.#options = options;
  }

  offer(kind: NoticeKind, notice: Notice, source: NoticeSource): void {
    const { notify, quiet } = this.#options.settings();
    if (this.paused || !notify[kind] || isQuiet(new Date(), quiet)) return;
    const burst = this.#bursts.get(source.id) ?? this.#begin(source);
    const said = JSON.stringify([notice.title, notice.body]);
    if (burst.said.has(said)) return;
    burst.said.add(said);
    if (burst.shown === BURST) burst.held += 1;
    else {
      burst.shown += 1;
      this.#options.show(notice, source);
    }
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#bursts.values()) clearTimeout(timer);
    this.#bursts.clear();
  }

  #begin(source: NoticeSource): Burst {
    const timer = setTimeout(() => {
      this.#bursts.delete(source.id);
      if (burst.held === 0 || this.paused) return;
      const title = burst.held === 1 ? "1 more notification" : `${burst.held} more notifications`;
      this.#options.show(
        { title, body: "They came faster than they can be read." },
        { id: source.id, name: source.name },
      );
    }, BURST_MS);
    const burst: Burst = { said: new Set(), timer, shown: 0, held: 0 };
    this.#bursts.set(source.id, burst);
    return burst;
  }
}
