import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Readable, Writable } from "node:stream";
import { type ClientConnection, client, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import { z } from "zod";
import { type AcpProgram, acpPrograms, isAcpKind } from "../../core/protocol/acp-agents.ts";
import { CliError, exitCodes } from "../parse/exit-codes.ts";
import { version } from "../parse/version.ts";
import type { PermissionOutcome } from "./permission-requests.ts";

/** A message of the agent that is longer ends the connection. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const PROTOCOL_VERSION = 1;
/** The protocol's error of an agent that needs a login first. */
const AUTH_REQUIRED = -32_000;
const KEPT_ERROR_BYTES = 4000;
/** After the end of its input an agent has this long to end by itself. */
const END_MS = 1000;

const text = z.string().max(10_000);
const Update = z.object({ sessionId: z.string(), update: z.unknown() });
const Permission = z.object({
  sessionId: z.string(),
  toolCall: z.unknown(),
  options: z.array(z.object({ optionId: text.min(1), name: text, kind: z.string().max(100).catch("") })).max(1000),
});
const Initialized = z.object({
  protocolVersion: z.number(),
  authMethods: z
    .array(z.object({ id: text, name: text }))
    .max(100)
    .nullish()
    .catch([]),
});
const Modes = z.object({ currentModeId: text, availableModes: z.array(z.object({ id: text, name: text })).max(100) });
const Created = z.looseObject({
  sessionId: z.string().max(10_000),
  modes: Modes.nullish().catch(undefined),
});
export type CreatedSession = z.infer<typeof Created>;

/** What the agent asks and tells. */
interface AgentEvents {
  readonly update: (update: unknown) => void;
  readonly permission: (
    request: Pick<z.infer<typeof Permission>, "toolCall" | "options">,
    signal: AbortSignal,
  ) => Promise<PermissionOutcome>;
  /** Chooses one of the ways to log in; resolves to undefined where the user does not want to. */
  readonly login: (names: readonly string[]) => Promise<number | undefined>;
}

/**
 * Returns the program of a kind, or the one that is given.
 *
 * @throws CliError for a program that is not installed
 */
export function findAgent(
  kind: string | undefined,
  command: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly [string, ...string[]] {
  const known: AcpProgram | undefined = kind !== undefined && isAcpKind(kind) ? acpPrograms[kind] : undefined;
  const commands = known?.commands ?? [command];
  for (const [program = "", ...args] of commands) {
    if (isInstalled(program, env.PATH ?? "")) return [program, ...args];
  }
  const shown = commands.map(([program]) => JSON.stringify(program)).join(" or ");
  throw new CliError(
    exitCodes.refused,
    known === undefined
      ? `acp: no program ${shown} is in PATH: install it, or give its full path.`
      : `acp: ${known.name} is not installed: no program ${shown} is in PATH. Install it: ${known.install}`,
  );
}

function isInstalled(program: string, path: string): boolean {
  const places = /[\\/]/.test(program)
    ? [program]
    : path.split(delimiter).map((folder) => join(folder || ".", program));
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd"] : [""];
  return places.some((place) => endings.some((ending) => isProgram(place + ending)));
}

/** Returns a stream as the web's own, which is read no faster than it is used. */
function bytesOf(from: Readable): ReadableStream<Uint8Array> {
  const pieces = from[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await pieces.return?.();
    },
  });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * A program that speaks the protocol over its standard streams. Neither files nor terminals are offered to it: it reads and
 * writes as the user's own program (docs/decisions/0036).
 */
export class AgentProcess {
  readonly #child: ChildProcess;
  readonly #connection: ClientConnection;
  readonly #events: AgentEvents;
  #errors = "";
  #session = "";

  /** Resolves when the agent, or the connection with it, has ended. */
  readonly ended: Promise<void>;

  constructor([program, ...args]: readonly [string, ...string[]], cwd: string, events: AgentEvents) {
    this.#events = events;
    const child = spawn(program, args, { cwd, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    child.stderr.on("data", (data: Buffer) => {
      this.#errors = (this.#errors + data.toString("utf8")).slice(-KEPT_ERROR_BYTES);
    });
    // The connection reports what cannot be written.
    child.stdin.on("error", () => undefined);
    const stream = ndJsonStream(Writable.toWeb(child.stdin), bytesOf(child.stdout), {
      maxMessageBytes: MAX_MESSAGE_BYTES,
    });
    this.#connection = this.#app().connect(stream);
    const exited = new Promise<void>((resolve) => {
      child.once("exit", () => resolve());
      child.once("error", (error) => {
        this.#errors += `\n${error.message}`;
        resolve();
      });
    });
    this.ended = Promise.race([exited, this.#connection.closed]);
  }

  /** What the agent has written to its error output last. */
  get errors(): string {
    return this.#errors.trim();
  }

  /** Begins a session, after a login where the agent needs one. */
  async open(cwd: string): Promise<CreatedSession> {
    const { agent } = this.#connection;
    const answer: unknown = await agent.request("initialize", {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: "patchbay", title: "Patchbay", version },
    });
    const { protocolVersion, authMethods } = Initialized.parse(answer);
    if (protocolVersion !== PROTOCOL_VERSION) {
      throw new CliError(
        exitCodes.refused,
        `acp: the agent speaks version ${protocolVersion} of the protocol, and this program version ${PROTOCOL_VERSION}.`,
      );
    }
    const begin = async () => Created.parse(await agent.request("session/new", { cwd, mcpServers: [] }));
    const created = await begin().catch(async (error: unknown) => {
      if (!(error instanceof RequestError) || error.code !== AUTH_REQUIRED) throw error;
      await this.#login(authMethods ?? []);
      return begin();
    });
    this.#session = created.sessionId;
    return created;
  }

  prompt(words: string): Promise<unknown> {
    const { agent } = this.#connection;
    return agent.request("session/prompt", { sessionId: this.#session, prompt: [{ type: "text", text: words }] });
  }

  cancel(): void {
    this.#connection.agent.notify("session/cancel", { sessionId: this.#session }).catch(() => undefined);
  }

  async setMode(modeId: string): Promise<void> {
    await this.#connection.agent.request("session/set_mode", { sessionId: this.#session, modeId });
  }

  /** Ends the agent: by the end of its input, then by signals. */
  async end(): Promise<void> {
    this.#child.stdin?.end();
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await Promise.race([this.#exited(), new Promise((resolve) => setTimeout(resolve, END_MS))]);
      if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined) return;
      this.#child.kill(signal);
    }
  }

  #exited(): Promise<void> {
    const { exitCode, signalCode, pid } = this.#child;
    if (exitCode !== null || signalCode !== null || pid === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#child.once("exit", () => resolve()));
  }

  #app() {
    return client({ name: "patchbay" })
      .onNotification("session/update", Update, ({ params }) => {
        if (params.sessionId === this.#session) this.#events.update(params.update);
      })
      .onRequest("session/request_permission", Permission, async ({ params, signal }) => {
        if (params.sessionId !== this.#session) throw RequestError.invalidParams(undefined, "another session");
        return { outcome: await this.#events.permission(params, signal) };
      });
  }

  async #login(methods: readonly { readonly id: string; readonly name: string }[]): Promise<void> {
    const place = await this.#events.login(methods.map(({ name }) => name));
    const method = place === undefined ? undefined : methods[place];
    if (method === undefined) throw new CliError(exitCodes.refused, "acp: the agent needs a login first.");
    await this.#connection.agent.request("authenticate", { methodId: method.id });
  }
}
