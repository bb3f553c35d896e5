import { panelSession } from "../../../core/client/panel-session.ts";
import type { DesktopSettings } from "../../../core/protocol/desktop-settings.ts";
import { noShellRestrictions } from "../../../core/protocol/shell-restrictions.ts";
import { shellLabel } from "../../../core/state/client-state.ts";
import type { PanelContent, PanelDesktop, PanelSession } from "../../../preload/channels.ts";
import type { NoticeGate } from "../notifications/notice-gate.ts";
import type { DesktopClient } from "../sessions/desktop-client.ts";
import type { RelayDesk } from "../sessions/relay-for-desktop.ts";
import type { UsageWatch } from "../sessions/usage-watch.ts";
import type { RelayAddressSetting } from "../settings/relay-address-setting.ts";

interface Parts {
  readonly relay: RelayDesk;
  /** The data folder. */
  readonly dataFolder: string;
  readonly keychainProblem: string | undefined;
  readonly trayProblem: string | undefined;
  readonly notificationProblem: string | undefined;
  readonly place: Pick<RelayAddressSetting, "facts">;
  readonly sessions: readonly DesktopClient[];
  readonly usage: UsageWatch;
  readonly gate: Pick<NoticeGate, "mutedIn" | "paused">;
  readonly settings: DesktopSettings;
  readonly keysWanted: PanelDesktop["keysWanted"];
}

/** The panel's content, except for what its page requests separately. */
export function panelContent({ relay, place, sessions, usage, gate, settings, ...facts }: Parts): PanelContent {
  return {
    address: relay.url,
    externalAddresses: relay.outsideUrls(),
    healthIssue: relay.trouble(),
    logins: relay.logins.pending(),
    version: relay.version,
    sessions: sessions.map((session) => sessionContent(session, { relay, usage, gate })),
    costToday: usage.today(),
    budgets: relay.budgets(),
    desktop: { ...facts, relay: place.facts(), settings, paused: gate.paused },
  };
}

function sessionContent(
  session: DesktopClient,
  { relay, usage, gate }: Pick<Parts, "relay" | "usage" | "gate">,
): PanelSession {
  const { mirror, self, state } = session.client;
  return panelSession({
    id: session.id,
    name: session.name(),
    self: self?.id,
    mirror: mirror ?? notJoined,
    guests: relay.guests(session.id),
    muted: [...gate.mutedIn(session.id)],
    costToday: usage.today(session.id),
    labelOf: (shell) => shellLabel(state.now, shell),
    startOf: (agentSession) => usage.startOf(agentSession),
  });
}

/** A session that the app has not joined yet. */
const notJoined = {
  ...{ clients: [], shells: [], agents: [], adoptRequests: [], roleRequests: [], plugins: [], questions: [] },
  restrictions: noShellRestrictions,
};

/** A curl command that runs in a shell unchanged, with the key in `SERVICE_TOKEN`, which it does not show in its arguments. */
export function curlLine({ address }: Pick<PanelContent, "address">, session: string): string {
  return [
    `echo "X-Service-Token: $SERVICE_TOKEN" | curl -sS '${address}/v1/sessions/${session}/remote/command' -H @-`,
    "-H 'content-type: application/json'",
    `-d '{"method":"getShells"}'`,
  ].join(" ");
}
