import type { DesktopSettings } from "../../../core/protocol/desktop-settings.ts";
import { describeShell } from "../../../core/protocol/shell-name.ts";
import { noShellRestrictions } from "../../../core/protocol/shell-restrictions.ts";
import { shellLabel } from "../../../core/state/client-state.ts";
import type { PanelContent, PanelSession } from "../../../preload/channels.ts";
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
  readonly keysWanted: PanelContent["keysWanted"];
}

/** The panel's content, except for what its page requests separately. */
export function panelContent({ relay, place, sessions, usage, gate, settings, ...facts }: Parts): PanelContent {
  return {
    ...facts,
    address: relay.url,
    relay: place.facts(),
    externalAddresses: relay.outsideUrls(),
    healthIssue: relay.trouble(),
    logins: relay.logins.pending(),
    version: relay.version,
    sessions: sessions.map((session) => panelSession(session, { relay, usage, gate })),
    costToday: usage.today(),
    budgets: relay.budgets(),
    settings,
    paused: gate.paused,
  };
}

function panelSession(
  session: DesktopClient,
  { relay, usage, gate }: Pick<Parts, "relay" | "usage" | "gate">,
): PanelSession {
  const { mirror, self, state } = session.client;
  const agents = mirror?.agents ?? [];
  const shells = mirror?.shells ?? [];
  const starts = agents.flatMap(({ sessionId }): [string, string][] => {
    const start = usage.startOf(sessionId);
    return start === undefined ? [] : [[sessionId, start]];
  });
  return {
    id: session.id,
    name: session.name(),
    self: self?.id,
    shells: shells.map((shell) => {
      const agent = agents.find(({ shellId }) => shellId === shell.id);
      const { name } = describeShell(shell, { label: shellLabel(state.now, shell.id), agent, shells });
      return { id: shell.id, name, running: shell.running };
    }),
    clients: mirror?.clients ?? [],
    awayGuests: relay.guests(session.id).filter(({ clients }) => clients.length === 0),
    adoptRequests: mirror?.adoptRequests ?? [],
    roleRequests: mirror?.roleRequests ?? [],
    questions: mirror?.questions ?? [],
    plugins: mirror?.plugins ?? [],
    restrictions: mirror?.restrictions ?? noShellRestrictions,
    agents,
    muted: [...gate.mutedIn(session.id)],
    costToday: usage.today(session.id),
    agentStarts: Object.fromEntries(starts),
  };
}

/** A curl command that runs in a shell unchanged, with the key in `SERVICE_TOKEN`, which it does not show in its arguments. */
export function curlLine({ address }: Pick<PanelContent, "address">, session: string): string {
  return [
    `echo "X-Service-Token: $SERVICE_TOKEN" | curl -sS '${address}/v1/sessions/${session}/remote/command' -H @-`,
    "-H 'content-type: application/json'",
    `-d '{"method":"getShells"}'`,
  ].join(" ");
}
