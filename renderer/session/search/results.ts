import type { SearchHit } from "../../../core/protocol/history-search.ts";
import type { SessionSnapshot } from "../view/session-host.ts";
import { shellInfo } from "../view/tile-info.ts";
import { search as words } from "../words/search.ts";

/** Results of one shell, or of the chat, the latest first. */
export interface ResultGroup {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly hits: readonly SearchHit[];
}

/** A command's line is printed at most so many bytes before its output. */
const ECHO_BYTES = 4096;

/** Groups results by the shell that they are of, those with the latest result first. */
export function groupHits(
  hits: readonly SearchHit[],
  snapshot: Pick<SessionSnapshot, "state" | "mirror">,
): readonly ResultGroup[] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of withoutEchoes(hits)) {
    const key = groupOf(hit);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  return [...groups]
    .map(([key, of]) => ({ key, ...nameOf(of[0], snapshot), hits: of.toSorted(byTime) }))
    .toSorted((one, other) => (one.hits[0] && other.hits[0] ? byTime(one.hits[0], other.hits[0]) : 0));
}

/** Names a result among all others. */
export function hitKey({ in: place, shellId, id, offset, conversation }: SearchHit): string {
  return [place, shellId, conversation?.agentType, conversation?.agentSessionId, id, offset].join(" ");
}

/**
 * Splits the line of a result at what was found.
 *
 * @param lead characters that are shown before it at most
 */
export function splitLine(
  { line, from, length }: Pick<SearchHit, "line" | "from" | "length">,
  lead: number,
): readonly [before: string, match: string, after: string] {
  const start = Math.max(0, from - lead);
  const before = line.slice(start, from).trimStart();
  return [start > 0 ? `…${before}` : before, line.slice(from, from + length), line.slice(from + length)];
}

/** Characters before what was found, so that this is in sight however narrow the window is. */
export function leadIn({ innerWidth }: Pick<Window, "innerWidth">): number {
  return Math.min(64, Math.floor(innerWidth / 18));
}

/** Counts the results of the same shell with an equal line that were printed later. */
export function equalLater(hit: SearchHit, hits: readonly SearchHit[]): number {
  const isLater = (other: SearchHit) =>
    other.in === hit.in &&
    other.shellId === hit.shellId &&
    other.line === hit.line &&
    (other.offset ?? 0) > (hit.offset ?? 0);
  return hits.filter(isLater).length;
}

function groupOf({ in: place, shellId, conversation }: SearchHit): string {
  if (conversation !== undefined) return `${conversation.agentType} ${conversation.agentSessionId}`;
  return shellId === undefined ? place : `shell ${shellId}`;
}

function nameOf(hit: SearchHit | undefined, snapshot: Pick<SessionSnapshot, "state" | "mirror">) {
  if (hit?.conversation !== undefined) {
    const { title, agentType, cwd } = hit.conversation;
    return { title: title === "" ? words.groups.conversation(agentType) : title, detail: listed(agentType, cwd) };
  }
  if (hit?.shellId === undefined) return { title: words.groups.chat, detail: "" };
  const { name, detail } = shellInfo(hit.shellId, snapshot);
  const isListed = snapshot.mirror?.shells.some(({ id }) => id === hit.shellId) === true;
  return { title: name, detail: isListed ? detail : words.groups.closed };
}

function listed(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** The line of a command is output too: the command alone says the same, and more. */
function withoutEchoes(hits: readonly SearchHit[]): readonly SearchHit[] {
  const commands = hits.filter((hit) => hit.in === "commands");
  const isEcho = (hit: SearchHit) =>
    commands.some(({ shellId, offset = 0, line }) => {
      const distance = offset - (hit.offset ?? 0);
      return shellId === hit.shellId && distance > 0 && distance < ECHO_BYTES && hit.line.trimEnd().endsWith(line);
    });
  return commands.length === 0 ? hits : hits.filter((hit) => hit.in !== "output" || !isEcho(hit));
}

function byTime(one: SearchHit, other: SearchHit): number {
  return Date.parse(other.at) - Date.parse(one.at) || (other.offset ?? 0) - (one.offset ?? 0);
}
