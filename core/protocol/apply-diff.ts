import { unreachable } from "./errors.ts";
import { limits } from "./limits.ts";
import type { SessionDiff, SessionMirror } from "./mirror.ts";

/** Returns the mirror after a diff. Idempotent: applying the same diff again changes nothing. */
export function applyDiff(mirror: SessionMirror, diff: SessionDiff): SessionMirror {
  switch (diff.kind) {
    case "session":
      return { ...mirror, session: { ...mirror.session, name: diff.name } };
    case "client":
      return { ...mirror, clients: upsert(mirror.clients, diff.client) };
    case "client-gone":
      return { ...mirror, clients: mirror.clients.filter((client) => client.id !== diff.id) };
    case "shell":
      return { ...mirror, shells: upsert(mirror.shells, diff.shell) };
    case "shell-gone":
      return { ...mirror, shells: mirror.shells.filter((shell) => shell.id !== diff.id) };
    case "chat":
      return { ...mirror, chat: upsert(mirror.chat, diff.message).slice(-limits.chatMessages) };
    case "tunnels":
      return { ...mirror, tunnels: diff.tunnels };
    case "agents":
      return { ...mirror, agents: diff.agents };
    case "adopt-request":
      return { ...mirror, adoptRequests: upsert(mirror.adoptRequests, diff.request) };
    case "adopt-request-gone":
      return { ...mirror, adoptRequests: mirror.adoptRequests.filter((request) => request.id !== diff.id) };
    case "role-request":
      return { ...mirror, roleRequests: upsert(mirror.roleRequests, diff.request) };
    case "role-request-gone":
      return { ...mirror, roleRequests: mirror.roleRequests.filter((request) => request.id !== diff.id) };
    case "plugins":
      return { ...mirror, plugins: diff.plugins };
    case "question":
      return { ...mirror, questions: upsert(mirror.questions, diff.question) };
    case "question-gone":
      return { ...mirror, questions: mirror.questions.filter((question) => question.id !== diff.id) };
    case "restrictions":
      return { ...mirror, restrictions: diff.restrictions };
    default:
      return unreachable(diff);
  }
}

/** Replaces the record with the same id in place, or appends it. A relay that lies fills no memory: the oldest goes. */
function upsert<T extends { id: number }>(records: readonly T[], record: T): T[] {
  const at = records.findLastIndex((other) => other.id === record.id);
  return at === -1 ? [...records.slice(1 - limits.mirrorRecords), record] : records.with(at, record);
}
