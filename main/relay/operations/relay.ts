import type { OperationResult } from "../../../core/operations/index.ts";
import type { relayOperations } from "../../../core/operations/relay.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { FleetStatus } from "../../../core/protocol/fleet.ts";
import type { Finding } from "../../../core/protocol/health.ts";
import type { PriceListStatus } from "../../../core/protocol/prices.ts";
import type { ShellHostControl } from "../../../core/protocol/shell-host.ts";
import type { Audit } from "../audit/audit.ts";
import type { Handlers } from "../calls/calls.ts";
import type { Sessions } from "../session/sessions.ts";
import type { NoticeRows } from "../store/notice-rows.ts";

interface RelayHandlersOptions {
  readonly audit: Audit;
  readonly notices: NoticeRows;
  readonly sessions: Sessions;
  readonly shellHost: ShellHostControl;
  /** Returns what checks the relay and its machine; undefined where nothing does. */
  readonly checks: () => RunChecks | undefined;
  readonly checked: CheckedRelay;
}

/** What checks of the relay ask it. */
interface CheckedRelay {
  prices(): PriceListStatus;
  fleet(): FleetStatus;
}

/** Checks the relay and its machine, without changing anything. */
export type RunChecks = (relay: CheckedRelay) => Promise<Finding[]>;

type EndedShells = OperationResult<"restartShellHost">["ended"];

export function relayHandlers({
  audit,
  notices,
  sessions,
  shellHost,
  checks,
  checked,
}: RelayHandlersOptions): Handlers<keyof typeof relayOperations> {
  return {
    audit: (query) => audit.list(query),
    verifyAudit: ({ head }) => audit.verify(head),
    listNotifications: () => notices.list(),
    checkHealth: async () => (await checks()?.(checked)) ?? [],
    getShellHost: () => shellHost.status(),
    async restartShellHost({ force }) {
      const running = runningShells(sessions);
      if (!force && running.length > 0) throw wouldEnd(running);
      await shellHost.restart();
      return { pid: shellHost.status().pid, ended: running };
    },
  };
}

function runningShells(sessions: Sessions): EndedShells {
  return sessions
    .all()
    .flatMap((session) =>
      session.state.now.shells
        .filter((shell) => shell.running)
        .map(({ id: shellId, title }) => ({ session: session.id, shellId, title })),
    );
}

function wouldEnd(running: EndedShells): RemoteError {
  const names = running.map(({ session, shellId, title }) => `${shellId} (${title}) of session ${session}`);
  return new RemoteError(
    "invalid_request",
    `These shells run and would end: ${names.join(", ")}. Close them first, or restart with \`force\`.`,
  );
}
