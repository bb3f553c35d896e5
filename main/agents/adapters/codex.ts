import { basename, join } from "node:path";
import { z } from "zod";
import { processStart } from "../../system/processes/process-start.ts";
import { type AgentAdapter, type JoinRequest, NO_SESSION, type TranscriptFiles } from "./adapter.ts";
import { argument, ESCAPE, fileFacts, list, readHead, recogniseProgram, storedIn, UUID } from "./adapter-files.ts";
import { homeOf } from "./agent-home.ts";
import { daemonThreads, holdsLock, lockedThreads, readDaemon, threadHolder } from "./codex-holder.ts";
import { CodexParser } from "./codex-records.ts";
import { codexResume } from "./codex-resume.ts";
import { assumption, resumedSince } from "./join-by-time.ts";
import { promptInput } from "./prompt-input.ts";

/**
 * Codex. Its thread id is a UUIDv7, so it tells when the thread was born. The process keeps its rollout or its lock
 * open, except where a shared daemon does that for it: then the first thread born after it in its folder is its own, or
 * one that its terminal was proven to show.
 */
export function codexAdapter(): AgentAdapter {
  const metas = new Map<string, Meta>();
  const paths = new Map<string, string>();

  return {
    kind: "codex",
    apps: ["codex"],
    provider: "openai",
    resume: codexResume,
    holder: (home, session) => threadHolder(session, readDaemon(home)?.pid),
    worksOn(home, session) {
      const daemon = readDaemon(home);
      const started = daemon && processStart(daemon.pid);
      if (daemon === undefined || started === undefined) return false;
      if (process.platform !== "linux") return true;
      return started === String(daemon.processIdentity?.startTicks ?? started) && holdsLock(daemon.pid, session);
    },
    interruptKeys: ESCAPE,
    input: promptInput({
      settleMs: 150,
      marker: /^\s*[›▌>](?:\s|$)/,
      pasted: /\[Pasted Content \d+ chars\]/,
      scrolled: { sign: /\s↑\s*$/, placeholder: /^\s*Ask Codex to do anything\s*$/ },
    }),
    exportsForOthers: true,
    recognise(process) {
      if (process.comm !== "codex" && !OWN_PROGRAM.test(basename(process.exe()))) return undefined;
      const [, first = "", ...more] = process.argv();
      // Its servers have no terminal; nor has a run that another agent's tool started.
      if (NOT_AN_AGENT.has(first) || (process.tty === "" && ![first, ...more].some((word) => RUNS.has(word))))
        return undefined;
      return recogniseProgram(process, "codex", OWN_PATH);
    },
    home: (env) => env("CODEX_HOME") || inHome(env("HOME") ?? env("USERPROFILE")),
    join(request) {
      const home = homeOf(this, request.process);
      if (home === undefined) return undefined;
      const known = ownThread(request, home);
      const named = namedThread(request, home);
      const open = openThread(request, home);
      // A terminal can leave the thread that its arguments name: what was proven since counts more than they do.
      const last = request.known?.assumed === true ? (named ?? known) : (known ?? named);
      const id = open ?? resumedThread(request, home, known) ?? bornThread(request, home, last) ?? last;
      const lost = request.known !== undefined && known === undefined;
      if (id === undefined) return lost ? NO_SESSION : undefined;
      const insteadOf = lost && request.known !== undefined && { insteadOf: request.known.sessionId };
      const isKnown = id === known && request.known?.assumed !== true;
      const certain = id === open || id === named || isKnown;
      return { sessionId: id, home, cwd: request.cwd, ...insteadOf, ...(certain ? {} : assumption(request, id)) };
    },
    sessionsOf({ argv, home, cwd, launchedAt, endedAt, inaccuracy, taken, runsOn }) {
      const named = resumedId(argv);
      if (named !== undefined) return [named];
      const resumed = argv.includes("resume");
      const folders = resumed ? everyFolder(home) : dayFolders(home, launchedAt, endedAt);
      const during = rollouts(folders).filter(({ id, path }) => {
        const at = resumed ? (fileFacts(path)?.changedAt ?? 0) : bornAt(id);
        const isInTime = at >= launchedAt - inaccuracy && at <= endedAt + inaccuracy;
        return isInTime && !(resumed ? runsOn : taken)(id);
      });
      const origins = originsOf(argv, { daemonOnly: false });
      return during.filter(({ path }) => isFrom(metaOf(path), cwd, resumed ? ANY : origins)).map(({ id }) => id);
    },
    startModel(process) {
      const home = homeOf(this, process);
      return argument(process.argv(), "--model", "-m") ?? (home === undefined ? undefined : configuredModel(home));
    },
    files(home, session): TranscriptFiles {
      const main = rolloutOf(home, session);
      if (main === undefined) return { main, subagents: [] };
      const later = rollouts(dayFolders(home, bornAt(session), Date.now())).filter(({ id }) => id > session);
      // A thread is younger than the one that started it.
      const family = new Set([session]);
      const threads = later
        .sort((one, other) => (one.id < other.id ? -1 : 1))
        .filter(({ id, path }) => {
          const isOwn = family.has(metaOf(path)?.parent ?? "");
          if (isOwn) family.add(id);
          return isOwn;
        });
      for (const { id, path } of threads) paths.set(id, path);
      return { main, subagents: threads.map(({ path }) => path) };
    },
    subagent(path) {
      const { parent = "", role, nickname } = metaOf(path) ?? {};
      const isBelowAnother = metaOf(paths.get(parent))?.parent !== undefined;
      return { type: role, description: nickname, ...(isBelowAnother && { parent }) };
    },
    stored(home, session) {
      const path = rolloutOf(home, session);
      return storedIn(path, metaOf(path)?.cwd);
    },
    omits: "Codex stores its thinking encrypted, beside a summary.",
    relatedSessions: async () => [],
    sessions(home) {
      const all = rollouts(everyFolder(home)).filter(({ path }) => metaOf(path)?.parent === undefined);
      return all.map(({ id }) => id).sort();
    },
    parser: (session, purpose) => new CodexParser(session, purpose),
    titleStatus(title, before) {
      if (/^\[ [!.] \] Action Required/.test(title)) return "waiting";
      if (/^[⠀-⣿] /u.test(title)) return "working";
      // Before 0.169 nothing else reports the end of a turn: the title loses its spinner.
      return before === undefined ? undefined : "idle";
    },
    // Versions before 0.120 set no title.
    screenStatus: { busy: /\besc to interrupt\b/i },
  };

  /** By its open files. Of several threads the main one has a rollout that a person started; without any, the first. */
  function openThread({ process }: JoinRequest, home: string): string | undefined {
    const ids = new Set<string>();
    for (const path of process.openFiles()) {
      if (!/^rollout-.*\.jsonl$/.test(basename(path)) && !/\/thread-writer-locks\/[^/]*\.lock$/.test(path)) continue;
      const id = UUID.exec(basename(path).replace(/^rollout-.{20}/, ""))?.[0];
      if (id !== undefined) ids.add(id);
    }
    const started = [...ids].filter((id) => metaOf(rolloutOf(home, id))?.started === true).sort();
    return started.at(-1) ?? [...ids].sort()[0];
  }

  /** `codex resume <id>` or `codex exec resume <id>`; `--last` is the one older thread of the folder that grew since. */
  function namedThread({ process, launchedAt, cwd, taken }: JoinRequest, home: string): string | undefined {
    const argv = process.argv();
    if (argv.indexOf("resume") < 1) return undefined;
    const id = resumedId(argv);
    if (id !== undefined) return id;
    const grown = rollouts(everyFolder(home)).filter(
      ({ id: thread, path }) =>
        bornAt(thread) < launchedAt && (fileFacts(path)?.changedAt ?? 0) >= launchedAt && !taken(thread),
    );
    const [only, ...others] = grown.filter(({ path }) => isFrom(metaOf(path), cwd, ANY));
    return others.length === 0 ? only?.id : undefined;
  }

  /**
   * A thread that a daemon keeps for the terminal's program. Nothing names the program in it, so it has to be of its
   * folder, of its kind and born after it; and whose prompt it began with shows in the report that came with it.
   */
  function bornThread(request: JoinRequest, home: string, known: string | undefined): string | undefined {
    const { process, launchedAt, cwd, aloneAt, taken, seenIn, shownIn, prompted } = request;
    // What a process has open was looked at before; one that shows its files and has none is a daemon's terminal.
    const shows = process.openFiles().length > 0;
    const origins = originsOf(process.argv(), { daemonOnly: shows });
    if (shows && origins.has("exec")) return undefined;
    const isFree = (id: string) => !taken(id) && seenIn?.(id) !== "elsewhere" && shownIn(id) !== "elsewhere";
    // What it has left for an older one (`/resume`) was made by it too, and is its own again by proof only.
    const isLeft = (id: string) =>
      request.known !== undefined && id !== request.known.sessionId && seenIn?.(id) === "here";
    const born = (id: string) =>
      bornAt(id) >= launchedAt - SLACK_MS && (shownIn(id) === "here" || (isFree(id) && !isLeft(id)));
    const written = rollouts(dayFolders(home, launchedAt, Date.now()))
      .filter(({ id, path }) => born(id) && isFrom(metaOf(path), cwd, origins))
      .map(({ id, path }) => ({ id, origin: prompted?.(metaOf(path)?.writtenAt ?? Number.NaN) }))
      .filter(({ origin }) => origin === "own" || origin === undefined)
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const isOwn = ({ id, origin }: (typeof written)[number]) =>
      origin === "own" || seenIn?.(id) === "here" || shownIn(id) === "here";
    const own = written.findLast(isOwn)?.id;
    if (known !== undefined) {
      if (own !== undefined && own > known) return own;
      // A later thread of the same folder is what `/new` has made, if no other terminal can have made it.
      const last = written.at(-1)?.id ?? "";
      return last > known && aloneAt(bornAt(last)) ? last : undefined;
    }
    const unwritten = lockedThreads(home).filter((id) => born(id) && rolloutOf(home, id) === undefined);
    return own ?? [...written.map(({ id }) => id), ...unwritten].sort().find((id) => aloneAt(bornAt(id)));
  }

  /** Returns the older thread of its folder that a daemon's terminal has gone to (`/resume`), if that is proven. */
  function resumedThread(request: JoinRequest, home: string, known: string | undefined): string | undefined {
    const { process, launchedAt, cwd } = request;
    const origins = originsOf(process.argv(), { daemonOnly: true });
    if (process.openFiles().length === 0 || origins.has("exec")) return undefined;
    const from = Math.max(launchedAt - SLACK_MS, known === undefined ? 0 : bornAt(known) + 1);
    const older = daemonThreads(home).flatMap((id) => {
      const path = bornAt(id) < from ? rolloutOf(home, id) : undefined;
      const changedAt = isFrom(metaOf(path), cwd, ANY) ? storedIn(path)?.changedAt : undefined;
      return changedAt === undefined ? [] : [{ sessionId: id, startedAt: bornAt(id), changedAt }];
    });
    const grownAt = known === undefined ? undefined : storedIn(rolloutOf(home, known))?.changedAt;
    return resumedSince(request, older, Math.max(launchedAt, grownAt ?? 0))?.sessionId;
  }

  /** What was found before stays, unless its transcript turns out to be another's. */
  function ownThread(request: JoinRequest, home: string): string | undefined {
    const { process, launchedAt, known, cwd, prompted, aloneAt, shownIn } = request;
    if (known === undefined) return undefined;
    const shown = shownIn(known.sessionId);
    if (known.assumed === true && shown === "elsewhere") return undefined;
    const meta = metaOf(rolloutOf(home, known.sessionId));
    if (meta === undefined) return known.sessionId;
    // A process that is about to end shows nothing, which proves nothing.
    if (process.openFiles().length === 0) return known.sessionId;
    const argv = process.argv();
    const older = bornAt(known.sessionId) < launchedAt - SLACK_MS;
    // Any program may have made what a terminal resumes.
    const origins = older || argv.includes("resume") ? ANY : originsOf(argv, { daemonOnly: false });
    const origin = prompted?.(meta.writtenAt);
    // Another agent of the folder that was found since can as well have made the thread.
    const unsure =
      known.assumed === true && shown === undefined && origin !== "own" && !aloneAt(bornAt(known.sessionId));
    const own = isFrom(meta, cwd, origins) && (older || (origin !== "other" && !unsure));
    return own ? known.sessionId : undefined;
  }

  function rolloutOf(home: string, id: string): string | undefined {
    const known = paths.get(id);
    if (known?.startsWith(home) && fileFacts(known) !== undefined) return known;
    const born = bornAt(id);
    const near = Number.isNaN(born) ? [] : rollouts(dayFolders(home, born, born));
    const found =
      near.find((rollout) => rollout.id === id) ??
      rollouts([join(home, "archived_sessions")]).find((rollout) => rollout.id === id);
    if (found !== undefined) paths.set(id, found.path);
    return found?.path;
  }

  function metaOf(path: string | undefined): Meta | undefined {
    if (path === undefined) return undefined;
    const known = metas.get(path);
    if (known !== undefined) return known;
    const meta = parseMeta(readHead(path, META_BYTES));
    if (meta !== undefined) metas.set(path, meta);
    return meta;
  }
}

