import type { Agent } from "../../../core/protocol/agent-records.ts";
import type { ClientRecord, Shell } from "../../../core/protocol/records.ts";
import { describeShell, type ShellDescription } from "../../../core/protocol/shell-name.ts";
import type { Waiting } from "../../../core/protocol/waiting.ts";
import { shellLabel, type TileContent } from "../../../core/state/client-state.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { words } from "../words/index.ts";
import type { SessionSnapshot } from "./session-host.ts";

/** The displayed properties of a tile. */
export interface TileInfo {
  readonly title: string;
  /** What the title leaves unsaid: program and folder of a shell, or the address of a page. */
  readonly detail: string;
  readonly shell: Shell | undefined;
  readonly agent: Agent | undefined;
  /** The shell's owner, if it is another client. */
  readonly owner: Pick<ClientRecord, "id" | "name" | "colour"> | undefined;
}

export function tileInfo(tile: TileContent, snapshot: Pick<SessionSnapshot, "state" | "mirror" | "self">): TileInfo {
  const { mirror, self } = snapshot;
  const shell = showsShell(tile) ? mirror?.shells.find(({ id }) => id === tile.id) : undefined;
  const agent = shell === undefined ? undefined : mirror?.agents.find(({ shellId }) => shellId === shell.id);
  const described =
    shell === undefined ? undefined : describeShell(shell, { label: tile.label, agent, shells: mirror?.shells });
  const ownerId = shell?.ownerClientId ?? null;
  const other = ownerId === null || ownerId === self?.id ? undefined : ownerId;
  return {
    title: described?.name ?? tile.label ?? defaultTitle(tile, snapshot),
    detail: described?.detail ?? tile.url ?? "",
    shell,
    agent,
    owner:
      other === undefined
        ? undefined
        : (mirror?.clients.find(({ id }) => id === other) ?? {
            id: other,
            name: shell?.owner ?? words.view.someoneElse,
          }),
  };
}

/** Describes a shell by its id, with the label of its tile: for lists and messages. */
export function shellInfo(id: number, { state, mirror }: Pick<SessionSnapshot, "state" | "mirror">): ShellDescription {
  const shell = mirror?.shells.find((one) => one.id === id);
  if (shell === undefined) return { name: words.view.shell(id), detail: "", program: undefined };
  const agent = mirror?.agents.find(({ shellId }) => shellId === id);
  return describeShell(shell, { label: shellLabel(state, id), agent, shells: mirror?.shells });
}

/** Returns the other people who look at what a tile shows. */
export function onlookersOf(tile: TileContent, { mirror, self }: Pick<SessionSnapshot, "mirror" | "self">) {
  const type = showsShell(tile) ? "shell" : tile.type;
  return (mirror?.clients ?? []).filter(
    ({ id, looksAt }) => id !== self?.id && looksAt?.type === type && looksAt.id === tile.id,
  );
}

/** Reports whether what waits for the user waits in this tile. */
export function isAbout(waiting: Waiting, tile: TileContent): boolean {
  if ("plugin" in waiting) return tile.plugin === waiting.plugin;
  return "shell" in waiting && showsShell(tile) && tile.id === waiting.shell;
}

function showsShell({ type }: TileContent): boolean {
  return type === "shell" || type === "peek";
}

/** Returns what a workspace is called. One without a name of its own is numbered. */
export function workspaceTitle(name: string): string {
  return /^\d+$/.test(name) ? words.view.workspace(name) : name;
}

/** Describes how a shell ended: `ended by SIGKILL`, `ended, exit code 1`, or `ended` if unknown. */
export function describeExit({ exitCode, signal }: Pick<Shell, "exitCode" | "signal">): string {
  if (signal !== null && signal !== undefined) return words.view.endedBy(signal);
  return exitCode === null ? words.view.ended : words.view.endedWith(exitCode);
}

/** Describes an agent: its kind, its state, and for how long. */
export function describeAgent(
  { agentType, state, since, paused }: Pick<Agent, "agentType" | "state" | "since" | "paused">,
  now: number,
): { readonly label: string; readonly dot: "good" | "wait" | "bad" | "" } {
  const said = words.view.agent;
  if (paused === true) return { label: words.view.agent.paused(agentType), dot: "" };
  const lasted = since === undefined ? "" : formatDuration(now - Date.parse(since));
  switch (state) {
    case "working":
      return { label: lasted === "" ? said.working(agentType) : said.workingFor(agentType, lasted), dot: "good" };
    case "waiting":
      return { label: lasted === "" ? said.waits : said.waitsFor(lasted), dot: "wait" };
    case "idle":
      return { label: words.view.agent.idle(agentType), dot: "" };
    case "error":
      return { label: lasted === "" ? said.failed(agentType) : said.failedAgo(agentType, lasted), dot: "bad" };
    case "unknown":
      return { label: words.view.agent.unknown(agentType), dot: "" };
    case "ended":
      return { label: words.view.agent.ended(agentType), dot: "" };
    case undefined:
      return { label: agentType, dot: "" };
  }
}

function defaultTitle(tile: TileContent, snapshot: Pick<SessionSnapshot, "state" | "mirror">): string {
  switch (tile.type) {
    case "shell":
    case "peek":
      return words.view.shell(tile.id);
    case "history":
      return words.view.history(shellInfo(tile.id, snapshot).name);
    case "tunnel":
      return words.view.port(tile.id);
    case "browser":
      return tile.url === undefined ? words.view.browser : hostOf(tile.url);
    case "plugin":
      return snapshot.mirror?.plugins.find(({ id }) => id === tile.plugin)?.name ?? tile.plugin ?? words.view.plugin;
  }
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
