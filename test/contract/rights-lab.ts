import { Agent, request as httpRequest } from "node:http";
import type { Duplex } from "node:stream";
import type { AskableName } from "../../core/commands/asked.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { KeyRestrictions } from "../../core/protocol/key-restrictions.ts";
import type { ClientLink } from "../../core/protocol/link.ts";
import type { Role } from "../../core/protocol/records.ts";
import { digestOf } from "../../main/relay/access/digest.ts";
import { userCaller } from "../../main/relay/access/permits/caller.ts";
import type { PassedRequest } from "../../main/relay/http/passed-calls.ts";
import type { Identity } from "../../main/relay/session/identity.ts";
import type { AgentInShell } from "../../main/relay/session/ports.ts";
import { connectMcp, refusalCode } from "../support/mcp-client.ts";
import { type PuppetClient, puppet } from "../support/puppet-client.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { paperShells } from "../unit/main/relay/small-session.ts";

/** A request over HTTP, as a principal of the table makes it. */
export interface Ask {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The scope that a bearer token needs, for what takes no API key. */
  readonly bearer?: string | undefined;
}

/** Those who call over HTTP, the least trusted first: who comes later must not find what who comes earlier has changed. */
export const callers = [
  ["nobody", "without a credential"],
  ["stranger", "a key of another user"],
  ["readonly", "a read-only key"],
  ["pattern", "a key for the methods get*"],
  ["restr.sh", "the token of a restricted shell, for what is others'"],
  ["r.sh.own", "the same, for its own shell, tiles and workspace"],
  ["agent.sh", "the token of a shell in which an agent runs that was not allowed"],
  ["agent.ok", "the token of a shell in which an allowed agent runs"],
  ["guest.sh", "the token of a guest's shell"],
  ["shell", "the token of the owner's shell"],
  ["ownshell", "a key that may change only its own shells"],
  ["automat.", "a key for automation"],
  ["fleet", "the owner's key, passed on by a relay of the fleet"],
  ["fleet.sh", "the token of the owner's shell, passed on by a relay of the fleet"],
  ["owner", "the owner's key"],
] as const;
export type CallerName = (typeof callers)[number][0];

/** The clients that execute what the owner's key aims at them, and that ask on their own account. */
export const clientNames = ["reader", "writer", "guest", "admin"] as const;
/** Those that ask on a client's account besides. */
export const askers = [...clientNames, "plugin", "automat."] as const;

/** Shells of the lab; the session has 1 and 2 in the tiles of the workspace that everybody sees. */
const shells = { restricted: 3, agent: 4, allowed: 5, owner: 6, guest: 7 } as const;
/** What the restricted shell owns. */
export const own = { shell: shells.restricted, tiles: [4, 5], workspace: 2 } as const;

export interface RightsLab extends AsyncDisposable {
  readonly relay: TestRelay;
  readonly clients: Readonly<Record<(typeof clientNames)[number], number>>;
  /** Returns the code of the answer; "ok" for a result. */
  call(caller: CallerName, ask: Ask): Promise<string>;
  /** Returns the code of the answer to a tool's call by MCP; "ok" for a result. */
  callTool(caller: CallerName, name: string, args: Readonly<Record<string, unknown>>): Promise<string>;
  ask(asker: (typeof askers)[number], op: AskableName, params: object): Promise<string>;
  panel(name: string, params: object): Promise<string>;
  /** Text that differs once a call has changed what other rows of the table rest on. */
  state(): string;
  /** Gives the owner's client the tiles that it had at first. */
  resetLayout(): void;
}

