import type { SessionBus } from "../../system/dbus/session-bus.ts";
import {
  notificationProblem,
  type ServiceProblem,
  TRAY_WATCHER,
  trayIconProblem,
} from "../../system/desktop-services.ts";
import { NOTIFICATIONS } from "../../system/notification-server.ts";

/** Problems of the desktop, in whole sentences; undefined for what works. */
export interface DesktopProblems {
  readonly notifications: string | undefined;
  readonly tray: string | undefined;
}

interface Options {
  readonly bus: SessionBus;
  /** Whether this platform has notifications at all; called where there is no bus. */
  readonly notificationsSupported: () => boolean;
  /** Writes a line for the user and the log. */
  readonly warn: (sentence: string) => void;
  readonly changed: (now: DesktopProblems, before: DesktopProblems) => void;
  readonly platform?: NodeJS.Platform;
}

const NONE: DesktopProblems = { notifications: undefined, tray: undefined };
const INSTEAD = "They are shown as toasts, and the panel lists them under Activity.";

/**
 * Watches the desktop services that Patchbay depends on: the notification server and the tray. Checks at the start, and
 * whenever one of them starts or stops.
 */
export class DesktopHealth implements Disposable {
  readonly #options: Options;
  readonly #stops: readonly (() => void)[];
  #now = NONE;
  #checks = 0;
  #disposed = false;

  constructor(options: Options) {
    this.#options = options;
    const again = () => void this.check();
    this.#stops = [NOTIFICATIONS, TRAY_WATCHER].map((name) => options.bus.onOwnerChange(name, again));
  }

  get problems(): DesktopProblems {
    return this.#now;
  }

  /** Checks now; logs and reports changes since the last check. */
  async check(): Promise<void> {
    const check = ++this.#checks;
    const found = await this.#look();
    // Only the latest check counts: an older one may have queried a server that has ended.
    if (check !== this.#checks || this.#disposed) return;
    const before = this.#now;
    this.#now = found;
    if (found.notifications === before.notifications && found.tray === before.tray) return;
    for (const part of ["notifications", "tray"] as const) {
      const [problem, old] = [found[part], before[part]];
      if (problem !== undefined && problem !== old) this.#options.warn(problem);
      if (problem === undefined && old !== undefined) this.#options.warn(WORKS[part]);
    }
    this.#options.changed(found, before);
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    for (const stop of this.#stops) stop();
  }

  async #look(): Promise<DesktopProblems> {
    const { bus, platform = process.platform, notificationsSupported } = this.#options;
    if (platform !== "linux") {
      const none = "Native notifications do not work: this system shows none.";
      return { ...NONE, notifications: notificationsSupported() ? undefined : `${none} ${INSTEAD}` };
    }
    const connect = () => bus.connection();
    const [notifications, tray] = await Promise.all([notificationProblem(connect), trayIconProblem(connect)]);
    return {
      notifications: notifications && `${sentences(notifications)} ${INSTEAD}`,
      tray: tray && sentences(tray),
    };
  }
}

const WORKS = {
  notifications: "Native notifications work again.",
  tray: "The desktop shows tray icons again.",
} as const satisfies Record<keyof DesktopProblems, string>;

function sentences({ found, advice }: ServiceProblem): string {
  return `${found} ${advice}`;
}
