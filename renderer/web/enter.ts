import { z } from "zod";
import { GUEST_HEADER, INVITE_HEADER, STORED_KEY } from "../../core/protocol/page-credentials.ts";
import { type PagePlace, splitPlace } from "../../core/protocol/page-place.ts";
import { Role } from "../../core/protocol/records.ts";
import type { TunnelAddress } from "../session/view/session-host.ts";
import { words } from "./words.ts";

const Guest = z.object({ result: z.object({ name: z.string(), role: z.string() }).nullable() });

const Invited = z.object({ result: z.object({ session: z.string(), owner: z.string(), role: Role }) });

const Admitted = z.object({ result: z.object({ session: z.string() }) });

const Entered = z.object({ result: z.object({ pageKey: z.string() }) });

const Owner = z.object({ result: z.object({ apiKey: z.string() }) });

const Tunnel = z.object({
  result: z.object({ url: z.url({ protocol: /^https?$/ }), pass: z.string().optional() }),
});

const STORED = "patchbay-guest-";
const NAME = "patchbay-name";

const AWAY_TIMEOUT_S = 2;

/** With what a page opens its session: the page key of a guest, or an API key of the relay that serves the session. */
export type PageCredential = { readonly pageKey: string } | { readonly apiKey: string };

type Entry = PageCredential | { readonly refused: string };

/**
 * Whether the session is open to a page; `why` is for the user. `away`: the relay of the session did not say, and `why` is
 * undefined if not even the relay of the page did.
 */
type Admission =
  | { readonly state: "admitted" }
  | { readonly state: "refused"; readonly why: string }
  | { readonly state: "away"; readonly why: string | undefined };

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

/** Asks the user for an API key of the session's relay; `reason` says why the page has no access without one. */
export type AskKey = (reason: string) => Promise<string>;

/**
 * Admits this browser to the session: by the invite, the owner's link (`#owner=…`) or the API key (`#token=…`) in the
 * address, which is removed from it at once, else by the API key or page key of an earlier visit, else by an API key that
 * the user gives.
 *
 * The page never relies on its cookie: a server on another port of the host can replace that with the cookie of a guest of
 * its own, or evict it. The page's storage is separated by port. An API key that the user gives is kept
 * for this tab only; the one of an owner's link is this browser's.
 */
export async function enterSession(window: Window, ask: AskName, askKey: AskKey): Promise<PageCredential> {
  const { location, history } = window;
  const path = location.pathname;
  const hash = location.hash.slice(1);
  if (hash !== "") history.replaceState(null, "", path);
  const keys = keptKeys(window, STORED_KEY + (path.split("/").at(-1) ?? ""));
  const [, kind, secret] = /^(token|owner)=(.+)$/.exec(hash) ?? [];
  let entry: Entry;
  if (kind === "owner" && secret !== undefined) entry = await enterAsOwner(window, secret, keys.first());
  else {
    const apiKey = kind === "token" ? secret : hash === "" ? keys.first() : undefined;
    entry = apiKey === undefined ? await enterAsGuest(window, hash, ask) : { apiKey };
  }
  for (;;) {
    if ("pageKey" in entry) return entry;
    const refused = "refused" in entry ? entry.refused : await refusalOfKey(path, entry);
    if (refused === undefined && "apiKey" in entry) {
      keys.keepInTab(entry.apiKey);
      return entry;
    }
    if ("apiKey" in entry) keys.forget(entry.apiKey);
    // A link that is not good takes nothing from a browser that is let in already.
    entry = { apiKey: keys.first() ?? (await askKey(refused ?? words.access.noInvite)) };
  }
}

/** Resolves to why the relay refuses a key; undefined for one that it accepts, or that it could not be asked about. */
async function refusalOfKey(path: string, entry: { readonly apiKey: string }): Promise<string | undefined> {
  const admission = await readAdmission(path, entry);
  return admission.state === "refused" ? admission.why : undefined;
}

/** The API keys that a page keeps under a name: of this tab first, then of the browser. */
function keptKeys({ sessionStorage, localStorage }: Window, name: string) {
  const of = (storage: Storage) => read(() => storage.getItem(name) ?? undefined);
  return {
    first: () => of(sessionStorage) ?? of(localStorage),
    keepInTab: (key: string) => read(() => sessionStorage.setItem(name, key)),
    forget(key: string): void {
      for (const storage of [sessionStorage, localStorage])
        if (of(storage) === key) read(() => storage.removeItem(name));
    },
  };
}

