import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MethodName } from "../../core/commands/specs.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { AgentInShell } from "../../main/relay/session/ports.ts";
import { manifestWith, startTestSite } from "../integration/main/relay/plugins/test-site.ts";
import { enterAsGuest } from "../support/guest.ts";
import type { ScriptedClient } from "../support/scripted-client.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import { paperShells } from "../unit/main/relay/small-session.ts";

export interface PreparedSession extends AsyncDisposable {
  readonly relay: TestRelay;
  readonly client: ScriptedClient;
  /** The agents that are found in shell 1. */
  readonly agents: AgentInShell[];
  /** All that a command could have changed, as text to compare. */
  snapshot(): string;
}

/** Commands whose answer is what a program does. */
const ofPrograms = new Set<MethodName>(["runCommand", "waitFor"]);

/**
 * A session with a plugin `example`, one client, two shells side by side (tiles 1 and 2) a tab (tile 3) behind tile 2, and an
 * empty workspace. `onPaper`: its shells are records only, which start in a tenth of the time.
 */
export async function prepareSession({ onPaper = false } = {}): Promise<PreparedSession> {
  const agents: AgentInShell[] = [];
  const relay = await startTestRelay({
    findAgents: async (_session, { id }) => (id === 1 ? agents : []),
    ...(onPaper ? { shellHostFor: () => paperShells().host } : {}),
  });
  await installExample(relay);
  const client = await relay.join();
  await relay.command("createShell");
  await relay.command("splitShell", { direction: "horizontal" });
  await relay.command("openTile", { type: "browser", tile: 2, place: "tab", focus: false });
  await relay.command("createWorkspace", { name: "spare", focus: false });
  return {
    relay,
    client,
    agents,
    snapshot() {
      const { clients, chat, shells, adoptRequests } = relay.relay.sessions.get(relay.session).state.now;
      // Titles and folders change by themselves while a shell starts.
      const known = shells.map(({ id, ownerClientId, running }) => [id, ownerClientId, running]);
      const { toasts, notifications } = client;
      return JSON.stringify({
        known,
        clients,
        chat,
        adoptRequests,
        toasts,
        notifications,
        state: client.client.state.now,
      });
    },
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await relay[Symbol.asyncDispose]();
    },
  };
}

/** A session in which a command is called by one more way: `every-command.test.ts` calls those of shells with real ones. */
export function prepareSessionFor(method: MethodName): Promise<PreparedSession> {
  return prepareSession({ onPaper: !ofPrograms.has(method) });
}

async function installExample({ relay, session }: TestRelay): Promise<void> {
  await using site = await startTestSite();
  site.on("/manifest.json", manifestWith({ id: "example" }));
  site.on("/index.html", "<h1>Example</h1>");
  await relay.plugins.install(session, { id: "example", manifestUrl: `${site.url}/manifest.json` });
}

/** Opens the request that a command answers or the window that it closes, or gives the client the role in which it may ask. */
export async function prepareFor(method: string | undefined, session: PreparedSession): Promise<void> {
  const { relay, client } = session;
  if (method === "answerAdopt") await requestAdoption(session);
  else if (method === "answerAgent") await requestControl(session);
  else if (method === "answerRoleRequest") await requestTyping(session);
  else if (method === "moveBack") await relay.command("breakTile", { tile: 3, window: true });
  else if (method === "askToType") relay.relay.sessions.get(relay.session).clients.changeRole(client.id, "reader");
}

/** Has a guest who can only watch ask to type: request 1 is open. */
async function requestTyping({ relay }: PreparedSession): Promise<void> {
  const guest = await enterAsGuest(relay, { role: "reader" });
  const tab = await guest.tab();
  tab.say({ type: "ask", id: 1, op: "askToType", params: {} });
  await tab.next("answer");
}

/** Has a writer ask for shell 1, and leave: request 1 is open. */
async function requestAdoption({ relay }: PreparedSession): Promise<void> {
  const asker = await relay.join({ role: "writer", name: "asker" });
  await relay.command("adoptShell", { id: 1 }, asker.id);
  await asker.leave();
}

/** Has an agent in shell 1 call what it may not: its request 1 is open. */
async function requestControl({ relay, agents }: PreparedSession): Promise<void> {
  agents.push({ run: "1/1", agentType: "claude", folder: "/project" });
  const { rights } = relay.relay.sessions.get(relay.session);
  const permit = await rights.permitOf({ user: relay.relay.user, scheme: "api", scopes: [], shell: 1 as ShellId });
  permit?.advice("createWorkspace");
}

/** The token that the programs in a shell have. */
export async function tokenOfShell({ relay }: PreparedSession, id: number): Promise<string> {
  const file = join(relay.folder, `token-${id}`);
  await relay.command("writeToShell", {
    id,
    data: `printf %s "$SERVICE_TOKEN" > '${file}.new' && mv '${file}.new' '${file}'\\n`,
  });
  await until("the token", () => existsSync(file));
  return readFileSync(file, "utf8");
}
