import type { Log } from "../system/log.ts";
import type { Guests } from "./access/guests.ts";
import type { InviteStore } from "./access/invites.ts";
import type { Keys } from "./access/keys.ts";
import type { Logins } from "./access/logins.ts";
import type { OwnerLinks } from "./access/owner-links.ts";
import type { Audit } from "./audit/audit.ts";
import type { Budgets } from "./budgets/budgets.ts";
import type { Calls } from "./calls/calls.ts";
import { docsRoutes } from "./docs/docs-routes.ts";
import { type AdmitClient, admissionRoute, clientAdmission } from "./http/admit-client.ts";
import { createApp } from "./http/app.ts";
import type { HttpApp } from "./http/app-messages.ts";
import { AuditedCalls } from "./http/audit-calls.ts";
import { Auth } from "./http/auth.ts";
import { eventRoutes } from "./http/event-routes.ts";
import { FairTurns } from "./http/fair-turns.ts";
import type { ForeignSessions } from "./http/foreign-sessions.ts";
import { type CallLocally, localCalls } from "./http/local-calls.ts";
import { loginRoutes } from "./http/login-routes.ts";
import { metricsRoutes } from "./http/metrics-routes.ts";
import { operationRoutes } from "./http/operation-routes.ts";
import { outputRoutes } from "./http/output-routes.ts";
import { overviewRoutes } from "./http/overview-routes.ts";
import { ownerRoutes } from "./http/owner-routes.ts";
import { panelRoutes } from "./http/panel-routes.ts";
import { type CallPassed, passedCalls } from "./http/passed-calls.ts";
import { pluginPageRoutes } from "./http/plugin-page-routes.ts";
import { remoteRoutes } from "./http/remote-routes.ts";
import { tunnelRoutes } from "./http/tunnel-routes.ts";
import { UnreadAnswers } from "./http/unread-answers.ts";
import { webRoutes } from "./http/web-routes.ts";
import { McpRoutes } from "./mcp/mcp-routes.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { ConnectionGate } from "./net/connection-gate.ts";
import type { Plugins } from "./plugins/plugins.ts";
import type { Sessions } from "./session/sessions.ts";
import type { Tracing } from "./telemetry/tracing.ts";
import type { RemoteAccess } from "./tls/remote-access.ts";
import type { TunnelGate } from "./tunnels/tunnel-gate.ts";

/** What the entry points lead to. */
interface EntryPointsOptions {
  readonly sessions: Sessions;
  readonly calls: Calls;
  readonly keys: Keys;
  readonly logins: Logins;
  readonly invites: InviteStore;
  readonly guests: Guests;
  readonly plugins: Plugins;
  readonly budgets: Budgets;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
  readonly tunnelGate: TunnelGate;
  readonly ownerLinks: OwnerLinks;
  readonly gate: ConnectionGate;
  readonly log: Log;
  /** The operating-system user that runs the relay. */
  readonly user: string;
  readonly version: string;
  /** Id of this run. */
  readonly boot: string;
  /** "" or a path such as `/x`. */
  readonly basePath: string;
  readonly commandTimeoutMs: number;
  readonly docsFolder: string;
  readonly pagesFolder: string;
  readonly remoteAccess: () => RemoteAccess | undefined;
  readonly foreign: () => ForeignSessions | undefined;
}

/** The ways into a relay, which share one check of credentials, one order of turns and one bound on unread answers. */
interface EntryPoints {
  readonly app: HttpApp;
  /** WebSockets of clients. */
  readonly admit: AdmitClient;
  readonly mcp: McpRoutes;
  /** Calls that a relay of the fleet passes on. */
  readonly callPassed: CallPassed;
  /** Calls of a program of this machine that runs in this process. */
  readonly callLocally: CallLocally;
}

/** Builds the entry points of a relay. */
export function createEntryPoints(options: EntryPointsOptions): EntryPoints {
  const { sessions, calls, keys, logins, invites, guests, plugins, metrics, tunnelGate, gate } = options;
  const { log, user, version, commandTimeoutMs, docsFolder, pagesFolder, foreign } = options;
  const { permitOf } = sessions;
  const audited = new AuditedCalls(options.audit);
  const auth = new Auth({ keys, audited, permitOf, onCaller: gate.markAuthenticated });
  const turns = new FairTurns();
  const unread = new UnreadAnswers(metrics);
  const called = { ...options, auth, audited, turns, unread };
  const admit = clientAdmission(called);
  const mcp = new McpRoutes({ ...called, timeoutMs: commandTimeoutMs });
  const app = createApp({
    ...called,
    commands: remoteRoutes(called),
    api: [
      eventRoutes({ ...called, permitOf }),
      overviewRoutes(called),
      admissionRoute(admit),
      outputRoutes({ sessions, auth, permitOf }),
      pluginPageRoutes({ sessions, plugins, docsFolder }),
      operationRoutes(called),
      mcp.add,
      metricsRoutes({ metrics, auth, user }),
      loginRoutes({ logins, keys, auth, audited, calls, user, log }),
      docsRoutes({ version, viewerFolder: docsFolder }),
    ],
    pages: [
      ["/s/:session/tunnels", tunnelRoutes({ sessions, guests, tunnelGate, auth, audited })],
      ["/panel", panelRoutes(pagesFolder)],
      ["/s", ownerRoutes({ sessions, links: options.ownerLinks, calls, user, auth })],
      ["/s", webRoutes({ sessions, invites, guests, auth, foreign, pagesFolder })],
    ],
  });
  return { app, admit, mcp, callPassed: passedCalls(called), callLocally: localCalls(called) };
}
