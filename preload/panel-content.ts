import { z } from "zod";
import type { Agent } from "../core/protocol/agent-records.ts";
import type { BudgetLimits } from "../core/protocol/budget-limits.ts";
import { SessionId, ShellId } from "../core/protocol/ids.ts";
import type { PendingLogin } from "../core/protocol/pending-login.ts";
import { type AdoptRequest, type ClientRecord, Role } from "../core/protocol/records.ts";
import { AgentAnswer, type ShellRestrictions } from "../core/protocol/shell-restrictions.ts";

const noArguments = z.undefined();
/** A time of day, for example `22:30`. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

export const UsageDays = z.union([z.literal(1), z.literal(7), z.literal(30)]);
export type UsageDays = z.infer<typeof UsageDays>;

/** Where the relay is to listen from its next start on, unless the command line says otherwise. */
export const ListenSettings = z.strictObject({
  /** Null: the usual one. */
  port: z.int().min(1).max(65_534).nullable(),
  /** Other machines are let in too, over TLS, on all addresses of this one. */
  outside: z.boolean(),
});
export type ListenSettings = z.infer<typeof ListenSettings>;

/** What the user has set for this desktop; kept in `desktop.json` of the data folder. */
export const DesktopSettings = z.strictObject({
  theme: z.enum(["system", "dark", "light"]),
  startAtLogin: z.boolean(),
  /** Which kinds become notifications; `messages` are those of the `notify` command. */
  notify: z.strictObject({
    waiting: z.boolean(),
    finished: z.boolean().default(true),
    failed: z.boolean().default(true),
    ended: z.boolean(),
    budget: z.boolean(),
    messages: z.boolean(),
  }),
  /** Local times between which nothing is shown; over midnight where `from` is later. Null: none. */
  quiet: z.strictObject({ from: TimeOfDay, to: TimeOfDay }).nullable(),
  relay: ListenSettings.default({ port: null, outside: false }),
});
export type DesktopSettings = z.infer<typeof DesktopSettings>;
export type NotificationKind = keyof DesktopSettings["notify"];

/** From the panel's page to the main process. */
export const panelInvokes = {
  "panel.start": noArguments,
  "panel.open": z.strictObject({ id: SessionId, shell: ShellId.optional() }),
  "panel.copy": z.strictObject({ id: SessionId, what: z.enum(["id", "curl"]) }),
  "panel.quit": noArguments,
  /** An operation of the relay that is declared for the panel. */
  "panel.run": z.strictObject({ operation: z.string().max(100), params: z.record(z.string(), z.unknown()) }),
  "panel.invite": z.strictObject({ id: SessionId, role: Role }),
  "panel.answerAdopt": z.strictObject({ id: SessionId, request: z.int(), allow: z.boolean() }),
  "panel.restrictShells": z.strictObject({ id: SessionId, on: z.boolean() }),
  "panel.answerAgent": z.strictObject({ id: SessionId, request: z.int(), answer: AgentAnswer }),
  "panel.forgetAgent": z.strictObject({
    id: SessionId,
    agentType: z.string().min(1).max(100),
    folder: z.string().max(4096),
  }),
  "panel.usage": z.strictObject({ days: UsageDays }),
  "panel.exportUsage": z.strictObject({ days: UsageDays }),
  "panel.copySecret": z.strictObject({ secret: z.string().min(1).max(200) }),
  "panel.set": DesktopSettings.omit({ relay: true }),
  "panel.setRelay": ListenSettings,
  "panel.restart": noArguments,
  /** Of one agent's shell, until that agent ends. */
  "panel.mute": z.strictObject({ id: SessionId, shell: ShellId, muted: z.boolean() }),
  "panel.hide": noArguments,
  "panel.pause": z.strictObject({ paused: z.boolean() }),
  "panel.showData": noArguments,
  "panel.showLicences": noArguments,
} as const;

export type PanelTab = "sessions" | "people" | "costs" | "activity" | "settings";

export interface PanelSession {
  readonly id: string;
  readonly name: string;
  /** The desktop app's own client. */
  readonly self: number | undefined;
  readonly shells: readonly { readonly id: number; readonly title: string; readonly running: boolean }[];
  readonly clients: readonly ClientRecord[];
  readonly adoptRequests: readonly AdoptRequest[];
  /** Whether its shells are restricted, which agents ask to control it, and which always may. */
  readonly restrictions: ShellRestrictions;
  readonly agents: readonly Agent[];
  /** Shells whose agents notify of nothing. */
  readonly muted: readonly number[];
  /** US dollars since local midnight. */
  readonly costToday: number;
  /** When agents' sessions began, by their ids. */
  readonly agentStarts: Readonly<Record<string, string>>;
}

/** What holds from the next start on. */
export interface PanelRelayState extends ListenSettings {
  /** `--port` was given at this start, and goes before. */
  readonly portOverridden: boolean;
  /** `--listen` was given at this start, and goes before. */
  readonly listenOverridden: boolean;
  /** Something was changed that this run does not know yet. */
  readonly restartNeeded: boolean;
}

export interface PanelContent {
  readonly address: string;
  readonly relay: PanelRelayState;
  /** Where other machines reach the relay; empty when they do not. */
  readonly externalAddresses: readonly string[];
  /** What the relay has trouble with. */
  readonly healthIssue: string | undefined;
  /** Why no icon can be seen. */
  readonly trayProblem: string | undefined;
  /** Why native notifications do not work, and what the user can do; undefined while they work. */
  readonly notificationProblem: string | undefined;
  /** Programs that ask to be let in. */
  readonly logins: readonly PendingLogin[];
  readonly version: string;
  /** The data folder. */
  readonly dataFolder: string;
  /** Why secrets cannot be kept in the keychain; undefined while they can. */
  readonly keychainProblem: string | undefined;
  readonly sessions: readonly PanelSession[];
  readonly costToday: number;
  readonly budgets: BudgetLimits;
  readonly settings: DesktopSettings;
  /** Notifications are paused until this run ends. */
  readonly paused: boolean;
}

/** Usage of one model in one session, in one hour or local day. */
export interface UsageSlice {
  /** The beginning: ISO with Z for an hour, a local date for a day. */
  readonly from: string;
  readonly model: string;
  /** Name of the session in whose shells it was; "" when that session is gone. */
  readonly session: string;
  readonly agentType: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly cost: number;
}

/** What the panel's asks answer with. */
export interface PanelResults {
  readonly "panel.usage": readonly UsageSlice[];
  /** Undefined when the user chose no file. */
  readonly "panel.exportUsage": { readonly file: string } | undefined;
  readonly "panel.invite": { readonly expiresAt: string };
}
