import { join } from "node:path";
import { z } from "zod";
import { runInTurns, type Steps } from "../../system/in-turns.ts";
import { processStart } from "../../system/processes/process-start.ts";
import type {
  AgentAdapter,
  JoinedSession,
  JoinRequest,
  RelatedSession,
  ReportedStatus,
  TranscriptFiles,
} from "./adapter.ts";
import {
  argument,
  cwdIn,
  ESCAPE,
  fileFacts,
  list,
  listDeep,
  namedSession,
  readHead,
  readJson,
  readJsonLater,
  recogniseProgram,
  scriptOf,
  storedIn,
} from "./adapter-files.ts";
import { homeOf } from "./agent-home.ts";
import { ClaudeParser } from "./claude-records.ts";
import { EpochMs } from "./event-parts.ts";
import { assumption } from "./join-by-time.ts";
import { promptInput } from "./prompt-input.ts";

/**
 * Claude Code. Since 2.1 it says in `sessions/<pid>.json` which session it is in and what it does; before that the
 * transcript is found by folder and time. Transcripts: `projects/<folder>/<session>.jsonl`.
 */
export function claudeAdapter(): AgentAdapter {
  const heads = new Map<string, Head>();
  const folders = new Map<string, string>();

  return {
    kind: "claude",
    apps: ["claude-code", "claude"],
    provider: "anthropic",
    resume: {
      words: (sessionId) => ["--resume", sessionId],
      flags: [
        "--allow-dangerously-skip-permissions",
        "--ax-screen-reader",
        "--bare",
        "--brief",
        "--chrome",
        "--dangerously-skip-permissions",
        "--disable-slash-commands",
        "--ide",
        "--no-chrome",
        "--restricted",
        "--safe-mode",
        "--strict-mcp-config",
        "--verbose",
      ],
      values: [
        "--agent",
        "--agents",
        "--append-system-prompt",
        "--autocompact",
        "--effort",
        "--fallback-model",
        "--model",
        "--permission-mode",
        "--plugin-dir",
        "--setting-sources",
        "--settings",
        "--system-prompt",
      ],
      lists: [
        "--add-dir",
        "--allowed-tools",
        "--allowedTools",
        "--betas",
        "--disallowed-tools",
        "--disallowedTools",
        "--mcp-config",
        "--tools",
      ],
      chooses: ["--continue", "-c", "--fork-session", "--from-pr", "--resume", "-r", "--session-id"],
    },
    holder(home, sessionId) {
      return pidFiles(home)
        .map((pid) => ({ pid, file: readPidFile(home, pid) }))
        .find(({ pid, file }) => file?.sessionId === sessionId && isRunning(pid, file.procStart))?.pid;
    },
    interruptKeys: ESCAPE,
    input: promptInput({
      settleMs: 60,
      marker: /^\s*[❯>](?:\s|$)/,
      pasted: /\[Pasted text #\d+(?: \+\d+ lines?)?\]/,
      wrapper: /<\/?pasted_content\b[^<>]*>/g,
    }),
    recognise(process) {
      // Up to 2.0 a script, which a moment after its start calls its process `claude`.
      return OWN_PATH.test(scriptOf(process)?.real ?? "") ? "certain" : recogniseProgram(process, "claude", OWN_PATH);
    },
    home: (env) => env("CLAUDE_CONFIG_DIR")?.split(",")[0]?.trim() || inHome(env("HOME") ?? env("USERPROFILE")),
    join(request) {
      const home = homeOf(this, request.process);
      if (home === undefined) return undefined;
      return fromPidFile(request, home) ?? fromArguments(request, home) ?? fromFolder(request, home, headOf);
    },
    sessionsOf(process) {
      const { argv, home, cwd, launchedAt, endedAt, inaccuracy, taken, runsOn } = process;
      const named = namedSession(argv);
      if (named !== undefined) return [named];
      const others = otherSessions(home, process.pid);
      const continues = argv.some((word) => /^(-c|--continue|-r|--resume)$/.test(word));
      const written = mainFiles(join(home, "projects", slugOf(cwd, list(join(home, "projects"))))).filter(
        ({ path }) => {
          const began = headOf(path).firstAt;
          const changed = fileFacts(path)?.changedAt ?? 0;
          const at = continues ? changed : began;
          return at >= launchedAt - inaccuracy && at <= endedAt + inaccuracy;
        },
      );
      return written.map(({ id }) => id).filter((id) => !others.has(id) && !(continues ? runsOn : taken)(id));
    },
    startModel(process, cwd) {
      const asked = argument(process.argv(), "--model") ?? process.env("ANTHROPIC_MODEL");
      if (asked !== undefined && asked !== "") return asked;
      return settingsModel([join(cwd, ".claude"), homeOf(this, process) ?? cwd]);
    },
    files(home, session) {
      const folder = folderOf(home, session);
      const head = folder === undefined ? NO_HEAD : headOf(join(folder, `${session}.jsonl`));
      // A transcript without a first record has nothing to count yet, and does not show yet whether it is a fork.
      if (folder === undefined || (head.root === "" && !head.complete)) return { main: undefined, subagents: [] };
      return filesIn(folder, session, headOf);
    },
    subagent(path) {
      const { agentType, description, toolUseId } =
        readJson(path.replace(/\.jsonl$/, ".meta.json"), SubagentMeta) ?? {};
      return { type: agentType, description, toolUse: toolUseId };
    },
    stored(home, session) {
      const folder = folderOf(home, session);
      const path = folder && join(folder, `${session}.jsonl`);
      return storedIn(path, path && headOf(path).cwd);
    },
    relatedSessions: (home, session) => runInTurns(olderRelatives(home, session)),
    sessions(home) {
      const all = list(join(home, "projects")).flatMap((name) => mainFiles(join(home, "projects", name)));
      // Each is looked at once, not at each comparison: there may be thousands.
      const known = all.map(({ id, path }) => ({ id, head: headOf(path) }));
      return known.sort((one, other) => (older(one.head, other.head) ? -1 : 1)).map(({ id }) => id);
    },
    parser: (session, purpose) => new ClaudeParser(session, purpose),
    titleStatus(title, before) {
      if (/^[◐◑◒◓⠀-⣿] /u.test(title)) return "working";
      // Versions before 2.1 never show a spinner: their title has this sign while they work and wait, too.
      return title.startsWith("✳ ") && before !== undefined ? "idle" : undefined;
    },
    screenStatus: { busy: /\besc to interrupt\b/i },
  };

  function folderOf(home: string, session: string): string | undefined {
    const known = folders.get(session);
    if (known?.startsWith(join(home, "projects")) && fileFacts(join(known, `${session}.jsonl`)) !== undefined)
      return known;
    for (const name of list(join(home, "projects"))) {
      const folder = join(home, "projects", name);
      if (fileFacts(join(folder, `${session}.jsonl`)) === undefined) continue;
      folders.set(session, folder);
      return folder;
    }
    return undefined;
  }

  /** In steps, because a folder may have thousands of transcripts. */
  function* olderRelatives(home: string, session: string): Steps<readonly RelatedSession[]> {
    const folder = folderOf(home, session);
    if (folder === undefined) return [];
    const own = headOf(join(folder, `${session}.jsonl`));
    if (own.root === "") return [];
    const family: { readonly id: string; readonly path: string }[] = [];
    for (const one of mainFiles(folder)) {
      yield;
      const head = headOf(one.path);
      if (one.id !== session && head.root === own.root && older(head, own)) family.push(one);
    }
    return family
      .sort((one, other) => (older(headOf(one.path), headOf(other.path)) ? -1 : 1))
      .map(({ id }) => ({ sessionId: id, files: filesIn(folder, id, headOf) }));
  }

  /** A file's beginning does not change, so it is read until it has shown everything. */
  function headOf(path: string): Head {
    const facts = fileFacts(path);
    const known = heads.get(path);
    if (facts === undefined || (known !== undefined && (known.complete || known.size === facts.size)))
      return known ?? NO_HEAD;
    const head = parseHead(readHead(path, HEAD_BYTES), facts.bornAt, facts.size);
    heads.set(path, head);
    return head;
  }
}

type HeadOf = (path: string) => Head;

/** What the beginning of a transcript tells. */
interface Head {
  /** First record's id: forks share it. */
  readonly root: string;
  /** First time in the file: a fork starts with a time of its own before the copied lines. */
  readonly firstAt: number;
  readonly bornAt: number;
  readonly sessions: ReadonlySet<string>;
  readonly cwd: string | undefined;
  readonly size: number;
  readonly complete: boolean;
}

const HEAD_BYTES = 64 * 1024;
const NO_HEAD: Head = {
  root: "",
  firstAt: Number.NaN,
  bornAt: 0,
  sessions: new Set(),
  cwd: undefined,
  size: -1,
  complete: false,
};

function parseHead(text: string, bornAt: number, size: number): Head {
  const root = /"uuid":"([^"]+)"/.exec(text)?.[1] ?? "";
  const firstAt = Date.parse(/"timestamp":"([^"]+)"/.exec(text)?.[1] ?? "");
  const sessions = new Set([...text.matchAll(/"sessionId":"([^"]+)"/g)].map((match) => match[1] ?? ""));
  return { root, firstAt, bornAt, sessions, cwd: cwdIn(text), size, complete: size >= HEAD_BYTES };
}

