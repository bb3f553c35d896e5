import { url as inspectorUrl } from "node:inspector";
import { join } from "node:path";
import { app, dialog } from "electron";
import { visibleText } from "../../core/protocol/visible-text.ts";
import { debuggingProblem, sandboxProblem, setSwitches } from "../desktop/app/chromium-switches.ts";
import { keepCrashReports } from "../desktop/app/crash-reports.ts";
import { LINK_SCHEME, sessionOfLink } from "../desktop/app/deep-link.ts";
import { startDesktop } from "../desktop/app/desktop.ts";
import { prepareDesktop } from "../desktop/app/prepare-desktop.ts";
import { watchUpdates } from "../desktop/app/updates.ts";
import { warnOfRemoteAccess } from "../desktop/notifications/remote-access-warning.ts";
import { readSettings } from "../desktop/settings/settings.ts";
import { COMMAND_LINE_KEY } from "../relay/access/keys.ts";
import { openKeychain, type TokenStore } from "../system/keychain.ts";
import type { Log } from "../system/log.ts";
import { CommandLineSetUp } from "./connect-command-line.ts";
import { relayForDesktop } from "./desktop-relay.ts";
import { limitStop } from "./limit-stop.ts";
import { machinesOf } from "./machines-of.ts";
import { nextSteps } from "./next-steps.ts";
import { parseOptions, UsageError } from "./options/options.ts";
import { commandFolder } from "./shells-environment.ts";
import { type RunningRelay, startRelay } from "./start-relay.ts";
import { isUserError } from "./user-errors.ts";

/** Runs the app: starts the relay, then the user interface, and stops them in reverse order. */
async function main(): Promise<void> {
  const words = ownArguments();
  const notLinks = words.filter((word) => !word.startsWith(`${LINK_SCHEME}:`));
  const options = parseOptions(notLinks, process.env, {
    strict: !app.isPackaged,
    kept: (data) => readSettings(join(data, "desktop.json")).relay,
  });
  const inspected = inspectorUrl() !== undefined;
  const open = debuggingProblem(app.commandLine, { packaged: app.isPackaged, inspected });
  if (open !== undefined) throw new UsageError(open);
  const unsafe = sandboxProblem(app.commandLine, { root: process.getuid?.() === 0 });
  if (unsafe !== undefined) {
    // An AppImage is started by a click, and before Electron is ready Linux shows no box.
    await app.whenReady();
    throw new UsageError(unsafe);
  }
  setSwitches(app.commandLine);
  let show = (_words: readonly string[]) => {};
  let showSettings = () => {};
  const asked = { secondStarted: (said: readonly string[]) => show(said), showSettings: () => showSettings() };
  if (!prepareDesktop({ data: options.data, ...asked })) {
    say("Patchbay is running already: its window was brought to the front.");
    app.exit(0);
    return;
  }
  keepCrashReports(options.data);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.quit());
  // The tray remains after the last window is closed.
  app.on("window-all-closed", () => undefined);
  await app.whenReady();
  const dist = join(app.getAppPath(), "dist");
  const running = await startRelay(options, dist);
  const warn = (sentence: string) => {
    say(sentence);
    // The log prints warnings as well.
    running.log.info(sentence);
  };
  let keychainProblem: string | undefined;
  // It is read when other machines are asked, or a window needs a key.
  const keychain = openKeychain((sentence) => {
    keychainProblem = sentence;
    if (sentence !== undefined) warn(sentence);
    desktop.update();
  });
  const desktop = startDesktop({
    relay: relayForDesktop(running),
    user: running.relay.user,
    data: options.data,
    appFolder: app.getAppPath(),
    hidden: options.hidden,
    said: options.said,
    keychainProblem: () => keychainProblem,
    machines: machinesOf(running.relay, options.data, keychain),
    commandLine: new CommandLineSetUp({ folder: commandFolder(dist) }),
    log: say,
    warn,
  });
  running.relay.windows = {
    openLocal: (session) => desktop.open(session),
    openRemote: (machine, session) => desktop.openRemote(machine, session),
  };
  running.relay.machines = desktop.machineWindows;
  running.relay.appSettings = desktop.settings;
  const openLink = (said: readonly string[]) => {
    const linked = sessionOfLink(said);
    if (linked !== undefined) desktop.open(linked);
    return linked !== undefined;
  };
  show = (said) => {
    if (!openLink(said)) desktop.show();
  };
  showSettings = () => desktop.showSettings();
  // macOS delivers links this way.
  app.on("open-url", (_event, url) => openLink([url]));
  openLink(words);
  stopBeforeQuit(running.log, async () => {
    desktop[Symbol.dispose]();
    await running.close();
  });
  void running.lost.then((why) => {
    if (app.isPackaged) dialog.showErrorBox("Patchbay stops", why);
    app.quit();
  });
  await desktop.joined;
  await keepCommandLineKey(running, keychain);
  for (const notice of running.notices) say(notice);
  const [outside] = running.relay.remoteAccess?.urls ?? [];
  if (outside !== undefined) app.once("before-quit", warnOfRemoteAccess(outside));
  say(nextSteps(running, options));
  if (!app.isPackaged) return;
  const updates = watchUpdates({
    data: options.data,
    load: async () => (await import("electron-updater")).default.autoUpdater,
    ask: (question) => dialog.showMessageBox(question),
    tell: (notice) => desktop.tell(notice),
    keepShells: () => running.keepShells(),
    log: say,
  });
  app.once("will-quit", () => updates[Symbol.dispose]());
}

/** Ensures that the command line finds a valid key in the OS keychain; creates one when there is none. */
async function keepCommandLineKey({ relay, keyAccount }: RunningRelay, keychain: TokenStore): Promise<void> {
  const known = await keychain.get(keyAccount);
  if (known !== undefined && relay.keys.verify(known, "api") !== undefined) return;
  // The secret of an earlier key is lost, so that key is useless.
  for (const key of relay.keys.list()) if (key.name === COMMAND_LINE_KEY) relay.keys.revoke(key.id);
  const { secret } = relay.keys.create({ owner: relay.user, name: COMMAND_LINE_KEY });
  await keychain.set(keyAccount, secret);
}

/** Delays quitting until everything is saved and every shell has ended. */
function stopBeforeQuit(log: Log, stop: () => Promise<void>): void {
  let stopping = false;
  // A window opened while the others close would keep the app from ending.
  app.once("before-quit", () =>
    app.on("browser-window-created", (_event, window) => setImmediate(() => window.close())),
  );
  app.on("will-quit", (event) => {
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    limitStop(log, (code) => app.exit(code));
    stop().then(
      () => app.exit(0),
      (error: unknown) => {
        say(`Patchbay did not stop cleanly: ${String(error)}`);
        app.exit(1);
      },
    );
  });
}

/** The arguments after the app's folder; Chromium's and Node's own switches stand before it. */
function ownArguments(): string[] {
  const [, ...args] = process.argv;
  if (!process.defaultApp) return args;
  return args.slice(args.findIndex((arg) => !arg.startsWith("-")) + 1);
}

/** Prints a line, which may have a name or a message of another program in it, for a terminal. */
function say(line: string): void {
  process.stdout.write(`${visibleText(line)}\n`);
}

main().catch((error: unknown) => {
  const message = isUserError(error) ? error.message : `Patchbay could not start: ${String(error)}`;
  process.stderr.write(`patchbay: ${message}\n`);
  if (app.isPackaged) dialog.showErrorBox("Patchbay could not start", message);
  app.exit(error instanceof UsageError ? 2 : 1);
});
