import type { Agent } from "../../core/protocol/agent-records.ts";
import type { ClientRecord, PluginRecord, Shell } from "../../core/protocol/records.ts";
import type { TileContent } from "../../core/state/client-state.ts";
import type { SessionSnapshot } from "./session-host.ts";

/** What the frame says about a tile. */
export interface TileInfo {
  readonly title: string;
  /** Quieter: folder and program of a shell, the address of a page. */
  readonly detail: string;
  readonly shell: Shell | undefined;
  readonly agent: Agent | undefined;
  /** Who owns the shell, where that is somebody else than this client. */
  readonly owner: Pick<ClientRecord, "id" | "name"> | undefined;
}

export function tileInfo(tile: TileContent, { mirror, self }: Pick<SessionSnapshot, "mirror" | "self">): TileInfo {
  const shell =
    tile.type === "shell" || tile.type === "peek" ? mirror?.shells.find(({ id }) => id === tile.id) : undefined;
  const ownerId = shell?.ownerClientId ?? null;
  const other = ownerId === null || ownerId === self?.id ? undefined : ownerId;
  return {
    title: tile.label ?? ownTitle(tile, shell, mirror?.plugins ?? []),
    detail: detailOf(tile, shell),
    shell,
    agent: shell === undefined ? undefined : mirror?.agents.find(({ shellId }) => shellId === shell.id),
    owner:
      other === undefined
        ? undefined
        : (mirror?.clients.find(({ id }) => id === other) ?? { id: other, name: shell?.owner ?? `client ${other}` }),
  };
}

/** A path as a title bar has room for: the home folder as ~. */
export function shortPath(path: string): string {
  return path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Z]:\\Users\\[^\\]+)(?=$|[/\\])/, "~");
}

/** The program without its folder and arguments. */
export function programName(command: string): string {
  return command.split(" ")[0]?.split(/[/\\]/).at(-1) ?? command;
}

function ownTitle(tile: TileContent, shell: Shell | undefined, plugins: readonly PluginRecord[]): string {
  switch (tile.type) {
    case "shell":
    case "peek":
      return shell === undefined ? `Shell ${tile.id}` : shell.title || programName(shell.command) || `Shell ${tile.id}`;
    case "tunnel":
      return `Port ${tile.id}`;
    case "browser":
      return tile.url === undefined ? "Browser" : hostOf(tile.url);
    case "plugin":
      return plugins.find(({ id }) => id === tile.plugin)?.name ?? tile.plugin ?? "Plugin";
  }
}

function detailOf(tile: TileContent, shell: Shell | undefined): string {
  if (shell !== undefined) {
    const program = (shell.running ? shell.process : undefined) ?? programName(shell.command);
    return [shortPath(shell.cwd), program].filter((part) => part !== "").join(" · ");
  }
  return tile.url ?? "";
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