function older(one: Head, other: Head): boolean {
  if (one.firstAt !== other.firstAt && !Number.isNaN(one.firstAt) && !Number.isNaN(other.firstAt))
    return one.firstAt < other.firstAt;
  return one.bornAt < other.bornAt;
}

const OWN_PATH = /[\\/]@anthropic-ai[\\/]claude-code|[\\/]claude[\\/]versions[\\/]/;

function inHome(home: string | undefined): string | undefined {
  return home === undefined || home === "" ? undefined : join(home, ".claude");
}

function mainFiles(folder: string): { id: string; path: string }[] {
  const names = list(folder).filter((name) => name.endsWith(".jsonl") && !name.startsWith("agent-"));
  return names.map((name) => ({ id: name.slice(0, -".jsonl".length), path: join(folder, name) }));
}

function filesIn(folder: string, session: string, headOf: HeadOf): TranscriptFiles {
  const below = join(folder, session, "subagents");
  const own = listDeep(below).filter((name) => name.endsWith(".jsonl"));
  // Before 2.1 sub-agents of all sessions lie beside the main files.
  const beside = list(folder).filter((name) => name.startsWith("agent-") && name.endsWith(".jsonl"));
  return {
    main: join(folder, `${session}.jsonl`),
    subagents: [
      ...own.sort().map((name) => join(below, name)),
      ...beside
        .sort()
        .map((name) => join(folder, name))
        .filter((path) => headOf(path).sessions.has(session)),
    ],
  };
}

