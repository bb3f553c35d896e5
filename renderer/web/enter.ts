import { z } from "zod";

const Guest = z.object({ result: z.object({ name: z.string(), role: z.string() }).nullable() });

const Entered = z.object({ result: z.object({ url: z.url({ protocol: /^https?$/ }) }) });

const NO_INVITE = "This browser has no access to the session. Ask the session's owner for an invite link and open it.";

/**
 * Admits this browser to the session: by the invite in the address, which is removed from it at once, else by the cookie
 * of an earlier visit. Returns a message for the user if neither is valid.
 */
export async function enterSession(location: Location, history: History): Promise<{ ok: true } | { refused: string }> {
  const invite = location.hash.slice(1);
  if (invite === "") return (await isAdmitted(location.pathname)) ? { ok: true } : { refused: NO_INVITE };
  history.replaceState(null, "", location.pathname);
  const answer = await fetch(`${location.pathname}/enter`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ invite, name: guestName() }),
  });
  if (answer.ok || (await isAdmitted(location.pathname))) return { ok: true };
  return { refused: await answer.text() };
}

/** Asks the relay to admit this browser to a tunnel, and returns its address. Rejects with the relay's message. */
export async function enterTunnel(port: number): Promise<string> {
  const answer = await fetch(`${location.pathname}/tunnels/${port}`, { method: "POST" });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return Entered.parse(await answer.json()).result.url;
}

async function isAdmitted(path: string): Promise<boolean> {
  const answer = await fetch(`${path}/guest`);
  if (!answer.ok) return false;
  return Guest.parse(await answer.json()).result !== null;
}

/** Default name of this guest: its device. */
function guestName(): string {
  return `guest on ${deviceLabel(navigator.userAgent)}`;
}

/** Returns browser and system, for example `Firefox on Linux`. */
export function deviceLabel(userAgent: string): string {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(userAgent)?.[0] ?? "Browser";
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0];
  const named = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system === undefined ? named : `${named} on ${system === "Mac OS X" ? "macOS" : system}`;
}
