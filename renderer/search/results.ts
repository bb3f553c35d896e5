import type { HitPlace, SearchHit } from "../../core/protocol/history-search.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import { search as words } from "./words.ts";

/** Results of one shell, one conversation, or a chat, the latest first. */
export interface ResultGroup<H extends SearchHit = SearchHit> {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly hits: readonly H[];
}

/** Names of the shells and of the chat of a session. */
export interface GroupNames {
  shell(id: ShellId): { readonly name: string; readonly detail: string };
  readonly chatDetail: string;
}

/** A command's line is printed at most so many bytes before its output. */
const ECHO_BYTES = 4096;

/** Groups the results of a session by the shell or conversation that they are of, those with the latest result first. */
export function groupHits<H extends SearchHit>(hits: readonly H[], names: GroupNames): readonly ResultGroup<H>[] {
  const groups = new Map<string, H[]>();
  for (const hit of withoutEchoes(hits)) {
    const key = groupOf(hit);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [hit]);
    else group.push(hit);
  }
  return [...groups]
    .map(([key, of]) => ({ key, ...nameOf(of[0], names), hits: of.toSorted(byTime) }))
    .toSorted(latestFirst);
}

/** Orders groups by their latest result. */
export function latestFirst(one: ResultGroup, other: ResultGroup): number {
  return one.hits[0] && other.hits[0] ? byTime(one.hits[0], other.hits[0]) : 0;
}

/** Names a result among all others. */
export function hitKey({ in: place, shellId, id, offset, conversation }: Omit<HitPlace, "later">): string {
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

/** Returns where a result is. @param hits all results of its session, by which equal lines are told apart */
export function placeOf({ before: _, after: __, ...hit }: SearchHit, hits: readonly SearchHit[]): HitPlace {
  const isLater = (other: SearchHit) =>
    other.in === hit.in &&
    other.shellId === hit.shellId &&
    other.line === hit.line &&
    (other.offset ?? 0) > (hit.offset ?? 0);
  return { ...hit, later: hits.filter(isLater).length };
}

function groupOf({ in: place, shellId, conversation }: SearchHit): string {
  if (conversation !== undefined) return `${conversation.agentType} ${conversation.agentSessionId}`;
  return shellId === undefined ? place : `shell ${shellId}`;
}

function nameOf(hit: SearchHit | undefined, names: GroupNames): Pick<ResultGroup, "title" | "detail"> {
  if (hit?.conversation !== undefined) {
    const { title, agentType, cwd } = hit.conversation;
    return { title: title === "" ? words.groups.conversation(agentType) : title, detail: listed(agentType, cwd) };
  }
  if (hit?.shellId === undefined) return { title: words.groups.chat, detail: names.chatDetail };
  const { name, detail } = names.shell(hit.shellId);
  return { title: name, detail };
}

function listed(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined).join(" · ");
}

/** The line of a command is output too: the command alone says the same, and more. */
function withoutEchoes<H extends SearchHit>(hits: readonly H[]): readonly H[] {
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