function fromPidFile({ process, cwd }: JoinRequest, home: string): JoinedSession | undefined {
  const file = readPidFile(home, process.pid);
  // Left behind by a killed agent, whose pid is another program's now.
  if (
    file === undefined ||
    (/^\d+$/.test(process.startKey) && file.procStart !== undefined && file.procStart !== process.startKey)
  )
    return undefined;
  const reported = reportedStatus(file);
  return { sessionId: file.sessionId, home, cwd: file.cwd ?? cwd, ...(reported !== undefined && { reported }) };
}

function reportedStatus(file: PidFile): ReportedStatus | undefined {
  const at = file.statusUpdatedAt ?? file.updatedAt ?? file.startedAt ?? 0;
  const detail = [file.status, file.waitingFor].filter(Boolean).join(": ");
  if (file.status === "busy") return { status: "working", detail, at };
  if (file.status === "waiting") return { status: "waiting", detail, at };
  return file.status === "idle" ? { status: "idle", detail, at } : undefined;
}

function fromArguments({ process, cwd }: JoinRequest, home: string): JoinedSession | undefined {
  const sessionId = namedSession(process.argv());
  return sessionId === undefined ? undefined : { sessionId, home, cwd };
}

/** Does the process of a file that names it still run? A killed one leaves the file, and its id to another program. */
function isRunning(pid: number, started: string | undefined): boolean {
  const now = processStart(pid);
  return now !== undefined && (now === null || started === undefined || started === now || !/^\d+$/.test(now));
}

