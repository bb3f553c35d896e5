import type { Command } from "commander";
import { z } from "zod";
import { findKey, type ResolvedKey } from "../../client/find-key.ts";
import { findRelay } from "../../client/find-relay.ts";
import type { RemoteClient } from "../../client/remote-client.ts";
import { findRemoteKey } from "../../client/remote-machine.ts";
import { checkResult } from "../../client/service-error.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { connectWithKey } from "../connect/connect.ts";
import { readTokenOption } from "../connect/token-option.ts";
import { exitCodeOf, exitCodes } from "../parse/exit-codes.ts";
import { addGlobals, type Globals } from "../parse/global-options.ts";
import { printsHelp, wordParser } from "../parse/word-parser.ts";
import { formatResult } from "../render/format-result.ts";
import { type Io, styleOf } from "../render/io.ts";

/** What is read of the answers: a remote may be of another version, or no relay at all. */
const Credential = z.looseObject({
  user: z.string(),
  shell: z.int().optional(),
  restricted: z.string().optional(),
  key: z
    .looseObject({
      name: z.string(),
      expiresAt: z.string().nullable(),
      restrictions: z.looseObject({
        readOnly: z.boolean().optional(),
        ownShells: z.boolean().optional(),
        automation: z.boolean().optional(),
        methods: z.array(z.string()).optional(),
        secrets: z.string().optional(),
      }),
    })
    .optional(),
});
const HostState = z.looseObject({ state: z.string(), pid: z.int().nullable(), silentMs: z.number() });

/** `service status`: what would be talked to, with which key, and whether that works. Exit code as a command's would be. */
export async function statusCommand(io: Io, words: readonly string[]): Promise<number> {
  const command = statusParser(io.program);
  if (printsHelp(io, command, words)) return exitCodes.ok;
  const { token: given, ...others } = command.opts<Globals>();
  const token = await readTokenOption(io, given);
  const globals = token === undefined ? others : { ...others, token };
  const { url, file, remote } = findRelay({ ...globals, env: io.env });
  const known =
    remote === undefined
      ? { relay: url, version: file?.version, pid: file?.pid, startedAt: file?.startedAt }
      : { machine: remote.name, relay: url };
  const outcome = await fetchStatus(io, globals, () =>
    remote === undefined
      ? findKey({ token, env: io.env, account: file?.keyAccount })
      : findRemoteKey(remote, { token, env: io.env }),
  );
  io.stdout.write(await formatResult({}, { ...known, ...outcome.shown }, styleOf(io, globals.json === true)));
  if (outcome.error === undefined) return exitCodes.ok;
  throw outcome.error;
}

export function statusParser(program: string): Command {
  const command = wordParser(program, "status", {
    description: "Shows which relay and key are used, as whom, and whether that works.",
    examples: ["status", "status --json"],
  });
  return addGlobals(command, { except: ["session", "client", "timeout"] });
}

async function fetchStatus(
  io: Io,
  globals: Globals,
  keyOf: () => Promise<ResolvedKey>,
): Promise<{ shown: Record<string, unknown>; error?: unknown }> {
  let shown: Record<string, unknown> = { key: "none" };
  try {
    shown = { key: `from ${(await keyOf()).from}` };
    const client = await connectWithKey(io, globals);
    shown = {
      ...shown,
      ...describeCredential(checkResult(Credential, await client.askOperation("whoAmI", {}), client.url)),
    };
    const shellHost = describeShellHost(await fetchShellHost(client));
    return { shown: { ...shown, ...shellHost, sessions: await client.askOperation("listSessions", {}) } };
  } catch (error) {
    if (exitCodeOf(error) === undefined) throw error;
    return { shown, error };
  }
}

/** Undefined for a key that may not ask, and for a relay that does not know the question. */
async function fetchShellHost(client: RemoteClient): Promise<z.infer<typeof HostState> | undefined> {
  try {
    return checkResult(HostState, await client.askOperation("getShellHost", {}), client.url);
  } catch (error) {
    if (error instanceof RemoteError && ["scope_forbids", "unknown_route"].includes(error.code)) return undefined;
    throw error;
  }
}

function describeShellHost(host: z.infer<typeof HostState> | undefined): Record<string, unknown> {
  if (host === undefined) return {};
  const { state, pid, silentMs } = host;
  if (state !== "hung") return { shellHost: pid === null ? state : `${state}, process ${pid}` };
  return {
    shellHost: `hung, process ${pid}: no answer for ${Math.round(silentMs / 1000)} s; see \`shell-host --help\``,
  };
}

function describeCredential({ user, key, shell, restricted }: z.infer<typeof Credential>): Record<string, unknown> {
  if (shell !== undefined && restricted !== undefined) {
    return { user, scope: `shell ${shell} and what it makes. ${restricted}` };
  }
  if (key === undefined) return { user, scope: shell === undefined ? "everything" : `as the person of shell ${shell}` };
  const { readOnly, ownShells, methods, automation, secrets } = key.restrictions;
  const words = [
    readOnly && "read-only",
    ownShells && "own shells",
    methods && `methods ${methods.join(" ")}`,
    secrets && "secrets hidden",
  ];
  const rights = words.filter((word) => word !== undefined).join(", ") || "everything";
  const scope = automation ? `${rights}; its input is guarded` : rights;
  const until = key.expiresAt === null ? {} : { goodUntil: key.expiresAt };
  return { user, keyName: key.name, scope, ...until };
}
