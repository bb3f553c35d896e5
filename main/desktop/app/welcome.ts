import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DesktopSettings } from "../../../core/protocol/desktop-settings.ts";
import { errorText } from "../../../core/protocol/error-text.ts";
import type { CommandLineFacts, WelcomeFacts } from "../../../preload/channels.ts";
import type { DesktopProblems } from "./desktop-health.ts";

interface Options {
  /** Data folder, which exists. */
  readonly data: string;
  readonly changed: () => void;
  readonly log: (line: string) => void;
}

/** What the welcome shows of this machine. */
export interface WelcomeSources {
  /** How terminals outside Patchbay find the command line; `connect` throws an Error for the user. */
  readonly commandLine: { facts(): CommandLineFacts; connect(): void };
  /** Why no keychain can be reached; undefined while one can. */
  readonly keychainProblem: () => string | undefined;
  readonly relay: { history(): WelcomeFacts["history"] };
}

/**
 * The welcome of the first run, which a session's window shows. It is shown with the first window until the user has
 * finished or skipped it, so a crash in between shows it again; afterwards only on request.
 */
export class Welcome {
  readonly #mark: string;
  readonly #options: Options;
  #pending: boolean;
  #session: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#mark = path.join(options.data, "welcomed");
    this.#pending = !existsSync(this.#mark);
  }

  /** Id of the session whose window shows the welcome; undefined while none does. */
  get session(): string | undefined {
    return this.#session;
  }

  /** Shows the welcome with this window on the first run. Returns whether it did so now. */
  begin(session: string): boolean {
    if (!this.#pending || this.#session !== undefined) return false;
    this.show(session);
    return true;
  }

  /** Shows the welcome in the window of this session. */
  show(session: string): void {
    this.#session = session;
    this.#options.changed();
  }

  /** The user has been through the welcome, or skipped the rest of it. */
  finish(): void {
    this.#session = undefined;
    this.#pending = false;
    try {
      writeFileSync(this.#mark, "");
    } catch (error) {
      const why = errorText(error);
      this.#options.log(`The welcome will be shown again at the next start: ${why}`);
    }
    this.#options.changed();
  }

  /** What the welcome shows of this machine and the user's settings; null while no window shows it. */
  facts(
    { commandLine, keychainProblem, relay }: WelcomeSources,
    problems: DesktopProblems,
    { notify, startAtLogin }: DesktopSettings,
    platform = process.platform,
  ): WelcomeFacts | null {
    if (this.#session === undefined) return null;
    return {
      session: this.#session,
      commandLine: commandLine.facts(),
      keychainProblem: keychainProblem() ?? null,
      iconPlace: platform === "darwin" ? "menu bar" : platform === "win32" ? "notification area" : "tray",
      trayProblem: problems.tray ?? null,
      notificationProblem: problems.notifications ?? null,
      history: relay.history(),
      notifications: notify.waiting && notify.finished && notify.failed,
      startAtLogin,
    };
  }

  /** The session was closed; on the first run the next window shows the welcome. */
  forget(session: string): void {
    if (this.#session === session) this.#session = undefined;
  }
}

type Choice = { readonly notifications?: boolean | undefined; readonly startAtLogin?: boolean | undefined };

/** The settings after a choice in the welcome: its notifications are those of agents that wait, finish or fail. */
export function chosenSettings(now: DesktopSettings, { notifications: on, startAtLogin }: Choice): DesktopSettings {
  const agents = on === undefined ? {} : { waiting: on, finished: on, failed: on };
  return { ...now, startAtLogin: startAtLogin ?? now.startAtLogin, notify: { ...now.notify, ...agents } };
}
