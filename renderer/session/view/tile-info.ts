import type { Agent } from "../../../core/protocol/agent-records.ts";
import type { ClientRecord, PluginRecord, Shell } from "../../../core/protocol/records.ts";
import type { TileContent } from "../../../core/state/client-state.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import type { SessionSnapshot } from "./session-host.ts";

/** The displayed properties of a tile. */
export interface TileInfo {
  readonly title: string;
  /** Folder and program of a shell, or the address of a page. */
  readonly detail: string;
  readonly shell: Shell | undefined;
  readonly agent: Agent | undefined;
  /** The shell's owner, if it is another client. */
  readonly owner: Pick<ClientRecord, "id" | "name"> | undefined;
}

export function tileInfo(tile: TileContent, { mirror, self }: Pick<SessionSnapshot, "mirror" | "self">): TileInfo {
  const shell =
    tile.type === "shell" || tile.type === "peek" ? mirror?.shells.find(({ id }) => id === tile.id) : undefined;
  const ownerId = shell?.ownerClientId ?? null;
  const other = ownerId === null || ownerId === self?.id ? undefined : ownerId;
  return {
    title: tile.label ?? defaultTitle(tile, shell, mirror?.plugins ?? []),
    detail: detailOf(tile, shell),
    shell,
    agent: shell === undefined ? undefined : mirror?.agents.find(({ shellId }) => shellId === shell.id),
    owner:
      other === undefined
        ? undefined
        : (mirror?.clients.find(({ id }) => id === other) ?? { id: other, name: shell?.owner ?? `client ${other}` }),
  };
}

/** Shortens a path: the home folder becomes `~`. */
export function shortPath(path: string): string {
  return path.replace(/^(\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Z]:\\Users\\[^\\]+)(?=$|[/\\])/, "~");
}

/** Returns the program of a command line, without its folder and arguments. */
export function programName(command: string): string {
  return command.split(" ")[0]?.split(/[/\\]/).at(-1) ?? command;
}

/** Describes how a shell ended: `ended by SIGKILL`, `ended, exit code 1`, or `ended` if unknown. */
export function describeExit({ exitCode, signal }: Pick<Shell, "exitCode" | "signal">): string {
  if (signal !== null && signal !== undefined) return `ended by ${signal}`;
  return exitCode === null ? "ended" : `ended, exit code ${exitCode}`;
}

/** Describes an agent: its kind, its state, and for how long. */
export function describeAgent(
  { agentType, state, since, paused }: Pick<Agent, "agentType" | "state" | "since" | "paused">,
  now: number,
): { readonly label: string; readonly dot: "good" | "wait" | "bad" | "" } {
  if (paused === true) return { label: `${agentType} · paused`, dot: "" };
  const lasted = since === undefined ? "" : formatDuration(now - Date.parse(since));
  switch (state) {
    case "working":
      return { label: `${agentType} · working${lasted === "" ? "" : ` ${lasted}`}`, dot: "good" };
    case "waiting":
      return { label: `waits for you${lasted === "" ? "" : ` · ${lasted}`}`, dot: "wait" };
    case "idle":
      return { label: `${agentType} · idle`, dot: "" };
    case "error":
      return { label: `${agentType} · failed${lasted === "" ? "" : ` ${lasted} ago`}`, dot: "bad" };
    case "ended":
      return { label: `${agentType} · ended`, dot: "" };
    case undefined:
      return { label: agentType, dot: "" };
  }
}

function defaultTitle(tile: TileContent, shell: Shell | undefined, plugins: readonly PluginRecord[]): string {
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
