import { version } from "../../package.json" with { type: "json" };
import type { RelayDesk } from "../desktop/sessions/relay-for-desktop.ts";
import { userCaller } from "../relay/access/permits/caller.ts";
import { listGuests } from "../relay/operations/guests.ts";
import type { RunningRelay } from "./start-relay.ts";

/** The running relay as the tray app sees it. */
export function relayForDesktop({ relay, usageHistory, trouble, keepShells }: RunningRelay): RelayDesk {
  const { sessions, budgets, governor, notices } = relay;
  const caller = userCaller(relay.user, "panel");
  return {
    get url() {
      return relay.url;
    },
    version,
    keepShells,
    sessions: () => sessions.all().map(({ id, state }) => ({ id, name: state.now.session.name })),
    onSessions: (changed) => sessions.onChange(changed),
    attachLocal: (session, identity) => relay.attachLocal(session, { ...identity, place: "desktop" }),
    run: (name, params) => relay.calls.run(caller, name, params),
    async call(name, params, where) {
      const outcome = await relay.calls.call({ ...caller, isPerson: true }, name, params, where);
      if ("error" in outcome) throw outcome.error;
      return outcome.value;
    },
    logins: relay.logins,
    guests(id) {
      const session = sessions.find(id);
      return session === undefined ? [] : listGuests(relay.guests, session);
    },
    onGuests: (changed) => relay.guests.onChange(changed),
    keepNotice: (notice) => notices.add(notice),
    history: () => relay.history?.settings().choice ?? "unasked",
    trouble: () => trouble.issue,
    onTrouble: (changed) => trouble.onChange(changed),
    outsideUrls: () => relay.remoteAccess?.urls ?? [],
    usageHistory,
    budgets: () => budgets.limits(),
    onBudgetAlert: (told) => governor.onAlert(told),
  };
}
