import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { z } from "zod";
import type { AgentAdapter } from "./adapter.ts";
import {
  argument,
  ESCAPE,
  fileFacts,
  list,
  namedSession,
  readHead,
  readJson,
  readJsonLater,
  recogniseScript,
  storedIn,
} from "./adapter-files.ts";
import { homeOf } from "./agent-home.ts";
import { GeminiParser } from "./gemini-records.ts";
import { beganAfter, grownSince, heads, inFolder, named, type SessionFile, sessionDuring } from "./join-by-time.ts";
import { promptInput } from "./prompt-input.ts";

/**
 * Gemini CLI, a program in Node that starts itself a second time. Nothing names its session, but it makes the
 * transcript when it starts, so that is the first one in its folder's chats that began after the process did.
 */
export function geminiAdapter(): AgentAdapter {
  const headOf = heads(/"sessionId":\s*"([^"]+)"/, /"startTime":\s*"([^"]+)"/);

  return {
    kind: "gemini",
    apps: ["gemini-cli", "gemini"],
    provider: "google",
    resume: {
      words: (sessionId) => ["--resume", sessionId],
      flags: ["--debug", "-d", "--sandbox", "-s", "--screen-reader", "--skip-trust", "--yolo", "-y"],
      values: ["--approval-mode", "--model", "-m"],
      lists: [
        "--admin-policy",
        "--allowed-mcp-server-names",
        "--allowed-tools",
        "--extensions",
        "-e",
        "--include-directories",
        "--policy",
      ],
      chooses: ["--prompt", "-p", "--prompt-interactive", "-i", "--resume", "-r", "--session-id"],
    },
    interruptKeys: ESCAPE,
    input: promptInput({
      settleMs: 150,
      marker: /^\s*[>*](?:\s|$)/,
      pasted: /\[Pasted Text: [^[\]]*\]/,
      appendix: "--- Content from referenced files ---",
    }),
    relaunches: true,
    recognise: (process) => recogniseScript(process, "gemini", OWN_PATH),
    home(env) {
      const home = env("GEMINI_CLI_HOME") || env("HOME") || env("USERPROFILE");
      return home === undefined || home === "" ? undefined : join(home, ".gemini");
    },
    join(request) {
      const home = homeOf(this, request.process);
      if (home === undefined) return undefined;
      const argv = request.process.argv();
      const chats = () => chatsIn(home, request.cwd);
      // A new process also writes a summary into the last session's file, so growth counts only for `--resume`.
      const resumed = () => (resumes(argv) ? grownSince(request, chats) : undefined);
      return inFolder(request, home, named(request, namedSession(argv)) ?? beganAfter(request, chats) ?? resumed());
    },
    sessionsOf(process) {
      const asked = namedSession(process.argv);
      if (asked !== undefined) return [asked];
      return [...new Set(sessionDuring(process, chatsIn(process.home, process.cwd), resumes(process.argv)))];
    },
    startModel(process) {
      const asked = argument(process.argv(), "--model", "-m") ?? process.env("GEMINI_MODEL");
      if (asked !== undefined && asked !== "") return asked;
      const home = homeOf(this, process);
      return home === undefined ? undefined : settingsModel(join(home, "settings.json"));
    },
    files(home, session) {
      const path = pathOf(home, session);
      if (path === undefined) return { main: undefined, subagents: [] };
      const below = join(path, "..", session);
      return {
        main: path,
        subagents: list(below)
          .filter((name) => /\.jsonl?$/.test(name))
          .map((name) => join(below, name)),
      };
    },
    stored(home, session) {
      const path = pathOf(home, session);
      return storedIn(path, path && readHead(join(path, "..", "..", ".project_root"), 4096).trim());
    },
    omits: "Gemini CLI records summaries of thoughts only.",
    relatedSessions: async () => [],
    sessions(home) {
      const all = everyChat(home).flatMap((path) => headOf(path) ?? []);
      const sorted = all.sort((one, other) => one.startedAt - other.startedAt);
      return [...new Set(sorted.map(({ sessionId }) => sessionId))];
    },
    parser: (_session, purpose) => new GeminiParser(purpose),
    titleStatus(title) {
      if (title.startsWith("✋")) return "waiting";
      if (title.startsWith("✦")) return "working";
      return title.startsWith("◇") ? "idle" : undefined;
    },
    // Versions before 0.30 say nothing of a turn in their title.
    screenStatus: { busy: /\besc to cancel\b/i, omitsCalls: true },
  };

  function pathOf(home: string, session: string): string | undefined {
    const main = everyChat(home).filter(
      (path) => path.includes(session.slice(0, 8)) && headOf(path)?.sessionId === session,
    );
    // An old document that was resumed by a newer version lives on as a log. A program that resumes a session begins another
    // log of it first, and then goes on in the one that has the conversation.
    const logs = main.filter((name) => name.endsWith(".jsonl"));
    const size = (path: string) => fileFacts(path)?.size ?? 0;
    return logs.sort((one, other) => size(other) - size(one))[0] ?? main[0];
  }

  function chatsIn(home: string, cwd: string): SessionFile[] {
    return chatFolders(home, cwd).flatMap((folder) => chatFiles(folder).flatMap((path) => headOf(path) ?? []));
  }
}

function resumes(argv: readonly string[]): boolean {
  return argv.some((word) => /^(--resume|-r)(=|$)/.test(word));
}

const OWN_PATH = /[\\/]@google[\\/]gemini-cli[\\/]|[\\/]gemini-cli[\\/]/;

function chatFolders(home: string, cwd: string): string[] {
  const slug = readJson(join(home, "projects.json"), z.object({ projects: z.record(z.string(), z.string()) }))
    ?.projects[cwd];
  const names = [slug, createHash("sha256").update(cwd).digest("hex")].filter((name) => name !== undefined);
  return names.map((name) => join(home, "tmp", basename(name), "chats"));
}

function chatFiles(folder: string): string[] {
  return list(folder)
    .filter((name) => /^session-.*\.jsonl?$/.test(name))
    .map((name) => join(folder, name));
}

function everyChat(home: string): string[] {
  return list(join(home, "tmp")).flatMap((name) => chatFiles(join(home, "tmp", name, "chats")));
}

async function settingsModel(path: string): Promise<string | undefined> {
  return (await readJsonLater(path, Settings))?.model?.name;
}

const Settings = z.object({ model: z.object({ name: z.string().optional() }).optional().catch(undefined) });