/** A real relay with shells that are records only, and everybody who may call it. */
export async function openRightsLab(): Promise<RightsLab> {
  const agents = new Map<number, readonly AgentInShell[]>();
  const relay = await startTestRelay({
    shellHostFor: () => paperShells().host,
    findAgents: async (_session, { id }) => agents.get(id) ?? [],
    commandTimeoutMs: 5000,
  });
  const session = relay.relay.sessions.get(relay.session);
  const admin = await relay.join();
  await relay.command("createShell");
  await relay.command("splitShell", { direction: "horizontal" });
  await relay.command("openTile", { type: "browser", tile: 2, place: "tab", focus: false });
  await relay.command("createWorkspace", { name: "spare", focus: false });
  await relay.command("createWorkspace", { name: "own" });
  await relay.command("createShell");
  await relay.command("openTile", { type: "shell", shell: shells.restricted });
  await relay.command("switchWorkspace", { index: 0 });
  for (const _ of [shells.agent, shells.allowed, shells.owner]) await relay.command("createShell", { tile: false });
  const { guest } = relay.relay.guests.admit({
    session: relay.session,
    name: "bob",
    role: "writer",
    device: "",
    invite: null,
  });
  const member = async (identity: Identity, by?: "plugin") => {
    const client = await puppet(answering(relay.relay.attachLocal(relay.session, identity)));
    return { client, by, role: identity.role };
  };
  const user = relay.relay.user;
  const members = {
    reader: await member({ name: user, role: "reader" }),
    writer: await member({ name: user, role: "writer" }),
    guest: await member({ name: "bob", role: "writer", guest: guest.id, from: "127.0.0.1" }),
    admin: await member({ name: user, role: "admin" }),
    plugin: await member({ name: user, role: "admin" }, "plugin"),
    "automat.": await member({
      name: user,
      role: "admin",
      principal: { user, scheme: "api", scopes: [], key: "k", restrictions: { automation: true } },
    }),
  };
  const made = await askAs(members.guest.client, "createShell", {});
  if (made !== "ok") throw new Error(`the guest's shell: ${made}`);
  session.shells.setRestricted(shells.restricted as ShellId, true);
  const token = (shell: number, role: Role = "admin", isGuest = false) =>
    relay.relay.keys.createShellToken(user, relay.session, shell as ShellId, {
      role,
      guest: isGuest,
      guestId: isGuest ? guest.id : undefined,
    }).token;
  agents.set(shells.agent, [{ run: "1/1", agentType: "claude", folder: "/project" }]);
  agents.set(shells.allowed, [{ run: "2/2", agentType: "codex", folder: "/other" }]);
  const key = (name: string, restrictions: KeyRestrictions, owner = user) =>
    relay.relay.keys.create({ owner, name, restrictions }).secret;
  const secrets: Readonly<Record<CallerName, string>> = {
    nobody: "pb_none",
    stranger: key("stranger", {}, "another"),
    readonly: key("readonly", { readOnly: true }),
    pattern: key("pattern", { methods: ["get*"] }),
    "restr.sh": token(shells.restricted),
    "r.sh.own": token(shells.restricted),
    "agent.sh": token(shells.agent),
    "agent.ok": token(shells.allowed),
    "guest.sh": token(shells.guest, "writer", true),
    shell: token(shells.owner),
    ownshell: key("ownshell", { ownShells: true }),
    "automat.": key("automation", { automation: true }),
    fleet: relay.key,
    "fleet.sh": token(shells.owner),
    owner: relay.key,
  };
  // A user allows the second agent; both ask by calling what they may not.
  const permit = await session.rights.permitOf({ user, scheme: "api", scopes: [], shell: shells.allowed as ShellId });
  permit?.advice("createWorkspace");
  await relay.command("answerAgent", { request: 1, answer: "once" }, admin.id);
  // The workspace that commands mean by default is the restricted shell's own.
  await relay.command("switchWorkspace", { index: own.workspace }, admin.id);
  const layout = admin.client.state.now;
  const network = new Agent({ keepAlive: true });
  const programs = new Map<CallerName, ReturnType<typeof connectMcp>>();
  const fleet = new MemoryAgent(() => relay.relay.open({ name: "laptop" }));
  return {
    relay,
    clients: {
      reader: members.reader.client.welcome.client,
      writer: members.writer.client.welcome.client,
      guest: members.guest.client.welcome.client,
      admin: admin.id,
    },
    async call(caller, ask) {
      const isFleet = caller.startsWith("fleet");
      const headers = credential(relay, secrets[caller], caller, ask.bearer);
      const passed = isFleet ? relay.relay.callPassed(passedRequest(ask, headers), NEVER) : undefined;
      // What is no call goes to the relay's HTTP, as over the fleet.
      if (passed === undefined) return codeOf(isFleet ? fleet : network, { ...ask, url: relay.url, headers });
      return String((await passed).headers["X-Service-Error"] ?? "ok");
    },
    async callTool(caller, name, args) {
      const mcp = programs.get(caller) ?? connectMcp(relay, { tools: "all", token: secrets[caller] });
      programs.set(caller, mcp);
      const answer = await (await mcp).call(name, args);
      return answer.isError === true ? refusalCode(answer) : "ok";
    },
    ask: (asker, op, params) => askAs(members[asker].client, op, params, members[asker].by),
    panel: (name, params) =>
      relay.relay.calls.run(userCaller(user, "panel"), name as "whoAmI", params).then(
        () => "ok",
        (error: { code?: string }) => error.code ?? "internal",
      ),
    state() {
      const { clients, shells: known, restrictions } = session.state.now;
      return JSON.stringify([
        known
          .filter(({ id }) => id <= shells.guest)
          .map(({ id, running, ownerClientId, restricted, makers }) => [
            id,
            running,
            ownerClientId,
            restricted,
            makers,
          ]),
        clients.map(({ id, role }) => [id, role]),
        restrictions,
      ]);
    },
    resetLayout: () => void admin.client.state.update(() => layout),
    async [Symbol.asyncDispose]() {
      network.destroy();
      for (const mcp of programs.values()) await (await mcp)[Symbol.asyncDispose]();
      await admin[Symbol.asyncDispose]();
      for (const { client } of Object.values(members)) client.link.close("the test is over");
      await relay[Symbol.asyncDispose]();
    },
  };
}

