import type { MethodName } from "../../../core/commands/specs.ts";
import type { Shell } from "../../../core/protocol/records.ts";
import type { SessionSnapshot } from "../view/session-host.ts";

export interface ShellAction {
  readonly label: string;
  readonly method: MethodName;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Returns this client's actions for a shell in the list: at most two, the default one first. Readers can only watch. */
export function shellActions(
  shell: Pick<Shell, "id" | "running" | "ownerClientId">,
  { state, self }: Pick<SessionSnapshot, "state" | "self">,
): readonly ShellAction[] {
  if (self === undefined) return [];
  const tile = Object.values(state.tiles).find(
    ({ type, id }) => (type === "shell" || type === "peek") && id === shell.id,
  );
  const go: ShellAction | undefined = tile && { label: "Go to", method: "focusTile", params: { key: tile.key } };
  if (!shell.running) {
    return [go ?? { label: "Show", method: "openTile", params: { type: "shell", shell: shell.id } }];
  }
  if (shell.ownerClientId === self.id) {
    return [go ?? { label: "Show", method: "openTile", params: { type: "shell", shell: shell.id } }];
  }
  const watch = go ?? { label: "Watch", method: "openTile", params: { type: "peek", shell: shell.id } };
  if (self.role === "reader") return [watch];
  const adopt: ShellAction = {
    label: shell.ownerClientId === null || self.role === "admin" ? "Take over" : "Ask for it",
    method: "adoptShell",
    params: { id: shell.id },
  };
  return [watch, adopt];
}