/** What a rollout's first line tells. */
interface Meta {
  readonly cwd: string;
  /** `exec`, `cli`, or `daemon` for a terminal whose thread the daemon keeps; "" for other programs, as an editor's. */
  readonly origin: Origin | "";
  /** When the line was written: with the first prompt. In ms. */
  readonly writtenAt: number;
  /** Started by a person, not by another thread. */
  readonly started: boolean;
  readonly parent: string | undefined;
  /** What a thread that another one has started is for, and its name. */
  readonly role: string | undefined;
  readonly nickname: string | undefined;
}

/** The first line holds the whole system prompt. */
const META_BYTES = 256 * 1024;
const SLACK_MS = 300;
const DAY_MS = 24 * 3600 * 1000;

function parseMeta(head: string): Meta | undefined {
  const end = head.indexOf("\n");
  if (end === -1) return undefined;
  try {
    const line = MetaLine.safeParse(JSON.parse(head.slice(0, end))).data;
    if (line === undefined) return undefined;
    const { payload } = line;
    const spawned = Spawned.safeParse(payload.source).data?.subagent.thread_spawn;
    const root = payload.session_id !== undefined && payload.session_id !== payload.id ? payload.session_id : undefined;
    return {
      cwd: payload.cwd,
      origin: originOf(payload.source, payload.originator),
      writtenAt: Date.parse(line.timestamp ?? ""),
      started: typeof payload.source === "string",
      parent: spawned?.parent_thread_id ?? root,
      role: spawned?.agent_role,
      nickname: spawned?.agent_nickname,
    };
  } catch {
    return undefined;
  }
}

