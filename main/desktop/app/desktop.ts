import path from "node:path";
import { app, clipboard } from "electron";
import type { HitPlace } from "../../../core/protocol/history-search.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import { Undo } from "../../../core/undo.ts";
import type { PanelContent } from "../../../preload/channels.ts";
import { SessionBus } from "../../system/dbus/session-bus.ts";
import { serveIpc } from "../ipc/ipc.ts";
import { nativeNotifications } from "../notifications/native-notifications.ts";
import { oncePerTurn } from "../notifications/once-per-turn.ts";
import { panelChannels } from "../panel/panel-channels.ts";
import { panelContent } from "../panel/panel-content.ts";
import { PanelWindow } from "../panel/panel-window.ts";
import { SecretClipboard } from "../panel/secret-clipboard.ts";
import { SettingsWindow } from "../panel/settings-window.ts";
import { type DesktopClient, openDesktopClient } from "../sessions/desktop-client.ts";
import { type DesktopSessions, openDesktopSessions } from "../sessions/desktop-sessions.ts";
import { dollars } from "../sessions/dollars.ts";
import { MachineWatch } from "../sessions/machine-watch.ts";
import type { Notice, NoticeSource } from "../sessions/notices.ts";
import { summarizeSession } from "../sessions/session-summary.ts";
import { UsageWatch } from "../sessions/usage-watch.ts";
import { AppSettings } from "../settings/app-settings.ts";
import { type AppTray, createTray } from "../tray/tray.ts";
import { requestsBeside, type TrayActions, type TrayState } from "../tray/tray-menu.ts";
import { appChannels, appFacts } from "../windows/app-channels.ts";
import { focusShell, openFirstShell } from "../windows/focus-shell.ts";
import { keepOnScreen } from "../windows/keep-on-screen.ts";
import { keptWindows } from "../windows/kept-windows.ts";
import { answerLogin, LoginDialog } from "../windows/login-dialog.ts";
import { MachineWindows } from "../windows/machine-windows.ts";
import { sessionChannels } from "../windows/session-channels.ts";
import { SessionWindows } from "../windows/session-windows.ts";
import { WindowPlacementStore } from "../windows/window-placement.ts";
import { words } from "../words.ts";
import { serveAppScheme } from "./app-scheme.ts";
import { askToQuit } from "./ask-to-quit.ts";
import { DesktopHealth, type DesktopProblems } from "./desktop-health.ts";
import { DesktopNotices } from "./desktop-notices.ts";
import type { DesktopOptions } from "./desktop-options.ts";
import { guardAllContents } from "./guard-contents.ts";
import { licencesFile } from "./licences-file.ts";
import { onWake } from "./on-wake.ts";
import { restart } from "./restart.ts";
import { chosenSettings, Welcome } from "./welcome.ts";

/** Starts the user interface: desktop clients, tray, windows, notifications. Electron must be ready. */
export function startDesktop(options: DesktopOptions): Desktop {
  return new Desktop(options);
}

class Desktop implements Disposable {
  /** Resolves once the sessions that were open at the start have their desktop client. */
  readonly joined: Promise<void>;
  readonly settings: AppSettings;
  readonly machineWindows: MachineWindows;
  readonly #undo = new Undo();
  #asking = false;
  readonly #options: DesktopOptions;
  readonly #sessions: DesktopSessions;
  readonly #windows: SessionWindows;
  readonly #machineWatch: MachineWatch;
  readonly #notices: DesktopNotices;
  readonly #health: DesktopHealth;
  readonly #logins: LoginDialog;
  readonly #usage: UsageWatch;
  readonly #panel: PanelWindow;
  readonly #settingsWindow: SettingsWindow;
  readonly #tray: AppTray;
  readonly #welcome: Welcome;
  readonly #showKept: () => boolean;

