import { join } from "node:path";
import { app, dialog } from "electron";
import { startDesktop } from "./desktop/desktop.ts";
import { openKeychain } from "./desktop/keychain.ts";
import { prepareDesktop } from "./desktop/prepare-desktop.ts";
import type { RelayForDesktop } from "./desktop/relay-for-desktop.ts";
import { isForTheUser } from "./errors-for-the-user.ts";
import { keepCommandLineKey } from "./keep-command-line-key.ts";
import { nextSteps } from "./next-steps.ts";
import { parseOptions, UsageError } from "./options.ts";
import { type RunningRelay, startRelay } from "./start-relay.ts";

/** The app from start to end: relay, then everything with a face; and the same backwards. */
async function main(): Promise<void> {
  const options = parseOptions(ownArguments(), process.env, { strict: !app.isPackaged });
  // Chromium's own remarks are no news for users; errors of the app are told in its own words.
  app.commandLine.appendSwitch("log-level", "3");
  let show = () => {};
  if (!prepareDesktop({ data: options.data, secondStarted: () => show() })) {
    say("Patchbay is running already: its window was brought to the front.");
    app.exit(0);
    return;
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => app.quit());
  // Closing the last window leaves the tray.
  app.on("window-all-closed", () => undefined);
  await app.whenReady();
  const running = await startRelay(options, join(app.getAppPath(), "dist"));
  const desktop = startDesktop({
    relay: relayForDesktop(running),
    user: running.relay.user,
    data: options.data,
    appFolder: app.getAppPath(),
    hidden: options.hidden,
    log: say,
  });
  show = () => desktop.show();
  stopBeforeQuit(async () => {
    desktop[Symbol.dispose]();
    await running.close();
  });
  await desktop.joined;
  await keepCommandLineKey(running, openKeychain(say));
  for (const notice of running.notices) say(notice);
  say(nextSteps(running, options));
}

function relayForDesktop({ relay }: RunningRelay): RelayForDesktop {
  return {
    get url() {
      return relay.url;
    },
    sessions: () => relay.sessions.all().map(({ id, facts }) => ({ id, name: facts.now.session.name })),
    onSessions: (changed) => relay.sessions.onChange(changed),
    attachLocal: (session, identity) => relay.attachLocal(session, { ...identity, place: "desktop" }),
  };
}

/** A stop that hangs must not keep the app alive: shells are killed after 3 s, so this is long past all that is due. */
const LONGEST_STOP_MS = 8000;

/** Quitting waits until everything is written down and every shell has ended. */
function stopBeforeQuit(stop: () => Promise<void>): void {
  let stopping = false;
  app.on("will-quit", (event) => {
    event.preventDefault();
    if (stopping) return;
    stopping = true;
    setTimeout(() => app.exit(1), LONGEST_STOP_MS).unref();
    stop().then(
      () => app.exit(0),
      (error: unknown) => {
        say(`Patchbay did not stop cleanly: ${String(error)}`);
        app.exit(1);
      },
    );
  });
}

/** What comes after the app's folder on the command line; before it stand Chromium's and Node's own switches. */
function ownArguments(): string[] {
  const [, ...args] = process.argv;
  if (!process.defaultApp) return args;
  return args.slice(args.findIndex((arg) => !arg.startsWith("-")) + 1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().catch((error: unknown) => {
  const message = isForTheUser(error) ? error.message : `Patchbay could not start: ${String(error)}`;
  process.stderr.write(`patchbay: ${message}\n`);
  if (app.isPackaged) dialog.showErrorBox("Patchbay could not start", message);
  app.exit(error instanceof UsageError ? 2 : 1);
});
