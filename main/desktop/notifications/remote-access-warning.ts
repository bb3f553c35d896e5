import { Notification } from "electron";
import { words } from "../words.ts";

/**
 * Warns the user at the machine, in a persistent notification, that other machines can reach it. Returns a function
 * that closes it.
 */
export function warnOfRemoteAccess(url: string): () => void {
  if (!Notification.isSupported()) return () => undefined;
  const warning = new Notification({
    title: words.notices.reachable,
    body: words.notices.reachableAt(url),
    urgency: "critical",
    timeoutType: "never",
  });
  warning.show();
  return () => warning.close();
}
