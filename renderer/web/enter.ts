import { z } from "zod";
import { deviceLabel } from "../../core/protocol/device-label.ts";
import { GUEST_HEADER } from "../../core/protocol/page-credentials.ts";
import type { TunnelAddress } from "../session/view/session-host.ts";

const Guest = z.object({ result: z.object({ name: z.string(), role: z.string() }).nullable() });

const Entered = z.object({ result: z.object({ pageKey: z.string() }) });

const Tunnel = z.object({
  result: z.object({ url: z.url({ protocol: /^https?$/ }), pass: z.string().optional() }),
});

const STORED = "patchbay-guest-";

const NO_INVITE = "This browser has no access to the session. Ask the session's owner for an invite link and open it.";

/**
 * Admits this browser to the session: by the invite in the address, which is removed from it at once, else by the page key
 * of an earlier visit. Returns the page key, or a message for the user if neither is valid.
 *
 * The page never relies on its cookie: a server on another port of the host can replace that with the cookie of a guest of
 * its own, or evict it. The page's storage is separated by port.
 */
export async function enterSession({ location, history, localStorage }: Window): Promise<Entry> {
  const stored = STORED + (location.pathname.split("/").at(-1) ?? "");
  const known = read(() => localStorage.getItem(stored) ?? undefined);
  const invite = location.hash.slice(1);
  const enterAgain = async (): Promise<string | undefined> =>
    known !== undefined && (await readAdmission(location.pathname, known)) !== "refused" ? known : undefined;
  if (invite === "") {
    const pageKey = await enterAgain();
    return pageKey === undefined ? { refused: NO_INVITE } : { pageKey };
  }
  history.replaceState(null, "", location.pathname);
  const answer = await fetch(`${location.pathname}/enter`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ invite, name: guestName() }),
  });
  if (answer.ok) {
    const { pageKey } = Entered.parse(await answer.json()).result;
    // Without storage the guest stays in until the page is closed.
    read(() => localStorage.setItem(stored, pageKey));
    return { pageKey };
  }
  const pageKey = await enterAgain();
  return pageKey === undefined ? { refused: await answer.text() } : { pageKey };
}

/** Asks the relay to admit this browser to a tunnel, and returns its address. Rejects with the relay's message. */
export async function enterTunnel(pageKey: string, port: number): Promise<TunnelAddress> {
  const headers = { [GUEST_HEADER]: pageKey };
  const answer = await fetch(`${location.pathname}/tunnels/${port}`, { method: "POST", headers });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return Tunnel.parse(await answer.json()).result;
}

/** Returns whether the relay still admits the guest of this page; `unknown` if it did not say. */
export async function readAdmission(path: string, pageKey: string): Promise<"admitted" | "refused" | "unknown"> {
  try {
    const answer = await fetch(`${path}/guest`, { headers: { [GUEST_HEADER]: pageKey } });
    if (!answer.ok) return "unknown";
    return Guest.parse(await answer.json()).result === null ? "refused" : "admitted";
  } catch {
    return "unknown";
  }
}

/** Returns what a storage holds; undefined where the browser denies it. */
function read<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

type Entry = { readonly pageKey: string } | { readonly refused: string };

/** Default name of this guest: its device. */
function guestName(): string {
  return `guest on ${deviceLabel(navigator.userAgent)}`;
}
