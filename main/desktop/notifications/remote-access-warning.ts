import { Notification } from "electron";

/**
 * Warns the user at the machine, in a persistent notification, that other machines can reach it. Returns a function
 * that closes it.
 */
export function warnOfRemoteAccess(url: string): () => void {
  if (!Notification.isSupported()) return () => undefined;
  const warning = new Notification({
    title: "Other machines can reach Patchbay",
    body: `At ${url}, with an API key or an invite link. To serve this machine alone, change that in the panel's settings, or start without --listen.`,
    urgency: "critical",
    timeoutType: "never",
  });
  warning.show();
  return () => warning.close();
}
