import type { Shell } from "../../../core/protocol/records.ts";
import { mayEnd } from "../../../core/protocol/roles.ts";
import { endShellById } from "../actions/close.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import type { View } from "../view/view.ts";
import { words } from "../words/index.ts";

type ShellActionKind = keyof typeof words.shells.actions;

export interface ShellAction {
  readonly kind: ShellActionKind;
  readonly label: string;
  /** The list stays open, so that another shell can be chosen after it. */
  readonly stays?: true;
  run(view: View): Promise<unknown>;
}

/**
 * Returns this client's actions for a shell, the default one first: bring it on screen, get the right to type in it, end
 * it. Readers can only watch.
 */
export function shellActions(
  shell: Pick<Shell, "id" | "running" | "ownerClientId">,
  { state, self }: Pick<SessionSnapshot, "state" | "self">,
): readonly ShellAction[] {
  if (self === undefined) return [];
  const { id, running, ownerClientId } = shell;
  const own = ownerClientId === self.id;
  const tile = Object.values(state.tiles).find(({ type, id: shown }) => isTerminal(type) && shown === id);
  const type = own || !running ? "shell" : "peek";
  const show: ShellAction =
    tile === undefined
      ? labelled(type === "peek" ? "watch" : "show", ({ run }) => run("openTile", { type, shell: id }))
      : labelled("go-to", ({ run }) => run("focusTile", { key: tile.key }));
  if (self.role === "reader") return [show];
  const adopt = takeOver(shell, self);
  const end = { ...labelled(running ? "end" : "remove", (view) => endShellById(view, id)), stays: true } as const;
  return [show, ...(own || !running ? [] : [adopt]), ...(mayEnd(shell, self) ? [end] : [])];
}

/** Brings a shell on screen; one that has ended meanwhile is left. */
export function goToShell(view: View, id: number | undefined): void {
  const snapshot = view.host.snapshot();
  const shell = snapshot.mirror?.shells.find((one) => one.id === id);
  if (shell !== undefined) void shellActions(shell, snapshot)[0]?.run(view);
}

/** Returns the action that makes this client the shell's owner: at once, or after its owner has agreed. */
export function takeOver(
  { id, ownerClientId }: Pick<Shell, "id" | "ownerClientId">,
  { role }: Pick<NonNullable<SessionSnapshot["self"]>, "role">,
): ShellAction {
  const atOnce = ownerClientId === null || role === "admin";
  return labelled(atOnce ? "take-over" : "ask-to-take-over", ({ run }) => run("adoptShell", { id }));
}

function labelled(kind: ShellActionKind, run: ShellAction["run"]): ShellAction {
  return { kind, label: words.shells.actions[kind], run };
}

function isTerminal(type: string): boolean {
  return type === "shell" || type === "peek";
}
