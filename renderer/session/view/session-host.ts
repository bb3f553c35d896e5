import type { ReactNode } from "react";
import type { TerminalSubscriber } from "../../../core/client/terminal-subscriptions.ts";
import type { Self } from "../../../core/commands/context.ts";
import type { LanguageChoice } from "../../../core/phrases.ts";
import type { RelayEvent, ShownBy, ToastKind } from "../../../core/protocol/events.ts";
import type { HitPlace } from "../../../core/protocol/history-search.ts";
import type { ClientId, ShellId } from "../../../core/protocol/ids.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import type { PagePlace } from "../../../core/protocol/page-place.ts";
import type { OpInput, OpResult } from "../../../core/protocol/relay-ops.ts";
import type { SettingsSection, TerminalSettingName } from "../../../core/protocol/settings.ts";
import type { ClientState } from "../../../core/state/client-state.ts";
import type { Viewport } from "../../../core/state/ports.ts";
import type { AppFacts } from "../../../preload/channels.ts";
import type { Store } from "../../ui/store.ts";
import type { SettingsStore } from "../../ui/terminal-settings.ts";
import type { TerminalPalette } from "../../ui/terminal-themes.ts";
import type { OwnChords } from "../keys/own-chords.ts";
import type { ToastAction } from "./toast-store.ts";

/** The data that the session view renders. Immutable; replaced after every change. */
export interface SessionSnapshot {
  readonly state: ClientState;
  /** Undefined until the first welcome. */
  readonly mirror: SessionMirror | undefined;
  readonly self: Self | undefined;
  readonly connected: boolean;
  /** What is known of the session's relay while it is away. */
  readonly away?: string | undefined;
}

export interface Toast {
  readonly message: string;
  readonly kind: ToastKind;
  /** An optional button. */
  readonly action?: ToastAction;
}

/** How a view reaches a tunnel. */
export interface TunnelAddress {
  readonly url: string;
  /** Admits this browser to a tunnel with a host of its own: see core/protocol/page-credentials.ts. */
  readonly pass?: string | undefined;
}

/** The app around a session's window. */
export interface AppFrame {
  readonly facts: Pick<Store<AppFacts>, "get" | "subscribe">;
  openSession(id: string): void;
  /** Creates a session and opens its window. Rejects with a message for the user. */
  createSession(name: string): Promise<unknown>;
  showPanel(tab: "now" | "sessions" | "agents" | "activity"): void;
  /** Shows the window of the settings: with this section, or the one that it showed last. */
  showSettings(section?: SettingsSection): void;
  /** Shows the welcome of the first run in this window, or ends it. */
  showWelcome(show: boolean): void;
  /** Makes new terminals find the command line. Rejects with a message for the user. */
  connectCommandLine(): Promise<unknown>;
  choose(choice: { readonly notifications?: boolean; readonly startAtLogin?: boolean }): Promise<unknown>;
  /** Records what shells print on disk, or decides against it. Rejects with a message for the user. */
  recordHistory(choice: { readonly on: boolean; readonly unencrypted?: boolean }): Promise<unknown>;
  /** Keeps a setting of the app's terminals. Rejects with a message for the user. */
  setSetting(name: TerminalSettingName, value: string): Promise<unknown>;
  /** Shows a notification; resolves with how. */
  tryNotification(): Promise<ShownBy>;
}

/** A call of the drawer: for what waits, for another place of the panel, or for the ways to invite somebody to a session. */
export type DrawerCall =
  | { readonly kind: "waiting" | "costs" | "people" | "activity" | "settings" }
  | { readonly kind: "invites"; readonly session: string };

/** What agents have cost since midnight, and the day's budget. */
export type DayCosts = Pick<AppFacts, "costToday" | "costByHour" | "budget">;

/** What the content of the drawer needs of the session view around it. */
export interface DrawerContentProps {
  /** Id of the session on show here. */
  readonly session: string;
  /** What this device keeps for the session view. */
  readonly stores: {
    readonly terminals: SettingsStore;
    readonly themes: Store<readonly TerminalPalette[]>;
    readonly chords: Store<OwnChords>;
  };
  /** Controls of the drawer itself, at the end of its first row. */
  readonly tools: ReactNode;
  /** Keys that lead to the drawer, as printed on keyboards; undefined: none. */
  readonly keys: string | undefined;
  /** The last call, which may be older than the content; undefined where the page opened with the drawer. */
  readonly call: Pick<Store<DrawerCall | undefined>, "get" | "subscribe">;
  close(): void;
  /** Goes to the session's shell; undefined: to the focused tile. */
  goTo(shell: number | undefined): void;
  /** Goes to a place that a search has found in the session, or in a conversation. */
  goToFound(place: HitPlace): void;
  /** Tells the number of requests that wait for the user. */
  showWaiting(count: number | undefined): void;
}

/** The inbox and sessions of the user, beside the tiles. */
export interface DrawerSource {
  /** It shows no more than this session, to everyone in it. Absent: all sessions, to the session's owner. */
  readonly isOfSession?: true;
  /** Number of requests that wait for the user, in the sessions that it shows; undefined while it is unknown; null: not for this page. */
  readonly waiting: Pick<Store<number | undefined | null>, "get" | "subscribe">;
  /** Undefined while they are unknown. Absent in the app, whose frame has them. */
  readonly costs?: Pick<Store<DayCosts | undefined>, "get" | "subscribe">;
  /** Loads the content, and returns what draws it. */
  load(): Promise<(props: DrawerContentProps) => ReactNode>;
}

/** Shows the layout of another client, and its changes. */
export interface Following {
  /** Whom the user follows; undefined for a layout of their own. */
  readonly target: Pick<Store<ClientId | undefined>, "get" | "subscribe">;
  follow(target: ClientId | undefined): void;
}