  constructor(options: DesktopOptions) {
    this.#options = options;
    const { relay, data, appFolder, hidden, machines, log } = options;
    const icons = path.join(appFolder, "resources", "icons");
    const look = { preload: path.join(appFolder, "dist", "preload", "preload.cjs"), icon: path.join(icons, "app.png") };
    const act = this.#actions();
    this.#undo.add(serveAppScheme(path.join(appFolder, "dist", "renderer")));
    guardAllContents();
    const { said } = options;
    const address = () => relay.url;
    this.settings = new AppSettings({ data, appFolder, said, address, changed: () => this.update(), log });
    this.#welcome = new Welcome({ data, log, changed: () => this.update() });
    const places = new WindowPlacementStore(path.join(data, "windows.json"), log);
    const clicked = ({ id, shell, question }: NoticeSource) =>
      question === undefined ? act.open(id, shell) : this.#panel.show(this.#tray.bounds(), "now");
    this.#windows = this.#stopping(new SessionWindows({ ...look, places, quit: act.quit, log }));
    this.#machineWatch = this.#stopping(new MachineWatch({ machines, changed: () => this.update(), log }));
    this.machineWindows = this.#stopping(
      new MachineWindows({
        machines,
        watch: this.#machineWatch,
        windows: this.#windows,
        changed: () => this.update(),
        showPanel: () => this.#panel.show(this.#tray.bounds(), "sessions"),
      }),
    );
    this.#showKept = keptWindows({
      places,
      openLocal: (id) => this.open(id),
      openMachine: (session) => this.machineWindows.open(session),
      missing: () => this.show(),
      log,
    });
    const bus = this.#stopping(new SessionBus(process.env));
    const native = nativeNotifications(bus);
    this.#health = this.#stopping(
      new DesktopHealth({
        bus,
        notificationsSupported: () => native.supported(),
        warn: options.warn,
        changed: (now, before) => this.#healthChanged(now, before),
      }),
    );
    this.#notices = this.#stopping(
      new DesktopNotices({
        relay,
        native,
        preload: look.preload,
        settings: () => this.settings.now,
        sessions: () => this.#sessions,
        toastInWindow: (session, toast) => this.#windows.toast(session, toast),
        inFront: (session) => this.#windows.inFront(session),
        clicked,
        changed: () => this.update(),
        usageChanged: () => this.#usage.look(),
        log,
      }),
    );
    this.#logins = this.#stopping(
      new LoginDialog({ ...look, native, logins: relay.logins, answer: answerLogin(relay), log }),
    );
    this.#sessions = this.#stopping(
      openDesktopSessions({
        relay,
        log,
        closed: (id) => {
          this.#windows.forget(id);
          this.#welcome.forget(id);
        },
        open: (session) => this.#enter(session),
      }),
    );
    this.joined = this.#sessions.joined;
    this.#usage = this.#stopping(
      new UsageWatch({ relay, sessions: () => this.#sessions.all(), changed: () => this.update(), log }),
    );
    this.#panel = this.#stopping(
      new PanelWindow({
        ...look,
        content: () => this.#content(),
        alone: () => this.#health.problems.tray !== undefined,
        log,
      }),
    );
    this.#settingsWindow = this.#stopping(new SettingsWindow({ ...look, places, content: () => this.#content(), log }));
    this.#tray = this.#stopping(createTray({ icons, act }));
    this.#undo.add(oncePerTurn(this.#sessions.subscribe, () => this.update()));
    this.#undo.add(relay.logins.onChange(() => this.update()));
    this.#undo.add(relay.onTrouble(() => this.update()));
    this.#undo.add(relay.onGuests(() => this.update()));
    this.#undo.add(keepOnScreen());
    this.#undo.add(
      onWake(() => {
        this.#usage.look();
        this.update();
      }),
    );
    this.update();
    this.#serve(act);
    this.#showFirst(hidden);
  }

  /**
   * Brings up the windows that were open when the app ended last; later the one that was used last, or the first
   * session's: for a second start, or a click on the dock.
   */
  show(): void {
    const [first] = this.#sessions.all();
    if (!this.#showKept() && !this.#windows.raise() && first !== undefined) this.#openWindow(first);
    // The panel would take the keys from the welcome, which says how to reach it.
    const isFree = this.#welcome.session === undefined;
    if (isFree && this.#health.problems.tray !== undefined) this.#panel.show(this.#tray.bounds());
  }

  /** Brings up a session's window, at a place that a search has found; returns false when there is no such session. */
  open(id: string, shell?: ShellId, place?: HitPlace): boolean {
    const session = this.#sessions.find(id);
    if (session === undefined) return false;
    this.#openWindow(session);
    if (place !== undefined) this.#windows.goTo(session, place);
    if (shell !== undefined)
      void focusShell(session.client, shell).catch((error: Error) => this.#options.log(error.message));
    return true;
  }

  /** Brings up the window of the settings. */
  showSettings(): void {
    this.#settingsWindow.show();
  }

  /** Brings up the window of a session of another machine. Rejects with a RemoteError. */
  openRemote(machine: string, session: string): ReturnType<MachineWindows["openNamed"]> {
    return this.machineWindows.openNamed(machine, session);
  }

  /** Tells the user something about the app itself. */
  tell(notice: Notice): void {
    const [first] = this.#sessions.all();
    void this.#notices.message(first?.id ?? "", notice);
  }

  [Symbol.dispose](): void {
    this.#undo.dispose();
  }

  /** The first window of the first run has the welcome and the user's shell. */
  #openWindow(session: DesktopClient): void {
    this.#windows.open(session);
    if (!this.#welcome.begin(session.id)) return;
    openFirstShell(session).catch((error: Error) =>
      this.#options.log(`The first shell could not be opened: ${error.message}`),
    );
  }

  #serve(act: TrayActions): void {
    const { relay, data, appFolder } = this.#options;
    const panel = panelChannels({
      machineWindows: this.machineWindows,
      pages: [this.#panel, this.#settingsWindow],
      windows: this.#windows,
      content: () => this.#content(),
      showSettings: (target) => this.#settingsWindow.show(target),
      act,
      relay,
      data,
      licences: licencesFile(appFolder),
      sessions: this.#sessions,
      usage: this.#usage,
      secrets: this.#stopping(new SecretClipboard()),
      restart: () => {
        relay.keepShells();
        restart();
      },
      mute: (id, shell, muted) => this.#notices.gate.mute(id, shell, muted),
      changed: () => this.update(),
    });
    const isOurs = (page: Electron.WebContents) =>
      this.#panel.owns(page) ||
      this.#settingsWindow.owns(page) ||
      this.#notices.toasts.owns(page) ||
      this.#logins.owns(page) ||
      this.#windows.sessionOf(page) !== undefined;
    this.#undo.add(
      serveIpc(
        {
          ...sessionChannels(this.#windows, (session) => this.machineWindows.enterKey(session)),
          ...this.#appChannels(),
          ...panel,
          ...this.#notices.toasts.channels(),
          ...this.#logins.channels(),
        },
        isOurs,
      ),
    );
  }

  #appChannels() {
    return appChannels({
      windows: this.#windows,
      relay: this.#options.relay,
      open: (id) => this.open(id),
      showPanel: (tab) => this.#panel.show(this.#tray.bounds(), tab),
      showSettings: (target) => this.#settingsWindow.show(target),
      welcome: this.#welcome,
      connectCommandLine: () => {
        this.#options.commandLine.connect();
        this.update();
      },
      choose: (choice) => this.settings.change(chosenSettings(this.settings.now, choice)),
      tryNotification: ({ id }) =>
        this.#notices.message(id, { title: words.notices.works, body: words.notices.worksDetail }),
    });
  }

  #enter(session: { readonly id: string; readonly name: string }): DesktopClient {
    const { relay, user } = this.#options;
    const entered = openDesktopClient({
      relay,
      session,
      user,
      notify: (id, notice, shell) => this.#notices.message(id, notice, shell),
      toast: (id, toast, shell) => this.#notices.toast(id, toast, shell),
    });
    this.#notices.watchAgents(entered);
    this.#notices.watchRoleRequests(entered);
    return entered;
  }

  #actions(): TrayActions {
    return {
      open: (id, shell, place) => this.open(id, shell, place),
      copyId: (id) => clipboard.writeText(id),
      showPanel: () => this.#panel.toggle(this.#tray.bounds()),
      showSettings: () => this.showSettings(),
      showCosts: () => this.#panel.show(this.#tray.bounds(), "agents"),
      showLogins: () => this.#panel.show(this.#tray.bounds(), "now"),
      pause: (paused) => {
        this.#notices.gate.paused = paused;
        this.update();
      },
      showWelcome: () => {
        const [first] = this.#sessions.all();
        if (first === undefined) return;
        this.#welcome.show(first.id);
        this.#openWindow(first);
      },
      quit: () => void this.#quit(),
    };
  }

  /** A second request to quit while the question is open has no effect. */
  async #quit(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const shells = this.#sessions.all().reduce((sum, session) => sum + summarizeSession(session).shells, 0);
    await askToQuit(shells, () => this.#options.relay.keepShells()).finally(() => {
      this.#asking = false;
    });
  }

  #stopping<T extends Disposable>(part: T): T {
    this.#undo.add(() => part[Symbol.dispose]());
    return part;
  }

  #showFirst(hidden: boolean): void {
    const show = () => this.show();
    app.on("activate", show);
    this.#undo.add(() => app.off("activate", show));
    if (!hidden) show();
    void this.#health.check().then(() => {
      if (this.#health.problems.tray === undefined) return;
      this.#options.log(
        "Patchbay opens its window and its panel instead; start it again to see them after closing them.",
      );
      show();
    });
  }

  #healthChanged(now: DesktopProblems, before: DesktopProblems): void {
    // An icon that found no tray does not look for one again.
    if (now.tray === undefined && before.tray !== undefined) this.#tray.renew();
    this.update();
  }

  #content(): PanelContent {
    const { relay, data, keychainProblem } = this.#options;
    return panelContent({
      relay,
      dataFolder: data,
      keychainProblem: keychainProblem(),
      trayProblem: this.#health.problems.tray,
      notificationProblem: this.#health.problems.notifications,
      place: this.settings.address,
      sessions: this.#sessions.all(),
      usage: this.#usage,
      gate: this.#notices.gate,
      settings: this.settings.now,
      keysWanted: this.machineWindows.wanted(),
    });
  }

  /** Brings tray and panel up to date after a change that no client reports. */
  update(): void {
    const { relay } = this.#options;
    const sessions = this.#sessions.all();
    const locale = app.getLocale() || undefined;
    const budget = relay.budgets().day;
    const over = budget === null ? 0 : this.#usage.today() - budget;
    const state: TrayState = {
      costToday: dollars(this.#usage.today(), locale),
      overBudget: over > 0 ? dollars(over, locale) : undefined,
      paused: this.#notices.gate.paused,
      logins: relay.logins.pending().map(({ name }) => name),
      remoteQuestions: this.#machineWatch.waiting(sessions),
      trouble: relay.trouble(),
    };
    this.#tray.show(sessions.map(summarizeSession), state);
    const welcome = this.#welcome.facts(this.#options, this.#health.problems, this.settings.now);
    const { terminals } = this.settings.now;
    const costs = { costToday: this.#usage.today(), costByHour: this.#usage.byHour(), budget };
    this.#windows.tellFacts(appFacts(sessions, { requests: requestsBeside(state), ...costs, welcome, terminals }));
    this.#panel.update();
    this.#settingsWindow.update();
    this.#windows.updateDrawers(() => this.#content());
  }
}
