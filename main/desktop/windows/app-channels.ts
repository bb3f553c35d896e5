import type { WebContents } from "electron";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShownBy } from "../../../core/protocol/events.ts";
import { settingsByPublicName } from "../../../core/protocol/settings.ts";
import type { AppFacts, PanelTab, SettingsTarget } from "../../../preload/channels.ts";
import type { ChannelHandlers } from "../ipc/ipc.ts";
import type { DesktopClient, WindowSession } from "../sessions/desktop-client.ts";
import type { RelayDesk } from "../sessions/relay-for-desktop.ts";
import { summarizeSession } from "../sessions/session-summary.ts";
import type { SessionWindows } from "./session-windows.ts";

type AppHandlers = Pick<ChannelHandlers, Extract<keyof ChannelHandlers, `app.${string}`>>;

interface Parts {
  readonly windows: SessionWindows;
  readonly relay: RelayDesk;
  readonly open: (session: string) => void;
  readonly showPanel: (tab: PanelTab) => void;
  readonly showSettings: (target: SettingsTarget) => void;
  readonly welcome: { show(session: string): void; finish(): void };
  /** Makes new terminals find the command line. Throws an Error for the user. */
  readonly connectCommandLine: () => void;
  readonly choose: (choice: {
    readonly notifications?: boolean | undefined;
    readonly startAtLogin?: boolean | undefined;
  }) => void;
  /** Shows a notification that says that notifications work, and returns how. */
  readonly tryNotification: (session: WindowSession) => ShownBy | Promise<ShownBy>;
}

/** What a session window may ask of the app around it. Only pages of session windows may ask. */
export function appChannels(parts: Parts): AppHandlers {
  const { windows, relay, open, showPanel } = parts;
  const sessionOf = (caller: WebContents): WindowSession => {
    const session = windows.sessionOf(caller);
    if (session === undefined) throw new RemoteError("scope_forbids", "This page shows no session.");
    return session;
  };
  // What is done to the relay of this machine is not done for a session of another one, whatever its id is.
  const localOf = (caller: WebContents): WindowSession => {
    const session = windows.localSessionOf(caller);
    if (session === undefined) throw new RemoteError("scope_forbids", "This page shows no session of this machine.");
    return session;
  };
  return {
    "app.openSession": (caller, { id }) => {
      sessionOf(caller);
      open(id);
    },
    "app.createSession": async (caller, { name }) => {
      sessionOf(caller);
      const { id } = await relay.run("createSession", { name });
      open(id);
    },
    "app.showPanel": (caller, { tab }) => {
      sessionOf(caller);
      showPanel(tab);
    },
    "app.showSettings": (caller, target) => {
      sessionOf(caller);
      parts.showSettings(target);
    },
    // Its own look, whichever machine serves the session; what else is set is set in the panel.
    "app.setSetting": async (caller, { name, value }) => {
      sessionOf(caller);
      const setting = settingsByPublicName.get(name);
      if (setting?.place !== "terminals" && setting?.name !== "theme" && setting?.name !== "language") {
        throw new RemoteError(
          "scope_forbids",
          "A session's window sets the theme, the language and its terminals only.",
        );
      }
      await relay.run("setSetting", { name, value });
    },
    "app.welcome": (caller, { show }) => {
      const { id } = localOf(caller);
      if (show) parts.welcome.show(id);
      else parts.welcome.finish();
    },
    "app.connectCommandLine": (caller) => {
      localOf(caller);
      parts.connectCommandLine();
    },
    "app.choose": (caller, choice) => {
      localOf(caller);
      parts.choose(choice);
    },
    "app.recordHistory": async (caller, { on, unencrypted }) => {
      localOf(caller);
      if (on) await relay.run("startHistory", { unencrypted });
      else await relay.run("stopHistory", {});
    },
    "app.tryNotification": async (caller) => ({ by: await parts.tryNotification(localOf(caller)) }),
  };
}

type OtherFacts = Omit<AppFacts, "sessions" | "waiting"> & {
  /** Number of requests beside the sessions, such as logins, and questions on other machines. */
  readonly requests: number;
};

/** What a session window shows of the app around it. */
export function appFacts(
  sessions: readonly DesktopClient[],
  { requests, costToday, costByHour, budget, welcome, terminals }: OtherFacts,
): AppFacts {
  const summaries = sessions.map(summarizeSession);
  return {
    sessions: summaries.map(({ id, name, shells, waiting }) => ({ id, name, shells, waiting })),
    waiting: summaries.reduce((sum, { waiting }) => sum + waiting, requests),
    costToday,
    costByHour,
    budget,
    welcome,
    terminals,
  };
}
