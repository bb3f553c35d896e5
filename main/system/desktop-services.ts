import { z } from "zod";
import { errorText } from "../../core/protocol/error-text.ts";
import { type BusConnection, CallError, NoAnswerError } from "./dbus/connection.ts";
import { NOTIFICATIONS } from "./notification-server.ts";

/** Bus name of the program that collects tray icons (StatusNotifierItem). */
export const TRAY_WATCHER = "org.kde.StatusNotifierWatcher";
const ANSWER_TIMEOUT_MS = 2_000;

/** Why a part of the desktop does not work, and what the user can do about it, in whole sentences. */
export interface ServiceProblem {
  readonly found: string;
  readonly advice: string;
}

type Connect = () => Promise<BusConnection>;

const BUS_ADVICE = "Log in to a desktop session, or start the app with `dbus-run-session`.";

/** Why native notifications do not work in this session; undefined when its notification server answers. */
export async function notificationProblem(connect: Connect): Promise<ServiceProblem | undefined> {
  const problem = (reason: string, advice: string) => ({
    found: `Native notifications do not work: ${reason}.`,
    advice,
  });
  let bus: BusConnection;
  try {
    bus = await connect();
  } catch (error) {
    return problem(errorText(error), BUS_ADVICE);
  }
  const asked = {
    destination: NOTIFICATIONS,
    path: "/org/freedesktop/Notifications",
    interface: NOTIFICATIONS,
    member: "GetServerInformation",
  };
  try {
    await bus.call(asked, ANSWER_TIMEOUT_MS);
    return undefined;
  } catch (error) {
    if (error instanceof NoAnswerError)
      return problem("the notification server does not answer", "Restart it, or log in to the desktop again.");
    const advice =
      "Install and start one, for example `sudo apt install dunst`; GNOME, KDE Plasma and Xfce bring their own.";
    return problem("no notification server is on the session bus", advice);
  }
}

/** Why no tray icon is visible in this session; undefined when there is a tray, or when the bus cannot tell. */
export async function trayIconProblem(connect: Connect): Promise<ServiceProblem | undefined> {
  let bus: BusConnection;
  try {
    bus = await connect();
  } catch (error) {
    return { found: `There is no tray: ${errorText(error)}.`, advice: BUS_ADVICE };
  }
  const asked = {
    destination: TRAY_WATCHER,
    path: "/StatusNotifierWatcher",
    interface: "org.freedesktop.DBus.Properties",
    member: "Get",
    signature: "ss",
    body: [TRAY_WATCHER, "IsStatusNotifierHostRegistered"],
  };
  const advice =
    "GNOME: install and enable the AppIndicator extension (`sudo apt install gnome-shell-extension-appindicator`); elsewhere: start the panel's system tray.";
  try {
    const { data: [shows] = [true] } = z.tuple([z.boolean()]).safeParse(await bus.call(asked, ANSWER_TIMEOUT_MS));
    return shows ? undefined : { found: "There is no tray: nothing on this desktop shows tray icons.", advice };
  } catch (error) {
    // A watcher without that property still collects icons.
    if (error instanceof CallError && !NO_OWNER.has(error.errorName)) return undefined;
    if (error instanceof NoAnswerError)
      return { found: "There is no tray: the desktop's tray does not answer.", advice: "Restart the desktop's panel." };
    return { found: "There is no tray: nothing on this desktop shows tray icons.", advice };
  }
}

const NO_OWNER: ReadonlySet<string> = new Set([
  "org.freedesktop.DBus.Error.ServiceUnknown",
  "org.freedesktop.DBus.Error.NameHasNoOwner",
]);
