import type { ReadHook } from "../../../core/protocol/agent-hooks.ts";
import type { OtherMachines } from "../../../core/protocol/other-machines.ts";
import type { ShellHostControl } from "../../../core/protocol/shell-host.ts";
import { HookSigns } from "../../system/hook-signs.ts";
import type { Guests } from "../access/guests.ts";
import type { InviteStore } from "../access/invites.ts";
import type { Keys } from "../access/keys.ts";
import type { Logins } from "../access/logins.ts";
import type { OwnerLinks } from "../access/owner-links.ts";
import type { Audit } from "../audit/audit.ts";
import type { Budgets } from "../budgets/budgets.ts";
import type { Governor } from "../budgets/governor.ts";
import type { Handlers } from "../calls/calls.ts";
import type { Plugins } from "../plugins/plugins.ts";
import type { AgentsPort, HistoryControl } from "../session/ports.ts";
import type { Sessions } from "../session/sessions.ts";
import type { NoticeRows } from "../store/notice-rows.ts";
import type { RemoteAccess } from "../tls/remote-access.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { agentHandlers } from "./agents.ts";
import { budgetHandlers, priceHandlers } from "./budgets.ts";
import { clientHandlers } from "./clients.ts";
import { conversationHandlers } from "./conversations.ts";
import { type FleetMembership, type FleetView, fleetHandlers, fleetStatus } from "./fleet.ts";
import { guestHandlers } from "./guests.ts";
import { historyHandlers } from "./history.ts";
import { inviteHandlers } from "./invites.ts";
import { keyHandlers } from "./keys.ts";
import { machineHandlers } from "./machines.ts";
import { overviewHandlers } from "./overview.ts";
import { pluginHandlers } from "./plugins.ts";
import { policyHandlers } from "./policies.ts";
import { processHandlers } from "./processes.ts";
import { questionHandlers } from "./questions.ts";
import { type RunChecks, relayHandlers } from "./relay.ts";
import { sendHandlers } from "./sends.ts";
import { sessionHandlers } from "./sessions.ts";
import { type AppSettings, settingHandlers } from "./settings.ts";
import { webhookHandlers } from "./webhooks.ts";
import { type WindowOpener, windowHandlers } from "./windows.ts";

/** The parts of the relay that operations use. Functions return what may be there later, or not at all. */
interface HandlerParts {
  /** The operating-system user that runs the relay. */
  readonly user: string;
  readonly version: string;
  readonly sessions: Sessions;
  readonly keys: Keys;
  readonly logins: Logins;
  readonly invites: InviteStore;
  readonly ownerLinks: OwnerLinks;
  readonly guests: Guests;
  readonly plugins: Plugins;
  readonly webhooks: Webhooks;
  readonly audit: Audit;
  readonly notices: NoticeRows;
  readonly budgets: Budgets;
  readonly governor: Governor;
  readonly agents: AgentsPort;
  readonly readHook: ReadHook | undefined;
  readonly dataFolder: string | undefined;
  readonly healthIssue: (() => string | undefined) | undefined;
  readonly shellHost: ShellHostControl;
  readonly url: () => string;
  readonly remoteAccess: () => RemoteAccess | undefined;
  readonly fleet: () => FleetView | undefined;
  readonly fleetMembership: () => FleetMembership | undefined;
  readonly machines: () => OtherMachines | undefined;
  readonly windows: () => WindowOpener | undefined;
  readonly history: () => HistoryControl | undefined;
  readonly appSettings: () => AppSettings | undefined;
  readonly checks: () => RunChecks | undefined;
}

/** Returns the handlers of every operation. */
export function allHandlers(parts: HandlerParts): Handlers {
  const { user, version, sessions, keys, logins, invites, ownerLinks, guests, plugins, webhooks, audit, notices } =
    parts;
  const { budgets, governor, agents, readHook = () => undefined, dataFolder, shellHost } = parts;
  const {
    url,
    remoteAccess,
    fleet,
    fleetMembership: membership,
    machines,
    windows: opener,
    history,
    appSettings,
    checks,
  } = parts;
  return {
    ...sessionHandlers(sessions, fleet),
    ...windowHandlers({ sessions, user, opener }),
    ...inviteHandlers({ invites, ownerLinks, url, remoteAccess }),
    ...guestHandlers(guests),
    ...clientHandlers(),
    ...questionHandlers({
      readHook,
      agents,
      hookSigns: dataFolder === undefined ? undefined : new HookSigns(dataFolder),
    }),
    ...agentHandlers(agents),
    ...conversationHandlers({ sessions, user, agents }),
    ...policyHandlers(),
    ...processHandlers(agents),
    ...sendHandlers({ keys }),
    ...pluginHandlers(plugins),
    ...webhookHandlers(webhooks),
    ...keyHandlers({ keys, logins, sessions }),
    ...priceHandlers(agents),
    ...budgetHandlers({ budgets, governor, agents }),
    ...fleetHandlers({ fleet, membership }),
    ...machineHandlers(machines),
    ...overviewHandlers({
      ...{ user, version, sessions, guests, logins, budgets, agents },
      healthIssue: parts.healthIssue,
      outsideUrls: () => remoteAccess()?.urls ?? [],
    }),
    ...historyHandlers(history),
    ...settingHandlers({ budgets, app: appSettings }),
    ...relayHandlers({
      ...{ audit, notices, sessions, shellHost, checks },
      checked: { prices: () => agents.prices(), fleet: () => fleetStatus({ fleet, membership }) },
    }),
  };
}
