import type { DesktopSettings, NotificationKind } from "../../../core/protocol/desktop-settings.ts";
import type { ShownBy } from "../../../core/protocol/events.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Notice, NoticeSource } from "../sessions/notices.ts";
import { words } from "../words.ts";

/** Notifications per session and period; further ones are summarized at its end. */
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
  /** Shows a notification as well as this desktop can, and returns how. */
  readonly show: (notice: Notice, source: NoticeSource) => ShownBy | Promise<ShownBy>;
  /** Keeps a notification for the panel; `shown` is false when a pause or quiet hours hold it back. */
  readonly keep: (notice: Notice, source: NoticeSource, shown: boolean) => void;
}

/** Decides which notifications the user gets: by kind, pause, quiet hours and rate. */
export class NoticeGate implements Disposable {
  /** Lasts until the app ends. */
  paused = false;
  readonly #options: Options;
  readonly #bursts = new Map<string, Burst>();
  readonly #muted = new Map<string, ReadonlySet<ShellId>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Keeps notifications about this shell without showing them. */
  mute(session: string, shell: ShellId, muted: boolean): void {
    const others = [...this.mutedIn(session)].filter((one) => one !== shell);
    this.#muted.set(session, new Set(muted ? [...others, shell] : others));
  }

  mutedIn(session: string): ReadonlySet<ShellId> {
    return this.#muted.get(session) ?? new Set();
  }

  /** Returns how the notification was shown; `log` for one that is held back or was just shown. */
  offer(kind: NotificationKind, notice: Notice, source: NoticeSource): ShownBy | Promise<ShownBy> {
    const { notify, quiet } = this.#options.settings();
    if (!notify[kind]) return "log";
    const ofMuted = source.shell !== undefined && this.mutedIn(source.id).has(source.shell);
    const muted = this.paused || ofMuted || isQuiet(new Date(), quiet);
    // Counted separately: hidden notifications must not suppress visible ones.
    const name = JSON.stringify([source.id, muted]);
    const burst = this.#bursts.get(name) ?? this.#begin(name, source, muted);
    const said = JSON.stringify([notice.title, notice.body]);
    if (burst.said.has(said)) return "log";
    burst.said.add(said);
    if (burst.shown === BURST) {
      burst.held += 1;
      return "log";
    }
    burst.shown += 1;
    this.#options.keep(notice, source, !muted);
    return muted ? "log" : this.#options.show(notice, source);
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#bursts.values()) clearTimeout(timer);
    this.#bursts.clear();
  }

  #begin(name: string, source: NoticeSource, muted: boolean): Burst {
    const timer = setTimeout(() => {
      this.#bursts.delete(name);
      if (burst.held === 0) return;
      const title = words.notices.more(burst.held);
      const notice = { title, body: words.notices.tooFast };
      const about = { id: source.id, name: source.name };
      const shown = !muted && !this.paused;
      this.#options.keep(notice, about, shown);
      if (shown) void this.#options.show(notice, about);
    }, BURST_MS);
    const burst: Burst = { said: new Set(), timer, shown: 0, held: 0 };
    this.#bursts.set(name, burst);
    return burst;
  }
}

/** Whether a local time lies between two times of day (`22:30`); over midnight where `from` is later than `to`. */
export function isQuiet(now: Date, quiet: { readonly from: string; readonly to: string } | null): boolean {
  if (quiet === null) return false;
  const at = `${String(now.getHours()).padStart(2, "0")}:${String(now.getMinutes()).padStart(2, "0")}`;
  const { from, to } = quiet;
  return from <= to ? at >= from && at < to : at >= from || at < to;
}
