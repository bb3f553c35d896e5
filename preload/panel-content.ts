import { z } from "zod";
import type { PanelSession } from "../core/client/panel-session.ts";
import type { BudgetLimits } from "../core/protocol/budgets.ts";
import type { DesktopSettings, ListenSettings } from "../core/protocol/desktop-settings.ts";
import { HitPlace } from "../core/protocol/history-search.ts";
import { SessionId, ShellId } from "../core/protocol/ids.ts";
import { MachineRef } from "../core/protocol/machines.ts";
import type { PendingLogin } from "../core/protocol/pending-login.ts";
import { Role } from "../core/protocol/records.ts";
import { settingList, settingsWindowSections } from "../core/protocol/settings.ts";
import { UsageDays, type UsageSlice } from "../core/protocol/usage.ts";

export type { PanelSession };

const noArguments = z.undefined();

/** What the window of the settings is to show; without a section the one that it showed last. */
export const settingsTarget = z.strictObject({
  section: z.enum(settingsWindowSections).optional(),
  /** A setting of the section, which takes the focus. */
  setting: z.enum(settingList.map(({ name }) => name)).optional(),
});
export type SettingsTarget = z.infer<typeof settingsTarget>;

/** A session of another machine. */
export const MachineSessionRef = MachineRef.extend({
  session: z.strictObject({ id: SessionId, name: z.string().max(200) }),
});
export type MachineSessionRef = z.infer<typeof MachineSessionRef>;

/** From the panel's page to the main process. */
export const panelInvokes = {
  "panel.start": noArguments,
  /** `place`: what a search has found there. */
  "panel.open": z.strictObject({ id: SessionId, shell: ShellId.optional(), place: HitPlace.optional() }),
  "panel.copy": z.strictObject({ id: SessionId, what: z.enum(["id", "curl"]) }),
  "panel.quit": noArguments,
  /** An operation of the relay that is declared for the panel, or such a command. */
  "panel.run": z.strictObject({
    operation: z.string().max(100),
    params: z.record(z.string(), z.unknown()),
    /** The session of a command; absent for an operation. */
    session: SessionId.optional(),
  }),
  /** Makes a link, and puts it on the clipboard if it is to be copied. */
  "panel.invite": z.strictObject({
    id: SessionId,
    /** `owner`: a link for a browser of the owner, whose time and number of uses are fixed. */
    role: z.enum([...Role.options, "owner"]),
    /** Seconds until the link expires. */
    ttl: z
      .number()
      .min(60)
      .max(30 * 24 * 3600),
    uses: z.int().min(1).max(100),
    /** For other machines. */
    outside: z.boolean(),
    /** Which of the relay's addresses for other machines the link has; the first without it. */
    address: z.url().max(2048).optional(),
    copy: z.boolean(),
  }),
  /** Opens the window of another machine's session, or asks for a key. */
  "panel.openMachine": MachineSessionRef,
  "panel.usage": z.strictObject({ days: UsageDays }),
  /** Saves a table where the user says. */
  "panel.save": z.strictObject({
    name: z.string().regex(/^[\w-]{1,80}\.csv$/),
    text: z.string().max(20_000_000),
  }),
  "panel.copySecret": z.strictObject({ secret: z.string().min(1).max(200) }),
  /** Asks the user for the file with the credentials of a fleet. */
  "panel.chooseCredentials": noArguments,
  "panel.restart": noArguments,
  /** Mutes notifications of the agent in a shell until the agent ends. */
  "panel.mute": z.strictObject({ id: SessionId, shell: ShellId, muted: z.boolean() }),
  "panel.hide": noArguments,
  /** Opens the window of the settings, or brings it to the front. */
  "panel.showSettings": settingsTarget,
  "panel.pause": z.strictObject({ paused: z.boolean() }),
  "panel.showData": noArguments,
  "panel.showLicences": noArguments,
} as const;

export type PanelTab = "now" | "sessions" | "agents" | "activity" | "settings";

/** Listen settings from the next start on, and their status in this run. */
export interface PanelRelayState extends ListenSettings {
  /** `--port` of this run overrides `port`. */
  readonly portOverridden: boolean;
  /** `--listen` of this run overrides `outside`. */
  readonly listenOverridden: boolean;
  /** A change takes effect only after a restart. */
  readonly restartNeeded: boolean;
}

/** What only the desktop app has: absent where the panel is a page in a browser. */
export interface PanelDesktop {
  readonly relay: PanelRelayState;
  /** Why the tray icon is not visible. */
  readonly trayProblem: string | undefined;
  /** Why native notifications do not work and how to fix it; undefined while they work. */
  readonly notificationProblem: string | undefined;
  readonly dataFolder: string;
  /** Why the keychain cannot store secrets; undefined while it can. */
  readonly keychainProblem: string | undefined;
  readonly settings: DesktopSettings;
  /** Whether notifications are paused until this run ends. */
  readonly paused: boolean;
  /** The machines for which a key is needed to go on. */
  readonly keysWanted: readonly KeyWanted[];
}

export interface PanelContent {
  readonly address: string;
  /** Addresses for other machines; empty if the relay does not accept them. */
  readonly externalAddresses: readonly string[];
  /** The relay's current health issue. */
  readonly healthIssue: string | undefined;
  /** Logins that wait for the user's answer. */
  readonly logins: readonly PendingLogin[];
  readonly version: string;
  readonly sessions: readonly PanelSession[];
  readonly costToday: number;
  readonly budgets: BudgetLimits;
  readonly desktop: PanelDesktop | undefined;
}

/** A key that is needed to open a session of another machine, or to go on with one that is open. */
export interface KeyWanted extends MachineRef {
  /** Why, in one sentence. */
  readonly why: string;
  /** The session to open with it; undefined if its window is open. */
  readonly session: MachineSessionRef["session"] | undefined;
}

/** Results of the panel's requests. */
export interface PanelResults {
  readonly "panel.usage": readonly UsageSlice[];
  /** Undefined if the user canceled the file dialog. */
  readonly "panel.save": { readonly file: string } | undefined;
  /** `copied`: the link is on the clipboard. */
  readonly "panel.invite": { readonly url: string; readonly expiresAt: string; readonly copied: boolean };
  /** Undefined if the user canceled the file dialog. */
  readonly "panel.chooseCredentials": { readonly file: string } | undefined;
}
