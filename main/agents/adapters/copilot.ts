import { basename, join } from "node:path";
import { z } from "zod";
import { processStartedAt } from "../../system/processes/process-start.ts";
import type { AgentAdapter } from "./adapter.ts";
import {
  argument,
  cwdIn,
  ESCAPE,
  fileFacts,
  list,
  namedSession,
  readJsonLater,
  recogniseProgram,
  storedIn,
} from "./adapter-files.ts";
import { homeOf } from "./agent-home.ts";
import { CopilotParser } from "./copilot-records.ts";
import { heads, type SessionFile, sessionDuring } from "./join-by-time.ts";

/**
 * GitHub Copilot CLI, a native program. A file `session-state/<session>/inuse.<pid>.hold` names the process of a session,
 * and `events.jsonl` beside it is the transcript.
 */
export function copilotAdapter(): AgentAdapter {
  const headOf = heads(/"sessionId":"([^"]+)"/, /"startTime":"([^"]+)"/);

  return {
    kind: "copilot",
    apps: ["copilot-cli", "copilot", "github-copilot"],
    provider: "",
    resume: {
      // A word of its own could be a prompt, because the id may be left out.
      words: (sessionId) => [`--resume=${sessionId}`],
      flags: [
        "--allow-all",
        "--allow-all-paths",
        "--allow-all-tools",
        "--allow-all-urls",
        "--autopilot",
        "--banner",
        "--disable-builtin-mcps",
        "--disallow-temp-dir",
        "--enable-all-github-mcp-tools",
        "--experimental",
        "--no-auto-update",
        "--no-color",
        "--no-custom-instructions",
        "--plan",
        "--screen-reader",
        "--yolo",
      ],
      values: [
        "--add-dir",
        "--additional-mcp-config",
        "--agent",
        "--disable-mcp-server",
        "--enable-mcp-server",
        "--log-dir",
        "--log-level",
        "--mode",
        "--model",
        "--plugin-dir",
        "--reasoning-effort",
      ],
      lists: ["--allow-tool", "--allow-url", "--available-tools", "--deny-tool", "--deny-url", "--excluded-tools"],
      chooses: [
        "-C",
        "--connect",
        "--continue",
        "--interactive",
        "-i",
        "--prompt",
        "-p",
        "--resume",
        "-r",
        "--session-id",
      ],
    },
    holder(home, session) {
      const folder = join(home, "session-state", basename(session));
      return list(folder)
        .filter((name) => name.startsWith(HOLD.before) && name.endsWith(HOLD.after))
        .map((name) => ({ name, pid: Number(name.slice(HOLD.before.length, -HOLD.after.length)) }))
        .find(({ name, pid }) => Number.isSafeInteger(pid) && pid > 0 && hasWritten(pid, join(folder, name)))?.pid;
    },
    interruptKeys: ESCAPE,
    screenStatus: { busy: /\besc to (?:cancel|interrupt|stop)\b|^[ \t]*[◎◉○◌][ \t]+Working\b/imu },
    recognise: (process) => recogniseProgram(process, "copilot", OWN_PATH),
    home(env) {
      const home = env("HOME") || env("USERPROFILE");
      return env("COPILOT_HOME") || (home ? join(home, ".copilot") : undefined);
    },
    join({ process, known, cwd }) {
      const home = homeOf(this, process);
      if (home === undefined) return undefined;
      const hold = `${HOLD.before}${process.pid}${HOLD.after}`;
      const isHeld = (id: string) => (fileFacts(join(home, "session-state", id, hold))?.changedAt ?? 0) > 0;
      if (known !== undefined && isHeld(known.sessionId)) return { ...known, cwd };
      // One that resumes a session holds it with its first prompt only.
      const sessionId =
        list(join(home, "session-state")).find(isHeld) ?? known?.sessionId ?? namedSession(process.argv());
      return sessionId === undefined ? undefined : { sessionId, home, cwd };
    },
    sessionsOf(process) {
      const named = argument(process.argv, "--resume");
      if (named !== undefined && named !== "") return [named];
      const own = all(process.home).filter(({ cwd }) => cwd === process.cwd);
      return sessionDuring(process, own, process.argv.includes("--continue"));
    },
    startModel(process) {
      const asked = argument(process.argv(), "--model") ?? process.env("COPILOT_MODEL");
      if (asked !== undefined && asked !== "") return asked;
      const home = homeOf(this, process);
      return home === undefined ? undefined : settingsModel(join(home, "config.json"));
    },
    files(home, session) {
      const path = eventsOf(home, basename(session));
      return { main: fileFacts(path) === undefined ? undefined : path, subagents: [] };
    },
    stored(home, session) {
      const path = eventsOf(home, basename(session));
      return storedIn(path, cwdIn(headOf(path)?.text ?? ""));
    },
    relatedSessions: async () => [],
    sessions: (home) =>
      all(home)
        .sort((one, other) => one.startedAt - other.startedAt)
        .map(({ sessionId }) => sessionId),
    parser: (_session, purpose) => new CopilotParser(purpose),
    titleStatus: () => undefined,
  };

  function all(home: string): (SessionFile & { readonly cwd: string })[] {
    return list(join(home, "session-state")).flatMap((id) => {
      const path = eventsOf(home, id);
      const head = headOf(path);
      return head === undefined ? [] : [{ ...head, cwd: cwdIn(head.text) ?? "" }];
    });
  }
}

const OWN_PATH = /[\\/]@github[\\/]copilot-[^\\/]+[\\/]|[\\/]copilot[\\/]pkg[\\/]/;

/** The name of the file by which a process holds a session has its pid in between. */
const HOLD = { before: "inuse.", after: ".hold" } as const;
/** How far off the start of a process may be, in ms. */
const SLACK_MS = 1000;

/** Returns whether a process can have written a file: one that was killed leaves it, and its pid to another program. */
function hasWritten(pid: number, path: string): boolean {
  const startedAt = processStartedAt(pid);
  return startedAt !== undefined && startedAt <= (fileFacts(path)?.changedAt ?? 0) + SLACK_MS;
}

function eventsOf(home: string, session: string): string {
  return join(home, "session-state", session, "events.jsonl");
}

async function settingsModel(path: string): Promise<string | undefined> {
  return (await readJsonLater(path, Settings))?.model;
}

const Settings = z.object({ model: z.string().optional().catch(undefined) });
