import type { PanelContent, PanelSession } from "../../preload/channels.ts";
import type { DesktopClient } from "./desktop-client.ts";
import type { UsageWatch } from "./usage-watch.ts";

/** One session as the panel shows it. */
export function panelSession(session: DesktopClient, usage: UsageWatch): PanelSession {
  const { mirror, self } = session.client;
  const agents = mirror?.agents ?? [];
  const starts = agents.flatMap(({ sessionId }): [string, string][] => {
    const start = usage.startOf(sessionId);
    return start === undefined ? [] : [[sessionId, start]];
  });
  return {
    id: session.id,
    name: session.name(),
    self: self?.id,
    shells: (mirror?.shells ?? []).map(({ id, title, running }) => ({ id, title, running })),
    clients: mirror?.clients ?? [],
    adoptRequests: mirror?.adoptRequests ?? [],
    agents,
    costToday: usage.today(session.id),
    agentStarts: Object.fromEntries(starts),
  };
}

/** A request that runs in a shell as it is, with the key in `SERVICE_TOKEN`. */
export function curlLine({ address }: Pick<PanelContent, "address">, session: string): string {
  return [
    `curl -sS '${address}/v1/sessions/${session}/remote/command'`,
    `-H "x-service-token: $SERVICE_TOKEN"`,
    "-H 'content-type: application/json'",
    `-d '{"method":"getShells"}'`,
  ].join(" ");
}