type Origin = "exec" | "cli" | "daemon";
const ANY: ReadonlySet<string> = new Set(["exec", "cli", "daemon", ""]);
/** `exec` and `e` run one prompt; `review` does so too. */
const ONE_PROMPT = new Set(["exec", "e", "review"]);

/** The daemon calls all its threads `vscode`; the program that asked for one is its originator. */
function originOf(source: unknown, originator: string | undefined): Origin | "" {
  if (source === "exec" || source === "cli") return source;
  const terminal = originator === undefined || /\btui\b/.test(originator);
  return source === "vscode" && terminal ? "daemon" : "";
}

/** The threads that a process with these arguments makes. */
function originsOf(argv: readonly string[], { daemonOnly }: { readonly daemonOnly: boolean }): ReadonlySet<string> {
  if (argv.slice(1).some((word) => ONE_PROMPT.has(word))) return new Set(["exec"]);
  return new Set(daemonOnly ? ["daemon"] : ["cli", "daemon"]);
}

function isFrom(meta: Meta | undefined, cwd: string, origins: ReadonlySet<string>): boolean {
  return meta?.started === true && meta.cwd === cwd && origins.has(meta.origin);
}

function resumedId(argv: readonly string[]): string | undefined {
  const at = argv.indexOf("resume");
  const word = at < 1 ? undefined : argv.slice(at + 1).find((one) => UUID.test(one));
  return word === undefined ? undefined : UUID.exec(word)?.[0];
}

