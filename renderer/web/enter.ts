import { z } from "zod";

const Guest = z.object({ result: z.object({ name: z.string(), role: z.string() }).nullable() });

const NO_INVITE = "This browser has not been let in. Ask the session's owner for an invite link, and open that.";

/**
 * Lets this browser in: by the invite in the address, which is taken out of it at once, else by the cookie of an earlier
 * visit. Answers a sentence for the user where neither is good.
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

async function isAdmitted(path: string): Promise<boolean> {
  const answer = await fetch(`${path}/guest`);
  if (!answer.ok) return false;
  return Guest.parse(await answer.json()).result !== null;
}

/** How the others see this browser, until it is asked for a name: by its device. */
function guestName(): string {
  return `guest on ${deviceLabel(navigator.userAgent)}`;
}

/** `Firefox on Linux`. */
export function deviceLabel(userAgent: string): string {
  const browser = /Firefox|Edg|OPR|Chrome|Safari/.exec(userAgent)?.[0] ?? "Browser";
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0];
  const named = { Edg: "Edge", OPR: "Opera" }[browser] ?? browser;
  return system === undefined ? named : `${named} on ${system === "Mac OS X" ? "macOS" : system}`;
}
