import type { TerminalSubscriber } from "../../../core/client/terminal-subscriptions.ts";
import type { Self } from "../../../core/commands/context.ts";
import type { RelayEvent, ToastKind } from "../../../core/protocol/events.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { SessionMirror } from "../../../core/protocol/mirror.ts";
import type { ClientState } from "../../../core/state/client-state.ts";

/** All that the session view draws from. A new object after every change; its parts are immutable. */
export interface SessionSnapshot {
  readonly state: ClientState;
  /** Undefined until the first welcome. */
  readonly mirror: SessionMirror | undefined;
  readonly self: Self | undefined;
  readonly connected: boolean;
}

export interface Toast {
  readonly message: string;
  readonly kind: ToastKind;
  /** What the user may do about it. */
  readonly action?: { readonly label: string; run(): void };
}

/**
 * What the session view needs of the place where it runs. In Electron the client runs in the main process and this is
 * a bridge; in a browser the client runs in the page. The view is the same.
 */
export interface SessionHost {
  readonly platform: "electron" | "browser";
  snapshot(): SessionSnapshot;
  subscribe(changed: () => void): () => void;
  /** Executes a command of this client. Rejects with an Error whose message is a sentence for the user. */
  execute(method: string, params: Readonly<Record<string, unknown>>): Promise<unknown>;
  /** Output of a shell, from what is kept on; one listener a shell. Answers how to stop. */
  subscribeOutput(shell: ShellId, listener: TerminalSubscriber): () => void;
  /** Keys and pastes, as the terminal encodes them. */
  write(shell: ShellId, data: string): void;
  resize(shell: ShellId, size: { cols: number; rows: number }): void;
  /** Size of the whole workspace in terminal cells, so that new shells start with their size. */
  setViewport(size: { cols: number; rows: number }): void;
  /** What happens in the session. Answers how to stop. */
  onEvent(listener: (event: RelayEvent) => void): () => void;
  /** The address of a path below the relay's base address, as this view reaches it. */
  addressOf(path: string): Promise<string>;
  onToast(show: (toast: Toast) => void): () => void;
  /** Where this client reaches a tunnel's program; in a browser that lets it in. Rejects with a sentence for the user. */
  tunnelAddress(port: number): Promise<string>;
  /** Opens a web address outside, in the user's browser. */
  openExternal(url: string): void;
}