/** Returns what the address leads to in the session, and removes it from there: a reload shows the session. */
export function takePlace({ location, history }: Window): PagePlace | undefined {
  const { fragment, place } = splitPlace(location.hash.slice(1));
  if (place !== undefined) history.replaceState(null, "", `${location.pathname}#${fragment}`);
  return place;
}

/** Exchanges the secret of an owner's link for an API key of this browser; `known` is that of an earlier link. */
async function enterAsOwner(
  { location, localStorage }: Window,
  link: string,
  known: string | undefined,
): Promise<Entry> {
  try {
    const answer = await fetch(`${location.pathname}/owner`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ link }),
    });
    if (!answer.ok) return known === undefined ? { refused: (await answer.text()).trim() } : { apiKey: known };
    const { apiKey } = Owner.parse(await answer.json()).result;
    read(() => localStorage.setItem(STORED_KEY + (location.pathname.split("/").at(-1) ?? ""), apiKey));
    return { apiKey };
  } catch {
    return known === undefined ? { refused: words.access.unreachable } : { apiKey: known };
  }
}

async function enterAsGuest(
  { location, localStorage }: Window,
  invite: string,
  ask: AskName,
): Promise<PageCredential | { readonly refused: string }> {
  const path = location.pathname;
  const stored = STORED + (path.split("/").at(-1) ?? "");
  const known = read(() => localStorage.getItem(stored) ?? undefined);
  const enterAgain = async (refused: string) =>
    known !== undefined && (await readAdmission(path, { pageKey: known })).state !== "refused"
      ? { pageKey: known }
      : { refused };
  if (invite === "") return enterAgain(words.access.noInvite);
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
    return { mayRetry: words.access.unreachable };
  }
}

/** Asks the relay to admit this browser to a tunnel, and returns its address. Rejects with a message for the user. */
export async function enterTunnel(credential: PageCredential, port: number): Promise<TunnelAddress> {
  if ("apiKey" in credential) throw new Error(words.access.noTunnels);
  const headers = { [GUEST_HEADER]: credential.pageKey };
  const answer = await fetch(`${location.pathname}/tunnels/${port}`, { method: "POST", headers });
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return Tunnel.parse(await answer.json()).result;
}

/** Asks the relay whether it admits this page. */
export async function readAdmission(path: string, credential: PageCredential): Promise<Admission> {
  try {
    return "apiKey" in credential ? await admissionOfKey(credential.apiKey) : await admissionOfGuest(path, credential);
  } catch {
    return { state: "away", why: undefined };
  }
}

async function admissionOfGuest(path: string, { pageKey }: { readonly pageKey: string }): Promise<Admission> {
  const answer = await fetch(`${path}/guest`, { headers: { [GUEST_HEADER]: pageKey } });
  if (!answer.ok) return { state: "away", why: (await answer.text()).trim() };
  return Guest.parse(await answer.json()).result === null
    ? { state: "refused", why: words.access.noLonger }
    : { state: "admitted" };
}

/** The relay may be another one than that of the page: then the question is passed on, and says so if that one is away. */
async function admissionOfKey(apiKey: string): Promise<Admission> {
  const headers = { "x-service-token": apiKey, "x-service-timeout": String(AWAY_TIMEOUT_S) };
  const answer = await fetch(socketAddress(), { headers });
  if (!answer.ok) {
    const text = (await answer.text()).trim();
    const relay = answer.headers.get("x-service-relay");
    const isAway = answer.headers.get("x-service-error") === "relay_away" && relay !== null;
    const why = isAway ? words.access.away(relay) : text;
    // Too many wrong keys from this address say nothing about this one.
    return { state: answer.status >= 500 || answer.status === 429 ? "away" : "refused", why };
  }
  Admitted.parse(await answer.json());
  return { state: "admitted" };
}

/** The address of the session's socket for API keys. The page is `<base>/s/<session>`. */
export function socketAddress(): URL {
  return new URL(`../v1/sessions/${location.pathname.split("/").at(-1) ?? ""}/socket`, location.href);
}

/** Returns what a storage holds; undefined where the browser denies it. */
function read<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
