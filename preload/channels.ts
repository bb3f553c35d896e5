import { z } from "zod";
import type { Self } from "../core/commands/context.ts";
import type { Speech } from "../core/phrases.ts";
import type { RelayEvent, ToastKind } from "../core/protocol/events.ts";
import type { HistorySettings } from "../core/protocol/history.ts";
import type { HitPlace } from "../core/protocol/history-search.ts";
import { SessionId, ShellId } from "../core/protocol/ids.ts";
import type { SessionMirror } from "../core/protocol/mirror.ts";
import type { PendingLogin } from "../core/protocol/pending-login.ts";
import { relayOps } from "../core/protocol/relay-ops.ts";
import type { ClientState } from "../core/state/client-state.ts";
import type { InvokeName, OnName } from "./channel-names.ts";
import {
  type PanelContent,
  type PanelTab,
  panelInvokes,
  type SettingsTarget,
  settingsTarget,
} from "./panel-content.ts";

export type * from "./panel-content.ts";

/** Maximum length of typed or pasted text in one message, in UTF-16 code units. Longer pastes are split. */
const MAX_WRITE_LENGTH = 256 * 1024;

const noArguments = z.undefined();
/** Chosen by the page for each subscription, so that late bytes of an ended one are dropped. */
const subscription = z.int().nonnegative();
const pixels = z.strictObject({ width: z.number().positive().max(1000), height: z.number().positive().max(1000) });
const filePath = z.string().min(1).max(4096);
const cells = { cols: z.int().min(2).max(1000), rows: z.int().min(1).max(1000) };

/** From page to main process: the arguments of each channel. The window determines the session. */
export const invokeChannels = {
  /** The page is ready: the main process sends the full state as `session.changed`, then every change. */
  "session.start": noArguments,
  "session.execute": z.strictObject({
    method: z.string().max(100),
    params: z.record(z.string(), z.unknown()),
    by: z.literal("plugin").optional(),
  }),
  "session.listen": z.strictObject({ stream: subscription, shell: ShellId }),
  "session.unlisten": z.strictObject({ stream: subscription }),
  /** The page processed the oldest unacknowledged piece of the stream. */
  "session.acknowledge": z.strictObject({ stream: subscription }),
  "session.write": z.strictObject({ shell: ShellId, data: z.string().min(1).max(MAX_WRITE_LENGTH) }),
  "session.resize": z.strictObject({ shell: ShellId, ...cells }),
  "session.viewport": z.strictObject({
    ...cells,
    pixels: z.strictObject({ cell: pixels, inset: pixels }).optional(),
  }),
  /** The relay's base address. */
  "session.address": noArguments,
  "session.checkPage": z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(4096) }),
  "session.search": relayOps.searchSession.params.strict(),
  "session.readAround": relayOps.readAround.params.strict(),
  "session.readConversation": relayOps.readConversation.params.strict(),
  "session.resumeConversation": relayOps.resumeConversation.params.strict(),
  /** In the name of the app's own client. */
  "session.answerQuestion": relayOps.answerQuestion.params.strict(),
  "session.restore": relayOps.restoreShells.params.strict(),
  /** Tells which texts in a shell's output are paths of files on this machine. */
  "session.findFiles": z.strictObject({ shell: ShellId, paths: z.array(filePath).max(50) }),
  "session.openFile": z.strictObject({ shell: ShellId, path: filePath }),
  /** A step of an upload to the machine that serves the session. */
  "session.upload": z.discriminatedUnion("op", [
    z.strictObject({ op: z.literal("startUpload"), params: relayOps.startUpload.params.strict() }),
    z.strictObject({ op: z.literal("sendUpload"), params: relayOps.sendUpload.params.strict() }),
    z.strictObject({ op: z.literal("finishUpload"), params: relayOps.finishUpload.params.strict() }),
    z.strictObject({ op: z.literal("cancelUpload"), params: relayOps.cancelUpload.params.strict() }),
  ]),
  /** Connects to the machine that serves the session again, now. */
  "session.retry": noArguments,
  /** Shows where the panel takes a key for the machine that serves the session. */
  "session.enterKey": noArguments,
  "app.openSession": z.strictObject({ id: SessionId }),
  /** Opens the new session's window too. */
  "app.createSession": z.strictObject({ name: z.string().min(1).max(200) }),
  "app.showPanel": z.strictObject({
    tab: z.enum(["now", "sessions", "agents", "activity"]),
  }),
  "app.showSettings": settingsTarget,
  "app.setSetting": z.strictObject({ name: z.string().max(100), value: z.string().max(200) }),
  /** Shows the welcome in the caller's window, or ends it. */
  "app.welcome": z.strictObject({ show: z.boolean() }),
  /** Adds the line of `CommandLineFacts` to the start file of the user's shell. */
  "app.connectCommandLine": noArguments,
  /** `notifications`: all that agents give rise to. */
  "app.choose": z.strictObject({ notifications: z.boolean().optional(), startAtLogin: z.boolean().optional() }),
  /** Records what shells print on disk, or decides against it. */
  "app.recordHistory": z.strictObject({ on: z.boolean(), unencrypted: z.boolean().default(false) }),
  "app.tryNotification": noArguments,
  ...panelInvokes,
  "toast.start": noArguments,
  "toast.open": z.strictObject({ id: z.int() }),
  /** While the pointer is over the toasts, none expires. */
  "toast.hold": z.strictObject({ held: z.boolean() }),
  "toast.dismiss": z.strictObject({ id: z.int() }),
  "login.start": noArguments,
  /** Height of the questions, in CSS pixels. */
  "login.size": z.strictObject({ height: z.int().min(1).max(20_000) }),
  "login.answer": z.strictObject({ code: z.string().min(1).max(40), allow: z.boolean() }),
  "outside.open": z.strictObject({ url: z.url({ protocol: /^https?$/ }).max(4096) }),
} as const satisfies Record<InvokeName, z.ZodType>;

