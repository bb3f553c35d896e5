import { basename, join } from "node:path";
import { z } from "zod";
import type { AgentAdapter, JoinRequest, TranscriptFiles } from "../adapter.ts";
import { CodexParser } from "./codex-records.ts";
import { argument, factsOf, list, readHead, recogniseProgram, UUID } from "./look.ts";

/**
 * Codex. Its thread id is a UUIDv7, so it tells when the thread was born. The process keeps its rollout or its lock
 * open, except where a shared daemon does that for it: then the first thread born after it in its folder is its own.
 */
export function codexAdapter(): AgentAdapter {
  const metas = new Map<string, Meta>();
  const paths = new Map<string, string>();

  return {
    kind: "codex",
    provider: "openai",
    recognise(process) {
      if (process.tty === "" || (process.comm !== "codex" && !OWN_PROGRAM.test(basename(process.exe()))))
        return undefined;
      return NOT_AN_AGENT.has(process.argv()[1] ?? "") ? undefined : recogniseProgram(process, "codex", OWN_PATH);
    },
    home: (env) => env("CODEX_HOME") || inHome(env("HOME") ?? env("USERPROFILE")),
    join(request) {
      const home = this.home((name) => request.process.env(name));
      if (home === undefined) return undefined;
      const id =
        openThread(request, home) ?? namedThread(request, home) ?? bornThread(request, home) ?? keptThread(request);
      return id === undefined ? undefined : { sessionId: id, home, cwd: request.cwd };
    },
    startModel(process) {
      const home = this.home((name) => process.env(name));
      return argument(process.argv(), "--model", "-m") ?? (home === undefined ? undefined : configuredModel(home));
    },
    files(home, session): TranscriptFiles {
      const main = rolloutOf(home, session);
      if (main === undefined) return { main, subagents: [] };
      const later = rollouts(dayFolders(home, bornAt(session), Date.now())).filter(({ id }) => id > session);
      const children = later.filter(({ path }) => metaOf(path)?.parent === session);
      return { main, subagents: children.map(({ path }) => path) };
    },
    relatives: () => [],
    sessions(home) {
      const all = rollouts(everyFolder(home)).filter(({ path }) => metaOf(path)?.parent === undefined);
      return all.map(({ id }) => id).sort();
    },
    parser: (session, purpose) => new CodexParser(session, purpose),
    titleStatus(title) {
      if (/^\[ [!.] \] Action Required/.test(title)) return "waiting";
      return /^[⠀-⣿] /u.test(title) ? "working" : undefined;
    },
  };

  /** By its open files. Of several threads the main one has a rollout that a person started; without any, the first. */
  function openThread({ process }: JoinRequest, home: string): string | undefined {
    const ids = new Set<string>();
    for (const path of process.openFiles()) {
      if (!/rollout-[^/]*\.jsonl$|thread-writer-locks\/[^/]*\.lock$/.test(path)) continue;
      const id = UUID.exec(basename(path).replace(/^rollout-.{20}/, ""))?.[0];
      if (id !== undefined) ids.add(id);
    }
    const started = [...ids].filter((id) => metaOf(rolloutOf(home, id))?.started === true).sort();
    return started.at(-1) ?? [...ids].sort()[0];
  }

  /** `codex resume <id>` or `codex exec resume <id>`; `--last` is the folder's thread that grew since. */
  function namedThread({ process, launchedAt, cwd, taken }: JoinRequest, home: string): string | undefined {
    const argv = process.argv();
    const at = argv.indexOf("resume");
    if (at < 1) return undefined;
    const id = argv.slice(at + 1).find((word) => UUID.test(word));
    if (id !== undefined) return UUID.exec(id)?.[0];
    const grown = rollouts(everyFolder(home)).flatMap((rollout) => {
      const changedAt = factsOf(rollout.path)?.changedAt ?? 0;
      return changedAt >= launchedAt && !taken(rollout.id) ? [{ ...rollout, changedAt }] : [];
    });
    const here = grown.filter(({ path }) => metaOf(path)?.cwd === cwd && metaOf(path)?.started === true);
    return here.sort((one, other) => other.changedAt - one.changedAt)[0]?.id;
  }

  function bornThread({ launchedAt, cwd, known, alone, taken }: JoinRequest, home: string): string | undefined {
    const written = rollouts(dayFolders(home, launchedAt, Date.now()))
      .filter(({ id, path }) => bornAt(id) >= launchedAt - SLACK_MS && !taken(id) && metaOf(path)?.cwd === cwd)
      .filter(({ path }) => metaOf(path)?.started === true)
      .map(({ id }) => id)
      .sort();
    // A later thread of the same folder is what `/new` has made, if nobody else can have made it.
    if (known !== undefined && alone && (written.at(-1) ?? "") > known.sessionId) return written.at(-1);
    if (known !== undefined) return undefined;
    const locked = list(join(home, "thread-writer-locks")).map((name) => UUID.exec(name)?.[0] ?? "");
    const unwritten = locked.filter(
      (id) => id !== "" && bornAt(id) >= launchedAt - SLACK_MS && !taken(id) && rolloutOf(home, id) === undefined,
    );
    return [...written, ...unwritten].sort()[0];
  }

  /** What was found before stays, unless its transcript turns out to be another folder's. */
  function keptThread({ known, cwd }: JoinRequest): string | undefined {
    const meta = known === undefined ? undefined : metaOf(paths.get(known.sessionId));
    return meta !== undefined && meta.cwd !== cwd ? undefined : known?.sessionId;
  }

  function rolloutOf(home: string, id: string): string | undefined {
    const known = paths.get(id);
    if (known !== undefined && factsOf(known) !== undefined) return known;
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
  /** Started by a person, not by another thread. */
  readonly started: boolean;
  readonly parent: string | undefined;
}

/** The first line holds the whole system prompt. */
const META_BYTES = 256 * 1024;
const SLACK_MS = 300;
const DAY_MS = 24 * 3600 * 1000;

function parseMeta(head: string): Meta | undefined {
  const end = head.indexOf("\n");
  if (end === -1) return undefined;
  try {
    const payload = MetaLine.safeParse(JSON.parse(head.slice(0, end))).data?.payload;
    if (payload === undefined) return undefined;
    const spawned = Spawned.safeParse(payload.source).data?.subagent.thread_spawn.parent_thread_id;
    const root = payload.session_id !== undefined && payload.session_id !== payload.id ? payload.session_id : undefined;
    return { cwd: payload.cwd, started: typeof payload.source === "string", parent: spawned ?? root };
  } catch {
    return undefined;
  }
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
  const table = text.search(/^\s*\[/m);
  return /^\s*model\s*=\s*"([^"]+)"/m.exec(table === -1 ? text : text.slice(0, table))?.[1];
}

const MetaLine = z.object({
  type: z.literal("session_meta"),
  payload: z.object({
    id: z.string(),
    session_id: z.string().optional(),
    cwd: z.string(),
    source: z.unknown().optional(),
  }),
});
const Spawned = z.object({ subagent: z.object({ thread_spawn: z.object({ parent_thread_id: z.string() }) }) });
