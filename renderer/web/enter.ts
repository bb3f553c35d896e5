import { z } from "zod";
import { GUEST_HEADER, INVITE_HEADER } from "../../core/protocol/page-credentials.ts";
import { Role } from "../../core/protocol/records.ts";
import type { TunnelAddress } from "../session/view/session-host.ts";

const Guest = z.object({ result: z.object({ name: z.string(), role: z.string() }).nullable() });

const Invited = z.object({ result: z.object({ session: z.string(), owner: z.string(), role: Role }) });

const Entered = z.object({ result: z.object({ pageKey: z.string() }) });

const Tunnel = z.object({
  result: z.object({ url: z.url({ protocol: /^https?$/ }), pass: z.string().optional() }),
});

const STORED = "patchbay-guest-";
const NAME = "patchbay-name";

const NO_INVITE = "This browser has no access to the session. Ask the session's owner for an invite link and open it.";
const UNREACHABLE = "The relay cannot be reached. Check the network and try again.";

/** What an invite is to. */
export interface Invitation {
  readonly session: string;
  readonly owner: string;
  readonly role: Role;
}

/**
 * Asks the user under which name to join; an empty one leaves the choice to the relay. `invitation` is undefined while the
 * relay does not say what it is to, `refusal` says why the last name was not accepted.
 */
export type AskName = (question: {
  readonly invitation: Invitation | undefined;
  readonly name: string;
  readonly refusal: string | undefined;
}) => Promise<string>;

/**
 * Admits this browser to the session: by the invite in the address, which is removed from it at once, else by the page key
 * of an earlier visit. Returns the page key, or a message for the user if neither is valid.
 *
 * The page never relies on its cookie: a server on another port of the host can replace that with the cookie of a guest of
 * its own, or evict it. The page's storage is separated by port.
 */
export async function enterSession({ location, history, localStorage }: Window, ask: AskName): Promise<Entry> {
  const stored = STORED + (location.pathname.split("/").at(-1) ?? "");
  const known = read(() => localStorage.getItem(stored) ?? undefined);
  const path = location.pathname;
  const invite = location.hash.slice(1);
  const enterAgain = async (refused: string): Promise<Entry> =>
    known !== undefined && (await readAdmission(path, known)) !== "refused" ? { pageKey: known } : { refused };
  if (invite === "") return enterAgain(NO_INVITE);
  history.replaceState(null, "", path);
  const invitation = await readInvitation(path, invite);
  if (invitation !== undefined && "refused" in invitation) return enterAgain(invitation.refused);
  let name = read(() => localStorage.getItem(NAME) ?? undefined) ?? "";
  let refusal: string | undefined;
  for (;;) {
    name = await ask({ invitation, name, refusal });
    const answer = await spendInvite(path, { invite, name }, known);
    if ("pageKey" in answer) {
      // Without storage the guest stays in until the page is closed.
      read(() => localStorage.setItem(stored, answer.pageKey));
      read(() => localStorage.setItem(NAME, name));
      return answer;
    }
    if (!("mayRetry" in answer)) return enterAgain(answer.refused);
    refusal = answer.mayRetry;
  }
}

/** Asks the relay what an invite is to; undefined if the relay did not say. */
async function readInvitation(path: string, invite: string): Promise<Invitation | { refused: string } | undefined> {
  try {
    const answer = await fetch(`${path}/invite`, { headers: { [INVITE_HEADER]: invite } });
    if (answer.ok) return Invited.parse(await answer.json()).result;
    return answer.status < 500 ? { refused: await answer.text() } : undefined;
  } catch {
    return undefined;
  }
}

/** Uses an invite. `mayRetry` says why it was not used, if another attempt may succeed. */
async function spendInvite(
  path: string,
  body: { readonly invite: string; readonly name: string },
  known: string | undefined,
): Promise<{ pageKey: string } | { refused: string } | { mayRetry: string }> {
  try {
    const answer = await fetch(`${path}/enter`, {
      method: "POST",
      // The relay then knows that an earlier name is this guest's own.
      headers: { "content-type": "application/json", ...(known === undefined ? {} : { [GUEST_HEADER]: known }) },
      body: JSON.stringify(body),
    });
    if (answer.ok) return { pageKey: Entered.parse(await answer.json()).result.pageKey };
    const text = await answer.text();
    return answer.status === 400 ? { mayRetry: text.replace(/^body\.name: /, "") } : { refused: text };
  } catch {
    return { mayRetry: UNREACHABLE };
  }
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