export type InvokeArgs<N extends InvokeName> = z.input<(typeof invokeChannels)[N]>;
export type ParsedArgs<N extends InvokeName> = z.output<(typeof invokeChannels)[N]>;

/** Changes since the last message; absent fields are unchanged. */
export interface SessionChange {
  readonly state?: ClientState;
  readonly mirror?: Partial<SessionMirror>;
  readonly self?: Self;
  readonly connected?: boolean;
  readonly link?: MachineLink;
}

/** How a window is connected to the relay of another machine, which serves its session. */
export interface MachineLink {
  readonly machine: string;
  /** Name of the session, as last heard of. */
  readonly session: string;
  /** `refused`: it is not tried again until the user does something about it. */
  readonly state: "opening" | "open" | "away" | "refused";
  /** Why it is away or refused, in one sentence. */
  readonly why?: string | undefined;
  /** When the machine was last heard of (ISO 8601), while it is away. */
  readonly since?: string | undefined;
  /** Whether another key may be accepted, while it is refused. */
  readonly needsKey?: boolean | undefined;
}

/** What the app knows beyond the session of a window. */
export interface AppFacts {
  /** All open sessions, the window's own included. */
  readonly sessions: readonly {
    readonly id: string;
    readonly name: string;
    /** Running shells. */
    readonly shells: number;
    /** Number of requests for the user. */
    readonly waiting: number;
  }[];
  /** Number of requests for the user: in all sessions, on other machines, logins, and a budget that is exceeded. */
  readonly waiting: number;
  /** US dollars since local midnight, in all sessions. */
  readonly costToday: number;
  /** `costToday` at the end of each hour since local midnight, the current one included. */
  readonly costByHour: readonly number[];
  /** US dollars per day; null: no budget. */
  readonly budget: number | null;
  /** Null while no window shows the welcome. */
  readonly welcome: WelcomeFacts | null;
  /** Texts of the settings of terminals, by name; empty: the default. A name that is missing was never set here; null before the app has told. */
  readonly terminals: Readonly<Record<string, string>> | null;
}

/** How terminals outside Patchbay find the command line. */
export interface CommandLineFacts {
  /** `partly`: new terminals find `patchbay`, but not `service`. */
  readonly state: "ready" | "partly" | "missing";
  /** What the start file of a shell needs; null where there is no such line. */
  readonly line: string | null;
  /** The start file of the user's own shell, for example `~/.bashrc`; null if it is not known. */
  readonly file: string | null;
}

/** What the welcome shows. */
export interface WelcomeFacts {
  /** Id of the session whose window shows it. */
  readonly session: string;
  readonly commandLine: CommandLineFacts;
  /** Why the keychain does not keep the command line's key. */
  readonly keychainProblem: string | null;
  /** Where this system shows the icon. */
  readonly iconPlace: "menu bar" | "notification area" | "tray";
  /** Why no icon is visible. */
  readonly trayProblem: string | null;
  readonly notificationProblem: string | null;
  /** What the user has decided about the history on disk. */
  readonly history: HistorySettings["choice"];
  /** Whether agents are notified of: when they wait, finish or fail. */
  readonly notifications: boolean;
  readonly startAtLogin: boolean;
}

/** A toast of a session whose window is not visible. */
export interface SessionToast {
  readonly id: number;
  /** Name of the session. */
  readonly from: string;
  readonly message: string;
  readonly kind: ToastKind;
}

/** From main process to page. */
export interface OnMessages extends Record<OnName, unknown> {
  readonly "session.changed": SessionChange;
  readonly "session.bytes": { readonly stream: number; readonly bytes: Uint8Array; readonly quiet: boolean };
  readonly "session.missed": { readonly stream: number; readonly bytes: number; readonly snapshot: string };
  readonly "session.toast": { readonly message: string; readonly kind: ToastKind };
  readonly "session.event": RelayEvent;
  /** A place that another page has found, to be gone to. */
  readonly "session.found": HitPlace;
  readonly "app.facts": AppFacts;
  /** The language that the app speaks from now on. */
  readonly "app.speech": Speech;
  readonly "panel.changed": PanelContent;
  /** Switches the panel to this tab. */
  readonly "panel.tab": PanelTab;
  /** Switches the window of the settings to a section, or a setting of it. */
  readonly "panel.section": SettingsTarget;
  readonly "toast.changed": readonly SessionToast[];
  /** Logins that wait for the user's answer. */
  readonly "login.changed": readonly PendingLogin[];
}

/** Result of a request. Not an exception: Electron replaces an Error's message between processes. */
export type InvokeResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** The page's only access to Electron: `window.patchbay`. */
export interface PageBridge {
  /** Calls a channel. A request resolves with its result or rejects with a message for the user; a send resolves at once. */
  invoke<N extends InvokeName>(name: N, args: InvokeArgs<N>): Promise<unknown>;
  /** Subscribes to messages. Returns an unsubscribe function. */
  on<N extends OnName>(name: N, listener: (message: OnMessages[N]) => void): () => void;
  /** Returns the path of a file that the user dropped on the page; empty if it is none on a disk. */
  pathOf(file: File): string;
}
