import type { AuditEntry } from "../../../core/protocol/audit.ts";

/** Entries of one caller that say the same, close to each other in time: the newest first. */
export interface EntryGroup {
  readonly newest: AuditEntry;
  readonly oldest: AuditEntry;
  readonly entries: readonly AuditEntry[];
  /** How often it happened. */
  readonly count: number;
}

/** Entries of a group are at most this far apart. */
const GAP_MS = 5 * 60_000;

/** Joins neighbours that say the same; what is different in between separates them. */
export function groupEntries(entries: readonly AuditEntry[]): readonly EntryGroup[] {
  const groups: EntryGroup[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last !== undefined && isSame(last.oldest, entry)) {
      groups[groups.length - 1] = {
        ...last,
        oldest: entry,
        entries: [...last.entries, entry],
        count: last.count + entry.count,
      };
    } else groups.push({ newest: entry, oldest: entry, entries: [entry], count: entry.count });
  }
  return groups;
}

function isSame(one: AuditEntry, other: AuditEntry): boolean {
  return signature(one) === signature(other) && Date.parse(one.at) - Date.parse(other.at) <= GAP_MS;
}

/** Sizes and lengths of texts differ from one time to the next, and are none of what a sentence says. */
function signature({ who, credential, from, session, action, kind, outcome, params }: AuditEntry): string {
  const {
    data: _data,
    keys: _keys,
    cols: _cols,
    rows: _rows,
    raw: _raw,
    guard: _guard,
    expect: _expect,
    ...said
  } = params;
  return JSON.stringify([who, credential, kind === "call" ? "" : from, session, action, outcome, said]);
}