/** The sessions that other processes say they are in. */
function otherSessions(home: string, pid: number): ReadonlySet<string> {
  const others = pidFiles(home).filter((other) => other !== pid);
  return new Set(others.flatMap((other) => readPidFile(home, other)?.sessionId ?? []));
}

/** Claude Code writes some hundred bytes, with the path of a folder. */
const MAX_PID_BYTES = 16 * 1024;
/** More of them are of no processes of an agent: any program can write thousands, and all are read at once. */
const MOST_PID_FILES = 500;

/** The processes that have a file which says what they work on. */
function pidFiles(home: string): readonly number[] {
  return list(join(home, "sessions"))
    .filter((name) => /^\d{1,10}\.json$/.test(name))
    .slice(0, MOST_PID_FILES)
    .map((name) => Number.parseInt(name, 10));
}

function readPidFile(home: string, pid: number): PidFile | undefined {
  return readJson(join(home, "sessions", `${pid}.json`), PidFile, MAX_PID_BYTES);
}

/** The newest transcript of the folder that began after the process did, else one that has grown since. */
function fromFolder(request: JoinRequest, home: string, headOf: HeadOf): JoinedSession | undefined {
  const { known, launchedAt, cwd, aloneAt, shownIn } = request;
  const folder = join(home, "projects", slugOf(cwd, list(join(home, "projects"))));
  const written = mainFiles(folder).flatMap(({ id, path }) => {
    const facts = fileFacts(path);
    return facts === undefined || facts.size === 0 ? [] : [{ id, path, facts }];
  });
  // The newest first, because the terminals of only so many are looked for. A program can write thousands.
  written.sort((one, other) => other.facts.changedAt - one.facts.changedAt);
  const touched = written.slice(0, MOST_CANDIDATES).flatMap(({ id, path, facts }) => {
    const began = headOf(path).firstAt;
    const fresh = began >= launchedAt - SLACK_MS;
    // No slack here: what the run before wrote last may be a moment old when the next one starts.
    if (!fresh && facts.changedAt < launchedAt) return [];
    const others = request.taken(id) || (fresh && request.seenIn?.(id) === "elsewhere") || shownIn(id) === "elsewhere";
    const sure = id === known?.sessionId || shownIn(id) === "here" || aloneAt(fresh ? began : facts.changedAt);
    return others || !sure ? [] : [{ id, changedAt: facts.changedAt, fresh }];
  });
  const newest = touched.sort(
    (one, other) => Number(other.fresh) - Number(one.fresh) || other.changedAt - one.changedAt,
  )[0];
  return newest === undefined ? known : { sessionId: newest.id, home, cwd, ...assumption(request, newest.id) };
}

const SLACK_MS = 500;
/** Transcripts of a folder that are looked into, the newest ones. */
const MOST_CANDIDATES = 1000;

/** Every character but letters and digits becomes `-`; a long name is cut and gets a hash that we need not know. */
function slugOf(cwd: string, names: readonly string[]): string {
  const slug = cwd.replace(/[^A-Za-z0-9]/g, "-");
  if (slug.length <= 200) return slug;
  const start = `${slug.slice(0, 200)}-`;
  return names.find((name) => name.startsWith(start)) ?? slug;
}

/** The first of the folders is the project's, so whatever it leads to was chosen by the repository. */
async function settingsModel(folders: readonly string[]): Promise<string | undefined> {
  const paths = folders.flatMap((folder) => [join(folder, "settings.local.json"), join(folder, "settings.json")]);
  for (const path of paths) {
    const model = (await readJsonLater(path, Settings))?.model;
    if (model !== undefined) return model;
  }
  return undefined;
}

const Settings = z.object({ model: z.string().optional() });

const text = z.string().optional().catch(undefined);
const SubagentMeta = z.object({ agentType: text, description: text, toolUseId: text });

const time = EpochMs.optional().catch(undefined);
const PidFile = z.object({
  sessionId: z.string().min(1),
  cwd: z.string().optional(),
  procStart: z.string().optional(),
  status: z.string().optional(),
  waitingFor: z.string().optional(),
  startedAt: time,
  updatedAt: time,
  statusUpdatedAt: time,
});
type PidFile = z.infer<typeof PidFile>;