/** Returns a link at which every command is answered at once, with what is no result of any: it was asked, which counts here. */
function answering(link: ClientLink): ClientLink {
  return {
    ...link,
    send: (frame) => link.send(frame),
    onFrame: (receive) =>
      link.onFrame((frame) => {
        if (frame.type === "execute") {
          link.send({ type: "failed", id: frame.id, error: { code: "client_failed", message: "It was asked." } });
        } else receive(frame);
      }),
  };
}

async function askAs(client: PuppetClient, op: AskableName, params: object, by?: "plugin"): Promise<string> {
  const { error } = { error: undefined, ...(await client.ask(op, params, by)) };
  return error === undefined ? "ok" : error.code;
}

function credential({ relay }: TestRelay, secret: string, caller: CallerName, bearer: string | undefined) {
  const sent = (given: string) => (caller.startsWith("fleet") ? digestOf(given) : given);
  if (bearer === undefined) return { "X-Service-Token": sent(secret) };
  const owner = caller === "stranger" ? "another" : relay.user;
  const token = relay.keys.create({ owner, name: "token", scheme: "bearer", scopes: [bearer] }).secret;
  const isKey = ["owner", "fleet", "stranger"].includes(caller);
  return { "X-Service-Token": sent(secret), Authorization: `Bearer ${sent(isKey ? token : secret)}` };
}

const NEVER = new AbortController().signal;

function passedRequest({ method, path, body }: Ask, headers: Record<string, string>): PassedRequest {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...{ peer: { name: "laptop" }, method, path, body: Buffer.from(JSON.stringify(body) ?? "") },
    headers: { ...Object.fromEntries(given), "content-type": "application/json" },
  };
}

/** Carries requests in memory, as those of a relay of the fleet are carried. */
class MemoryAgent extends Agent {
  readonly #open: () => Duplex;

  constructor(open: () => Duplex) {
    super({ keepAlive: false });
    this.#open = open;
  }

  override createConnection(): Duplex {
    const ignore = () => undefined;
    return Object.assign(this.#open(), { setKeepAlive: ignore, setTimeout: ignore, ref: ignore, unref: ignore });
  }
}

/** Resolves to the code of a refusal, or to "ok". */
function codeOf(
  agent: Agent,
  { url, method, path, headers, body }: Ask & { readonly url: string; readonly headers: Record<string, string> },
): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const length = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text ?? "") };
  return new Promise((resolve, reject) => {
    const request = httpRequest(url + path, {
      ...{ agent, method },
      headers: { ...headers, ...(text === undefined ? {} : length) },
    });
    request.on("error", reject);
    request.on("response", (response) => {
      const code = response.headers["x-service-error"];
      response.resume().once("end", () => resolve(typeof code === "string" ? code : "ok"));
    });
    request.end(text);
  });
}
