import { basename, join } from "node:path";
import { z } from "zod";
import type { AgentAdapter } from "./adapter.ts";
import {
  argument,
  cwdIn,
  ESCAPE,
  fileFacts,
  list,
  namedSession,
  readJsonLater,
  recogniseScript,
  storedIn,
} from "./adapter-files.ts";
import { homeOf } from "./agent-home.ts";
import { beganAfter, grownSince, heads, inFolder, named, type SessionFile, sessionDuring } from "./join-by-time.ts";
import { QwenParser } from "./qwen-records.ts";

/**
 * Qwen Code, a program in Node that starts itself a second time. Its transcripts, `projects/<folder>/chats/<session>.jsonl`,
 * begin with the first prompt; nothing names the process.
 */
export function qwenAdapter(): AgentAdapter {
  const headOf = heads(/"sessionId":"([^"]+)"/, /"timestamp":"([^"]+)"/);

  return {
    kind: "qwen",
    apps: ["qwen-code", "qwen"],
    provider: "qwen",
    resume: {
      words: (sessionId) => ["--resume", sessionId],
      flags: ["--bare", "--debug", "-d", "--safe-mode", "--sandbox", "-s", "--screen-reader", "--yolo", "-y"],
      values: [
        "--append-system-prompt",
        "--approval-mode",
        "--auth-type",
        "--mcp-config",
        "--model",
        "-m",
        "--openai-base-url",
        "--output-style",
        "--proxy",
        "--system-prompt",
      ],
      lists: [
        "--add-dir",
        "--allowed-mcp-server-names",
        "--allowed-tools",
        "--core-tools",
        "--exclude-tools",
        "--extensions",
        "-e",
        "--fallback-model",
        "--include-directories",
      ],
      chooses: [
        "--continue",
        "-c",
        "--fork-session",
        "--prompt",
        "-p",
        "--prompt-interactive",
        "-i",
        "--resume",
        "-r",
        "--session-id",
      ],
    },
    interruptKeys: ESCAPE,
    screenStatus: { busy: /\besc to (?:cancel|interrupt|stop)\b/i },
    relaunches: true,
    recognise: (process) => recogniseScript(process, "qwen", OWN_PATH),
    home(env) {
      const home = env("HOME") || env("USERPROFILE");
      return env("QWEN_RUNTIME_DIR") || env("QWEN_HOME") || (home ? join(home, ".qwen") : undefined);
    },
    join(request) {
      const home = homeOf(this, request.process);
      if (home === undefined) return undefined;
      const argv = request.process.argv();
      const files = () => chats(home, slugOf(request.cwd));
      const continued = () => (continues(argv) ? grownSince(request, files) : undefined);
      return inFolder(request, home, named(request, namedSession(argv)) ?? beganAfter(request, files) ?? continued());
    },
    sessionsOf(process) {
      const asked = namedSession(process.argv);
      if (asked !== undefined) return [asked];
      return sessionDuring(process, chats(process.home, slugOf(process.cwd)), continues(process.argv));
    },
    startModel(process) {
      const asked = argument(process.argv(), "--model", "-m") ?? process.env("OPENAI_MODEL");
      if (asked !== undefined && asked !== "") return asked;
      const home = homeOf(this, process);
      return home === undefined ? undefined : settingsModel(join(home, "settings.json"));
    },
    files: (home, session) => ({ main: pathOf(home, session), subagents: [] }),
    stored(home, session) {
      const path = pathOf(home, session);
      return storedIn(path, path && cwdIn(headOf(path)?.text ?? ""));
    },
    omits: "Qwen Code does not record what its sub-agents say, and the thoughts of some models.",
    relatedSessions: async () => [],
    sessions: (home) =>
      list(join(home, "projects"))
        .flatMap((name) => chats(home, name))
        .sort((one, other) => one.startedAt - other.startedAt)
        .map(({ sessionId }) => sessionId),
    parser: (_session, purpose) => new QwenParser(purpose),
    titleStatus: () => undefined,
  };

  function pathOf(home: string, session: string): string | undefined {
    return list(join(home, "projects"))
      .map((name) => join(home, "projects", name, "chats", `${basename(session)}.jsonl`))
      .find((one) => fileFacts(one) !== undefined);
  }

  function chats(home: string, folder: string): SessionFile[] {
    const path = join(home, "projects", folder, "chats");
    return list(path).flatMap((name) => (name.endsWith(".jsonl") ? (sessionIn(join(path, name)) ?? []) : []));
  }

  /** Reads the session of a transcript. A fork (`/branch`) begins with copies that keep their times, so its file tells. */
  function sessionIn(path: string): SessionFile | undefined {
    const head = headOf(path);
    if (head === undefined || !head.text.includes('"forkedFrom":')) return head;
    return { ...head, startedAt: Math.max(head.startedAt, fileFacts(path)?.bornAt ?? 0) };
  }
}

const OWN_PATH = /[\\/]@qwen-code[\\/]qwen-code[\\/]/;

function slugOf(cwd: string): string {
  return cwd.replace(/[^a-zA-Z0-9]/g, "-");
}

function continues(argv: readonly string[]): boolean {
  return argv.some((word) => /^(--continue|-c|--resume|-r)(=|$)/.test(word));
}

async function settingsModel(path: string): Promise<string | undefined> {
  return (await readJsonLater(path, Settings))?.model?.name;
}

const Settings = z.object({ model: z.object({ name: z.string().optional() }).optional().catch(undefined) });