/** The windows of workspaces that have one of their own. */
export interface OwnWindows {
  /** Id of the window that shows this view; undefined for the main one. */
  readonly own: number | undefined;
  /** Opens a window for the workspace that has, or is about to have, this id. Returns whether the browser let it. */
  open(id: number): boolean;
  close(id: number): void;
  /** Whether a window shows the workspace: else the main window does. */
  isOpen(id: number): boolean;
  /** Brings a window to the front; undefined for the main one. */
  show(id: number | undefined): void;
}

/** Installs the page as an app; the value is undefined while the browser does not offer it. */
export type Install = Pick<Store<(() => void) | undefined>, "get" | "subscribe">;

/** Files, as texts in a shell's output name them. */
export interface ShellFiles {
  /** Returns, for each text, whether it is the path of an existing file or folder. */
  find(shell: ShellId, paths: readonly string[]): Promise<readonly boolean[]>;
  /**
   * Opens a file with the system's program for it, or shows it in its folder if it could run as a program. Rejects with a
   * message for the user.
   */
  open(shell: ShellId, path: string): Promise<"opened" | "shown">;
  /** Returns the path of a file that the user dropped on the page; empty if it is none on a disk. */
  pathOf(file: File): string;
}

/** Uploads files to the machine that the shells run on. Each rejects with a message for the user. */
export interface FileUploads {
  start(given: OpInput<"startUpload">): Promise<OpResult<"startUpload">>;
  send(given: OpInput<"sendUpload">): Promise<OpResult<"sendUpload">>;
  finish(given: OpInput<"finishUpload">): Promise<OpResult<"finishUpload">>;
  cancel(given: OpInput<"cancelUpload">): Promise<OpResult<"cancelUpload">>;
}

export type PageCheck = OpResult<"checkPage">;

/**
 * The environment of the session view. In Electron the client runs in the main process and this is a bridge; in a browser
 * the client runs in the page.
 */
export interface SessionHost {
  readonly platform: "electron" | "browser";
  /** Absent in a browser. */
  readonly app?: AppFrame;
  /** The other machine whose relay serves the session, in the app. */
  readonly machine?: string;
  setTheme?(theme: "system" | "dark" | "light"): void;
  /** Sets the language of the interface: of the app, or of this browser. */
  setLanguage?(choice: LanguageChoice): void;
  snapshot(): SessionSnapshot;
  subscribe(changed: () => void): () => void;
  /**
   * Executes a command of this client; `by` names what asks for it in place of the user. Rejects with an Error whose message
   * is meant for the user.
   */
  execute(method: string, params: Readonly<Record<string, unknown>>, by?: "plugin"): Promise<unknown>;
  /** Subscribes to a shell's output, starting with the kept output. One subscriber per shell. Returns an unsubscribe function. */
  subscribeOutput(shell: ShellId, listener: TerminalSubscriber): () => void;
  /** Sends terminal input, already encoded. */
  write(shell: ShellId, data: string): void;
  resize(shell: ShellId, size: { cols: number; rows: number }): void;
  /** Sets the size of the workspace, so that new shells start with their final size. */
  setViewport(size: Viewport): void;
  /** Subscribes to events of the session. Returns an unsubscribe function. */
  onEvent(listener: (event: RelayEvent) => void): () => void;
  /** Calls back with what other pages lead to here. Returns an unsubscribe function. Absent where none does. */
  onLed?(goTo: (place: PagePlace) => void): () => void;
  /** Resolves a path relative to the relay's base address to an address that this view can reach. */
  addressOf(path: string): Promise<string>;
  onToast(show: (toast: Toast) => void): () => void;
  /** Returns a tunnel's address and, in a browser, a pass to it. Rejects with a message for the user. */
  tunnelAddress(port: number): Promise<TunnelAddress>;
  /** Asks the relay whether a tile can show a web page. Rejects for readers, and without a connection. */
  checkPage(url: string): Promise<PageCheck>;
  /** Searches what was printed, run and said in the session. Rejects with a message for the user. */
  search(query: OpInput<"searchSession">): Promise<OpResult<"searchSession">>;
  /** Reads what a shell has printed around a place; it may be closed. Rejects with a message for the user. */
  readAround(place: OpInput<"readAround">): Promise<OpResult<"readAround">>;
  /** Reads the messages of a conversation around one of them. Rejects with a message for the user. */
  readConversation(place: OpInput<"readConversation">): Promise<OpResult<"readConversation">>;
  /**
   * Resumes a conversation in a new shell, by the line that the user was shown: `shellId` is null if it is another one now.
   * Rejects with a message for the user, for example while an agent works on it.
   */
  resumeConversation(shown: OpInput<"resumeConversation">): Promise<OpResult<"resumeConversation">>;
  /** Answers a question of an agent. Rejects with a message for the user, for example when another answer was first. */
  answerQuestion(given: OpInput<"answerQuestion">): Promise<unknown>;
  /** Lists what can be started again, and starts what is wanted of it. Rejects with a message, for a guest in any case. */
  restore(wish: OpInput<"restoreShells">): Promise<OpResult<"restoreShells">>;
  /** Absent for guests, for a session of another machine in the app, and in the windows of a page. */
  readonly drawer?: DrawerSource;
  /** Absent in the app. */
  readonly install?: Install;
  /** Absent in the app. */
  readonly following?: Following;
  /** Absent where there is one window only. */
  readonly windows?: OwnWindows;
  /** Files of the machine that the shells run on. Absent in a browser, and for a session of another machine. */
  readonly files?: ShellFiles;
  /** Absent where the shells run on the user's own machine, in the app. */
  readonly uploads?: FileUploads;
  /** Opens a web address in the user's browser. */
  openInBrowser(url: string): void;
}
