import { restrictionsInWords } from "../../core/protocol/key-restrictions.ts";
import { version } from "../../package.json" with { type: "json" };
import type { RelayDesk } from "../desktop/sessions/relay-for-desktop.ts";
import { changeRole, sendAway } from "../relay/session/people.ts";
import type { RunningRelay } from "./start-relay.ts";

const INVITE_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** The running relay as the tray app sees it. */
export function relayForDesktop({
  relay,
  usageHistory,
  budgets,
  pastNotices,
  trouble,
  keepShells,
}: RunningRelay): RelayDesk {
  const { sessions, keys } = relay;
  return {
    get url() {
      return relay.url;
    },
    version,
    keepShells,
    sessions: () => sessions.all().map(({ id, facts }) => ({ id, name: facts.now.session.name })),
    onSessions: (changed) => sessions.onChange(changed),
    attachLocal: (session, identity) => relay.attachLocal(session, { ...identity, place: "desktop" }),
    createSession: (name) => void sessions.create(relay.user, name),
    renameSession: (id, name) => void sessions.rename(id, name),
    removeSession: (id) => sessions.remove(id),
    invite(id, role) {
      const { invite, secret } = relay.guests.invite({ session: sessions.get(id).id, role, uses: 1, ttlMs: INVITE_MS });
      // After the # it stays in the browser: no server log, no referrer.
      // Who lets other machines in wants links for them; this machine may open those too.
      const base = relay.outside?.urls[0] ?? relay.url;
      return { url: `${base}/s/${id}#${secret}`, expiresAt: invite.expiresAt };
    },
    changeRole: (id, client, role) => changeRole(sessions.get(id), client, role),
    sendAway: (id, client) => sendAway(sessions.get(id), client),
    keys: () =>
      keys.list().map(({ id, name, scheme, createdAt, lastUsedAt, expiresAt, restrictions }) => ({
        id,
        name,
        scheme,
        createdAt,
        lastUsedAt,
        expiresAt,
        restricted: restrictionsInWords(restrictions),
      })),
    createKey: ({ name, readOnly, days }) =>
      keys.create({
        owner: relay.user,
        name,
        ...(readOnly ? { restrictions: { readOnly } } : {}),
        ...(days === null ? {} : { ttlMs: days * DAY_MS }),
      }).secret,
    revokeKey: (id) => void keys.revoke(id),
    logins: relay.logins,
    audit: (query) => relay.audit.list(query),
    pastNotices: () => pastNotices.list(),
    keepNotice: (notice) => pastNotices.add(notice),
    trouble: () => trouble.now,
    onTrouble: (changed) => trouble.onChange(changed),
    outsideUrls: () => relay.outside?.urls ?? [],
    usageHistory,
    budgets: () => budgets.limits(),
    setBudgets: (limits) => budgets.setLimits(limits),
    checkBudgets: (spendings) => budgets.check(spendings),
  };
}
