import { basename, join, sep } from "node:path";
import { z } from "zod";
import type { AgentAdapter, RelatedSession } from "./adapter.ts";
import { argument, cwdIn, fileFacts, list, readJsonLater, storedIn } from "./adapter-files.ts";
import { homeOf } from "./agent-home.ts";
import { beganAfter, grownSince, heads, inFolder, named, type SessionFile, sessionDuring } from "./join-by-time.ts";
import { PiParser } from "./pi-records.ts";

/** Sessions of which a fork may be one, each of the one before. */
const MOST_FORKS = 100;

/**
 * pi, beyond its manifest: its transcripts, `sessions/--<folder>--/<time>_<session>.jsonl`, which begin with the first answer.
 * Nothing names the process, and its arguments cannot be read, because it sets its title.
 */
export function piAdapter(base: AgentAdapter): AgentAdapter {
  // Bounded pattern: it reads the first 4 KiB of a file.
  const id = /"type":"session".*?"id":"([^"]+)"/;
  const headOf = heads(id, /"timestamp":"([^"]+)"/);

  return {
    ...base,
    home(env) {
      const home = env("HOME") || env("USERPROFILE");
      return env("PI_CODING_AGENT_DIR") || (home ? join(home, ".pi", "agent") : undefined);
    },
    join(request) {
      const home = homeOf(this, request.process);
      if (home === undefined) return undefined;
      const files = () => sessionsIn(join(home, "sessions", folderOf(request.cwd)));
      const asked = named(request, argument(request.process.argv(), "--session"));
      return inFolder(request, home, asked ?? beganAfter(request, files) ?? grownSince(request, files));
    },
    sessionsOf(process) {
      const own = sessionsIn(join(process.home, "sessions", folderOf(process.cwd)));
      const begun = sessionDuring(process, own, false);
      return begun.length > 0 ? begun : sessionDuring(process, own, true);
    },
    startModel(process) {
      const asked = argument(process.argv(), "--model");
      const home = homeOf(this, process);
      return asked ?? (home === undefined ? undefined : settingsModel(join(home, "settings.json")));
    },
    files: (home, session) => ({ main: pathOf(home, session), subagents: [] }),
    stored(home, session) {
      const path = pathOf(home, session);
      return storedIn(path, path && cwdIn(headOf(path)?.text ?? ""));
    },
    async relatedSessions(home, session) {
      const related: RelatedSession[] = [];
      let path = pathOf(home, session);
      while (path !== undefined && related.length < MOST_FORKS) {
        const parent: string | undefined = /"parentSession":"([^"]+)"/.exec(headOf(path)?.text ?? "")?.[1];
        const sessionId = /_([^_\\/]+)\.jsonl$/.exec(parent ?? "")?.[1];
        path = sessionId === undefined ? undefined : pathOf(home, sessionId);
        if (sessionId === session || related.some((one) => one.sessionId === sessionId)) break;
        if (sessionId !== undefined && path !== undefined)
          related.unshift({ sessionId, files: { main: path, subagents: [] } });
      }
      return related;
    },
    sessions: (home) =>
      list(join(home, "sessions"))
        .flatMap((name) => sessionsIn(join(home, "sessions", name)))
        .sort((one, other) => one.startedAt - other.startedAt)
        .map(({ sessionId }) => sessionId),
    parser: (_session, purpose) => new PiParser(purpose),
  };

  function pathOf(home: string, session: string): string | undefined {
    const end = `_${basename(session)}.jsonl`;
    for (const folder of list(join(home, "sessions"))) {
      const name = list(join(home, "sessions", folder)).find((one) => one.endsWith(end));
      const path = name && [home, "sessions", folder, name].join(sep);
      if (path !== undefined && fileFacts(path) !== undefined) return path;
    }
    return undefined;
  }

  function sessionsIn(folder: string): SessionFile[] {
    return list(folder).flatMap((name) => (name.endsWith(".jsonl") ? (headOf(join(folder, name)) ?? []) : []));
  }
}

function folderOf(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-")}--`;
}

async function settingsModel(path: string): Promise<string | undefined> {
  return (await readJsonLater(path, Settings))?.defaultModel;
}

const Settings = z.object({ defaultModel: z.string().max(200).optional().catch(undefined) });