const NOT_AN_AGENT = new Set([
  "app-server",
  "mcp-server",
  "exec-server",
  "mcp",
  "sandbox",
  "completion",
  "login",
  "logout",
]);
/** Its commands that need no terminal. */
const RUNS = new Set(["exec", "e", "review"]);
const OWN_PROGRAM = /^codex(-[a-z0-9_-]+)?(\.exe)?( \(deleted\))?$/;
const OWN_PATH = /[\\/]@openai[\\/]codex/;

function inHome(home: string | undefined): string | undefined {
  return home === undefined || home === "" ? undefined : join(home, ".codex");
}

/** A UUIDv7 begins with its birth in milliseconds. */
function bornAt(id: string): number {
  return UUID.test(id) ? Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16) : Number.NaN;
}

function rollouts(folders: readonly string[]): { id: string; path: string }[] {
  return folders.flatMap((folder) =>
    list(folder).flatMap((name) => {
      const id = /^rollout-.*\.jsonl$/.test(name)
        ? name.slice(-"01234567-0123-0123-0123-0123456789ab.jsonl".length, -".jsonl".length)
        : "";
      return UUID.test(id) ? [{ id, path: join(folder, name) }] : [];
    }),
  );
}

/** The folders of the days from `from` to `to`; a day more at each end, because folders are named in local time. */
function dayFolders(home: string, from: number, to: number): string[] {
  if (to - from > 60 * DAY_MS) return everyFolder(home);
  const folders: string[] = [];
  for (let time = from - DAY_MS; time <= to + DAY_MS; time += DAY_MS) {
    const [year = "", month = "", day = ""] = new Date(time).toISOString().slice(0, 10).split("-");
    folders.push(join(home, "sessions", year, month, day));
  }
  return folders;
}

function everyFolder(home: string): string[] {
  const top = join(home, "sessions");
  const days = list(top).flatMap((year) =>
    list(join(top, year)).flatMap((month) => list(join(top, year, month)).map((day) => join(top, year, month, day))),
  );
  return [...days, join(home, "archived_sessions")];
}

function configuredModel(home: string): string | undefined {
  const text = readHead(join(home, "config.toml"), META_BYTES);
  const table = text.search(/^[ \t]*\[/m);
  return /^[ \t]*model[ \t]*=[ \t]*"([^"\n]+)"/m.exec(table === -1 ? text : text.slice(0, table))?.[1];
}

const MetaLine = z.object({
  type: z.literal("session_meta"),
  timestamp: z.string().optional().catch(undefined),
  payload: z.object({
    id: z.string(),
    session_id: z.string().optional(),
    cwd: z.string(),
    source: z.unknown().optional(),
    originator: z.string().optional().catch(undefined),
  }),
});
const word = z.string().optional().catch(undefined);
const Spawned = z.object({
  subagent: z.object({
    thread_spawn: z.object({ parent_thread_id: z.string(), agent_role: word, agent_nickname: word }),
  }),
});
