import { once } from "node:events";
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type AddressInfo, createConnection, createServer } from "node:net";
import { join } from "node:path";
import { spawn as spawnPty } from "@lydell/node-pty";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import type { RemoteError } from "../../core/protocol/errors.ts";
import type { ShellId } from "../../core/protocol/ids.ts";
import type { KeyRestrictions } from "../../core/protocol/key-restrictions.ts";
import { limits } from "../../core/protocol/limits.ts";
import { digestOf } from "../../main/relay/access/digest.ts";
import { builtProgram } from "../integration/cli/built-program.ts";
import { otherAddresses } from "../support/other-address.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";

let relay: TestRelay;

beforeEach(async () => {
  relay = await startTestRelay();
});

afterEach(async () => {
  await relay[Symbol.asyncDispose]();
});

describe("another machine", () => {
  test("finds no open port: the relay listens on loopback only", async () => {
    // 127.0.0.2 is this machine too, without any set-up on Linux; a port open to every address answers there.
    for (const host of ["127.0.0.2", ...otherAddresses()]) expect([host, await connects(host)]).toEqual([host, false]);
    expect(await connects("127.0.0.1")).toBe(true);
  });
});

describe("another program", () => {
  test("that guesses keys is slowed down, and a good key is let in all the same", async () => {
    const guess = () => relay.request("GET", "/v1/sessions", { headers: { "X-Service-Token": "pb_guessed" } });
    const answers = [];
    for (let tried = 0; tried < 11; tried += 1) answers.push((await guess()).status);
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
    expect((await relay.request("GET", "/v1/sessions")).status).toBe(200);
  });

  test("with a link of the owner that was used, guessed, or is for another session gets nothing", async () => {
    const newLink = async () => (await relay.command<{ url: string }>("createOwnerLink")).url.split("#owner=")[1] ?? "";
    const enter = async (link: string, session: string = relay.session) => {
      const headers = { "X-Service-Token": "", Origin: relay.url };
      return relay.request("POST", `/s/${session}/owner`, { headers, body: { link } });
    };
    const link = await newLink();
    // Both at once: one of them is the owner.
    const answers = await Promise.all([enter(link), enter(link), enter(link)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403, 403]);
    for (const { status, text } of answers) expect(status === 200 || !text.includes("pb_")).toBe(true);
    const other = JSON.parse((await relay.request("POST", "/v1/sessions", { body: { name: "other" } })).text).result;
    expect((await enter(await newLink(), other.id)).status).toBe(403);
    // The secret is no credential of any other entry.
    const unused = await newLink();
    expect((await relay.request("GET", "/v1/sessions", { headers: { "X-Service-Token": unused } })).status).toBe(401);
    const invited = { headers: { "X-Service-Token": "" }, body: { invite: unused, name: "eve" } };
    expect((await relay.request("POST", `/s/${relay.session}/enter`, invited)).status).toBe(403);
    const stored = readdirSync(relay.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    for (const secret of [link, unused]) {
      for (const text of [secret, digestOf(secret)]) expect(stored.some((bytes) => bytes.includes(text))).toBe(false);
    }
  });

  test("that stole the data folder can open nothing with it", async () => {
    const stored = readdirSync(relay.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    expect(stored.some((bytes) => bytes.includes(digestOf(relay.key)))).toBe(true);
    expect(stored.some((bytes) => bytes.includes(relay.key))).toBe(false);
    const digest = { "X-Service-Token": digestOf(relay.key) };
    expect((await relay.request("GET", "/v1/sessions", { headers: digest })).status).toBe(401);
  });

  test("that asks for a login gets in only when its code is allowed", async () => {
    const form = (fields: Record<string, string>) => ({
      headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Service-Token": "" },
      body: String(new URLSearchParams(fields)),
    });
    const begin = async () => {
      const asked = await relay.request("POST", "/v1/oauth/device_authorization", form({ client_id: "evil" }));
      return JSON.parse(asked.text) as { device_code: string; user_code: string };
    };
    const grant = "urn:ietf:params:oauth:grant-type:device_code";
    const poll = ({ device_code }: { device_code: string }) =>
      relay.request("POST", "/v1/oauth/token", form({ grant_type: grant, client_id: "evil", device_code }));
    const unanswered = await begin();
    expect(JSON.parse((await poll(unanswered)).text)).toMatchObject({ error: "authorization_pending" });
    const denied = await begin();
    relay.relay.logins.deny(denied.user_code);
    expect(JSON.parse((await poll(denied)).text)).toMatchObject({ error: "access_denied" });
    const allowed = await begin();
    relay.relay.logins.allow(allowed.user_code);
    const { access_token: key = "" } = JSON.parse((await poll(allowed)).text) as { access_token?: string };
    expect((await relay.request("GET", "/v1/sessions", { headers: { "X-Service-Token": key } })).status).toBe(200);
  });
});

describe("a program", () => {
  test("with a narrow key gets no further than its scope", async () => {
    await using _client = await relay.join({ place: "desktop" });
    const foreign = await relay.command<{ shellId: number; key: number }>("createShell");
    const focused = await relay.command<{ shellId: number; key: number }>("splitShell");
    const { keys, user } = relay.relay;
    const layout: Attempt[] = [
      ["renameTile", { key: foreign.key, name: "x" }],
      ["setRatio", { tile: foreign.key, ratio: 0.3 }],
      ["swapTiles", { keyA: foreign.key, keyB: focused.key }],
      ["maximize", { tile: foreign.key }],
      ["resetLayout", {}],
    ];
    const shells: Attempt[] = [
      ["writeToShell", { id: foreign.shellId, data: "x" }],
      ["sendKeys", { id: foreign.shellId, keys: ["Enter"] }],
      ["runCommand", { command: "true", tile: foreign.key }],
      // Without a tile, the focused one, which is as foreign.
      ["runCommand", { command: "true" }],
      ["renameTile", { name: "x" }],
      ["closeTile", { tile: foreign.key }],
      ["closeShell", { id: foreign.shellId }],
    ];
    const scopes: [KeyRestrictions, Attempt[]][] = [
      [{ readOnly: true }, [...layout, ["createWorkspace", {}], ["sendChat", { message: "x" }], ...shells]],
      [{ methods: ["getShells"] }, [...layout, ["sendChat", { message: "x" }], ...shells]],
      [{ ownShells: true }, [...layout, ...shells]],
      [{ methods: ["*"] }, []],
    ];
    for (const [restrictions, attempts] of scopes) {
      const headers = { "X-Service-Token": keys.create({ owner: user, name: "narrow", restrictions }).secret };
      expect((await relay.get("shells", headers)).status).toBe(200);
      const before = await stateOfSession();
      for (const [method, params] of attempts) {
        const { status, headers: answered } = await relay.post({ method, params }, headers);
        const refused = [status, answered.get("x-service-error")];
        expect([restrictions, method, params, ...refused]).toEqual([
          restrictions,
          method,
          params,
          403,
          "scope_forbids",
        ]);
      }
      expect(await stateOfSession()).toEqual(before);
      expect([restrictions, await waysAround(headers)]).toEqual([restrictions, EVERY_WAY_REFUSED]);
    }
    // What was refused would have worked: the owner's own key does it.
    for (const [method, params] of [...layout, ...shells]) {
      expect([method, params, (await relay.post({ method, params })).status]).toEqual([method, params, 200]);
    }
    expect(await waysAround({ "X-Service-Token": relay.key })).not.toContain(403);
  });

  test("keeps nothing open when its key or shell ends", async () => {
    await using _desktop = await relay.join();
    const { shellId } = await relay.command<{ shellId: number }>("createShell");
    const printed = await relay.command<{ output: string }>("runCommand", {
      command: "echo $SERVICE_TOKEN",
      wait: true,
    });
    const { shellId: other } = await relay.command<{ shellId: number }>("createShell");
    const { secret } = relay.relay.keys.create({ owner: relay.relay.user, name: "stolen" });
    const endings: [string, () => unknown][] = [
      [secret, () => relay.relay.keys.revoke("stolen")],
      [printed.output.trim(), () => relay.command("closeShell", { id: shellId })],
    ];
    for (const [credential, end] of endings) {
      const headers = { "X-Service-Token": credential };
      const paths = ["events", `shells/${other}/output`].map(
        (path) => `${relay.url}/v1/sessions/${relay.session}/${path}`,
      );
      const streams = await Promise.all(paths.map((path) => fetch(path, { headers })));
      const wait = relay.post({ method: "waitFor", params: { id: other, text: "never", timeout: 600 } }, headers);
      await until("the wait to begin", () => {
        const caller = relay.relay.keys.verify(credential, "api");
        return caller !== undefined && (relay.relay.keys.lifetimeOf(caller)?.holders ?? 0) >= 3;
      });
      await end();
      await relay.command("sendChat", { message: "a secret of later" });
      const heard = await Promise.all(streams.map((stream) => stream.text()));
      for (const text of heard) expect(text).toMatch(/event: closed\n.*"unauthenticated"/);
      expect(heard.join("")).not.toContain("a secret of later");
      expect((await wait).status).toBe(401);
    }
  });
});

describe("a program in a shell", () => {
  test("changes nothing beyond its own shell where that is restricted, and its token dies with the shell", async () => {
    await using client = await relay.join();
    const { own, other, token } = await shellWithToken();
    const write = (id: number) => relay.post({ method: "writeToShell", params: { id, data: ":\\n" } }, token);
    await relay.command("restrictShells", { state: "on" });
    expect((await write(own.shellId)).status).toBe(200);
    expect((await write(other.shellId)).status).toBe(403);
    for (const path of ["/v1/sessions", "/v1/keys", `/v1/sessions/${relay.session}/invites`]) {
      expect((await relay.request("POST", path, { headers: token, body: { name: "x" } })).status, path).toBe(403);
    }
    for (const params of [{ state: "off" }, { state: "off", shell: own.shellId }]) {
      expect((await relay.post({ method: "restrictShells", params }, token)).status).toBe(403);
    }
    await relay.command("writeToShell", { id: own.shellId, data: "exit\\n" });
    await client.event("shell.exited");
    expect((await write(own.shellId)).status).toBe(401);
  });

  test("that is an agent changes nothing beyond it until the user allows it, and cannot allow itself", async () => {
    await using client = await relay.join();
    const { own, other, token } = await shellWithToken();
    const say = async (method: string, params: object) => {
      const answer = await relay.post({ method, params }, token);
      return answer.headers.get("x-service-error") ?? answer.status;
    };
    expect(await say("createWorkspace", {})).toBe(200);
    await startAgent(own.shellId);
    const attempts: [string, object][] = [
      ["createWorkspace", {}],
      ["writeToShell", { id: other.shellId, data: "x" }],
      ["runCommand", { command: "x", tile: other.key }],
      ["splitShell", { direction: "vertical", tile: other.key }],
      ["setup", { grid: "1x1", force: true }],
      ["answerAgent", { request: 1, answer: "always" }],
      ["forgetAgent", { agentType: "claude", folder: "/" }],
      ["restrictShells", { state: "off" }],
      ["restrictShells", { state: "off", shell: own.shellId }],
      ["allowPlugin", { plugin: "x", methods: ["createShell"] }],
      ["answerAdopt", { request: 1 }],
    ];
    for (const [method, params] of attempts)
      expect([method, await say(method, params)]).toEqual([method, "scope_forbids"]);
    for (const path of ["/v1/sessions", "/v1/keys", `/v1/sessions/${relay.session}/invites`]) {
      expect((await relay.request("POST", path, { headers: token, body: { name: "x" } })).status, path).toBe(403);
    }
    // A shell that it makes is no freer than its own.
    const made = await shellWithToken(token);
    await relay.command("writeToShell", { id: own.shellId, data: "\x03" });
    await until("the agent to end", () => client.client.mirror?.restrictions.requests.length === 0);
    const child = await relay.post({ method: "createWorkspace", params: {} }, made.token);
    expect(child.headers.get("x-service-error")).toBe("scope_forbids");
    expect(await say("createWorkspace", {})).toBe(200);
  });

  test("cannot feign the end of a command", async () => {
    await using _client = await relay.join();
    const { shellId, key } = await relay.command<{ shellId: number; key: number }>("createShell");
    const run = (command: string) =>
      relay.command<{ exitCode: number; output: string }>("runCommand", { tile: key, wait: true, command });
    for (let round = 0; round < 3; round++) await run("true");
    const { output } = await relay.command<{ output: string }>("getShellOutput", { id: shellId });
    const marks = output.split("\u001b]").filter((text) => /^7?133;/.test(text));
    expect(marks.length).toBeGreaterThan(10);
    expect(output).not.toContain("7133");
    const { environment } = await inspect(run);
    expect(environment).not.toMatch(/NONCE/);
    const secrets = environment.match(/PATCHBAY_[A-Z]+=[^\0]*/g) ?? [];
    const attempts = [
      ...marks.map((text) => `\u001b]${text}`),
      "\u001b]133;D;0\u0007",
      ...secrets.map((word) => `\u001b]133;D;0;patchbay=${word}\u0007`),
    ];
    const file = join(relay.folder, "attempts");
    writeFileSync(file, attempts.join(""));
    const ran = await run(`cat '${file}' '${file}'; sleep 0.3; cat '${file}'; echo after; (exit 3)`);
    expect(ran).toMatchObject({ exitCode: 3, output: expect.stringContaining("after") });
  });
});

describe("the output of a program", () => {
  test("does nothing to the terminal that it is printed to, except for text and colours", async () => {
    await using _client = await relay.join();
    const { shellId, key } = await relay.command<{ shellId: number; key: number }>("createShell");
    const attack = "\\033]52;c;czNjcmV0\\a\\033]0;s3cret\\a\\033P+q544e\\033\\\\\\033[6n\\033[c\\033[?1049h\\033[2J";
    const command = `printf '${attack}\\033[31mred\\033[m\\n'; printf over`;
    await relay.command("runCommand", { tile: key, wait: true, command });
    using program = await builtProgram();
    const words = ["func", "get-shell-output", String(shellId), "--last-command"];
    const env = { SERVICE_URL: relay.url, SERVICE_TOKEN: relay.key, SERVICE_SESSION: relay.session };
    const toPipe = await program.run(words, env);
    expect(toPipe.out).toContain("\u001b]52;c;czNjcmV0\u0007");
    const shown = await inTerminal(program, words, env);
    expect(shown).toContain("\u001b[31mred\u001b[m\r");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what may be there
    expect(shown.replace(/\u001b\[[0-9;]*m/g, "")).not.toMatch(/[^\P{Cc}\r\n]/u);
    expect(shown).not.toContain("s3cret");
    expect(await inTerminal(program, [...words, "--raw"], env)).toContain("\u001b]52;c;czNjcmV0\u0007");
  });
});

describe("a guest's client", () => {
  test("can hold up no shell with patterns and waits", async () => {
    await using _owner = await relay.join();
    await using reader = await relay.join({ role: "reader", kind: "browser" });
    const { shellId } = await relay.command<{ shellId: number }>("createShell");
    await relay.command("writeToShell", { id: shellId, data: `echo ${"a".repeat(60)}b\\n` });
    await relay.command("waitFor", { id: shellId, text: "ab", since: 0, timeout: 20 });
    const hostile = { shell: shellId as ShellId, text: "(a+)+=$", since: 0, timeoutMs: 600_000 };
    const codes: string[] = [];
    for (let count = 0; count < 200; count += 1)
      void reader.client.ask("waitFor", hostile).catch((error: RemoteError) => codes.push(error.code));
    const count = (code: string) => codes.filter((one) => one === code).length;
    const written = await relay.command("waitFor", { id: shellId, text: "a{60}b$", since: 0, timeout: 20 });
    expect(written).toMatchObject({ match: `${"a".repeat(60)}b` });
    // 64 wait at most; of those, each that had its time is refused.
    await until("patterns that took too long", () => count("invalid_params") >= 3);
    expect(count("too_many_requests")).toBe(200 - 64);
    expect(codes.length).toBe(200 - 64 + count("invalid_params"));
  });

  test("can hold up no relay with a search", async () => {
    await using owner = await relay.join();
    await using reader = await relay.join({ role: "reader", kind: "browser" });
    for (let count = 0; count < 40; count += 1) await owner.client.ask("sendChat", { text: "xy".repeat(4000) });
    const search = (query: string) => reader.client.ask("searchSession", { query, regex: true, in: "chat" });
    // 443 characters that are 80,000 instructions.
    await expect(search(`${"(?:.?){999}".repeat(40)}zzz`)).rejects.toMatchObject({ code: "invalid_params" });
    const started = performance.now();
    const searches = Array.from({ length: 4 }, () => search(`${"(?:.?){9}".repeat(12)}zzz`).catch(() => undefined));
    await relay.command("getShells");
    await Promise.all(searches);
    // Each has a quarter of a second, and reads the text that it began with to its end.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test("can neither feign messages nor fill the memory with them", async () => {
    await using owner = await relay.join();
    await using reader = await relay.join({ role: "reader", kind: "browser" });
    await using writer = await relay.join({ role: "writer", kind: "browser" });
    const feigned = { message: "your disk is full", kind: "error", by: "native" } as const;
    await expect(reader.client.ask("toastShown", feigned)).rejects.toMatchObject({ code: "role_forbids" });
    const notification = { title: "feigned", by: "native" } as const;
    await expect(reader.client.ask("notificationShown", notification)).rejects.toMatchObject({ code: "role_forbids" });
    const large = { ...feigned, message: "x".repeat(500_000) };
    await expect(writer.client.ask("toastShown", large)).rejects.toMatchObject({ code: "invalid_params" });
    const { events } = relay.relay.sessions.get(relay.session).state;
    const data = "x".repeat(900_000);
    for (let count = 0; count < 50; count += 1) await writer.client.ask("broadcastEvent", { type: "flood", data });
    const kept = events.after(0).events.filter(({ event }) => event.type === "plugin.event");
    expect(kept.length * data.length).toBeLessThanOrEqual(limits.eventBytes);
    expect(owner.events.filter(({ type }) => type === "toast" || type === "notification")).toEqual([]);
  });
});

describe("a plugin's address", () => {
  test("leads into no private network", async () => {
    const { secret } = relay.relay.keys.create({
      owner: relay.relay.user,
      name: "bearer",
      scheme: "bearer",
      scopes: ["plugins:install"],
    });
    const path = `/v1/sessions/${relay.session}/plugins`;
    // Where there is a listener, a relay that was let through would connect before anything else can fail.
    let connections = 0;
    const listener = createServer((socket) => {
      connections += 1;
      socket.destroy();
    }).listen(0, "0.0.0.0");
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    const reached = ["0.0.0.0", "::ffff:127.0.0.1"];
    for (const host of reached) expect([host, await connects(host, port)]).toEqual([host, true]);
    const before = connections;
    for (const address of [
      ...reached.map((host) => `https://${host.includes(":") ? `[${host}]` : host}:${port}/m.json`),
      "https://169.254.169.254/m.json",
      "https://10.0.0.1/m.json",
      "https://[fd00::1]/m.json",
      "file:///etc/passwd",
    ]) {
      const answer = await relay.request("POST", path, {
        headers: { Authorization: `Bearer ${secret}` },
        body: { manifest_url: address, plugin_id: "evil" },
      });
      expect([address, answer.status, answer.headers.get("x-service-error")]).toEqual([address, 400, "invalid_params"]);
      expect(answer.text).toMatch(/private or special network|expected https/);
    }
    expect(connections).toBe(before);
    await new Promise((resolve) => listener.close(resolve));
  });
});

describe("what was done", () => {
  test("stands in the audit log, refused or not", async () => {
    const { keys, user } = relay.relay;
    await relay.request("POST", "/v1/sessions", { body: { name: "mine" } });
    await relay.request("GET", "/v1/sessions", { headers: { "X-Service-Token": "pb_wrong" } });
    await using _client = await relay.join();
    const { shellId, key } = await relay.command<{ shellId: number; key: number }>("createShell");
    // Text that is typed is declared as sensitive; elsewhere a secret is known by its form.
    await relay.command("writeToShell", { id: shellId, data: "typed-s3cret" });
    const refused = keys.create({ owner: user, name: "reader", restrictions: { readOnly: true } }).secret;
    const body = { method: "runCommand", params: { command: "refused-s3cret", tile: key } };
    expect((await relay.post(body, { "X-Service-Token": refused })).status).toBe(403);
    await relay.command("renameTile", { key, name: `tile pb_${"s3cret".repeat(8)}` });
    await relay.command("openTile", { type: "browser", url: "https://user:s3cret@e.test/page?token=s3cret#s3cret" });
    const log = (await relay.request("GET", "/v1/audit")).text;
    expect(log).toContain('"action":"createSession"');
    expect(log).toContain('"outcome":"unauthenticated"');
    const { result } = JSON.parse(log) as { result: { action: string; params: unknown; outcome: string }[] };
    const paramsOf = (action: string) => result.find((entry) => entry.action === action);
    expect(paramsOf("writeToShell")).toMatchObject({ params: { id: shellId, data: "(12 characters)" }, outcome: "ok" });
    expect(paramsOf("runCommand")).toMatchObject({ outcome: "scope_forbids" });
    expect(paramsOf("renameTile")).toMatchObject({ params: { name: "tile pb_[hidden]" } });
    expect(log).not.toContain("s3cret");
  });
});

/** Runs the command line in a terminal. Returns what the terminal gets. */
async function inTerminal(
  { main, folder }: Awaited<ReturnType<typeof builtProgram>>,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, TERM: "xterm-256color", ...environment };
  const terminal = spawnPty(process.execPath, [main, ...words], { env, cols: 200, rows: 50 });
  const printed: string[] = [];
  terminal.onData((text) => printed.push(text));
  await new Promise((resolve) => terminal.onExit(resolve));
  return printed.join("");
}

type Attempt = readonly [method: string, params: object];

/** What a narrow key must not change. */
async function stateOfSession(): Promise<unknown> {
  const parts = ["getLayout", "getTiles", "getWorkspaces", "getChat"].map((method) => relay.command(method));
  const shells = await relay.command<{ id: number; running: boolean }[]>("getShells");
  return [...(await Promise.all(parts)), shells.map(({ id, running }) => ({ id, running }))];
}

/** By what a key would get another credential, a guest or a connection of its own, or read what others did. */
const WAYS_AROUND = ["invite", "key", "bearer token", "WebSocket", "audit log", "metrics"] as const;
const EVERY_WAY_REFUSED = WAYS_AROUND.map(() => 403);

/** Tries each of them. Returns the statuses. */
async function waysAround(headers: Record<string, string>): Promise<number[]> {
  const status = async (...args: Parameters<TestRelay["request"]>) => (await relay.request(...args)).status;
  const form = { ...headers, "Content-Type": "application/x-www-form-urlencoded" };
  const grant = "grant_type=client_credentials&scope=plugins:install";
  return [
    await status("POST", `/v1/sessions/${relay.session}/invites`, { headers, body: {} }),
    await status("POST", "/v1/keys", { headers, body: { name: "wider" } }),
    await status("POST", "/v1/oauth/token", { headers: form, body: grant }),
    await socketStatus(headers),
    await status("GET", "/v1/audit", { headers }),
    await status("GET", "/v1/metrics", { headers }),
  ];
}

function socketStatus(headers: Record<string, string>): Promise<number> {
  const socket = new WebSocket(`${relay.url.replace("http", "ws")}/v1/sessions/${relay.session}/socket`, { headers });
  return new Promise<number>((resolve) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
    socket.on("error", () => undefined);
  }).finally(() => socket.terminate());
}

/** What a program of the shell can read of the shell's own start. */
async function inspect(run: (command: string) => Promise<{ output: string }>): Promise<{ environment: string }> {
  const { output } = await run("cat /proc/$$/environ 2>/dev/null; env");
  return { environment: output };
}

function connects(host: string, port = Number(new URL(relay.url).port)): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: 2000 });
    const done = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket.on("connect", () => done(true));
    socket.on("error", () => done(false));
    socket.on("timeout", () => done(false));
  });
}

/** Two shells, the first one's token; made by the owner, or by another shell's token. */
async function shellWithToken(by: Record<string, string> = {}) {
  const create = async (headers: Record<string, string>) => {
    const { text } = await relay.post({ method: "createShell", params: {} }, headers);
    return (JSON.parse(text) as { result: { shellId: number; key: number } }).result;
  };
  const own = await create(by);
  const other = await create({});
  const file = join(relay.folder, `token-${own.shellId}`);
  await relay.command("runCommand", { tile: own.key, wait: true, command: `printf %s "$SERVICE_TOKEN" > '${file}'` });
  return { own, other, token: { "X-Service-Token": readFileSync(file, "utf8") } };
}

/** A program that is found as the agent Claude Code is: by its name, and by its size. */
async function startAgent(id: number): Promise<void> {
  const program = join(relay.folder, "claude");
  const runs = join(relay.folder, "agent-runs");
  copyFileSync(process.execPath, program);
  const script = `require("node:fs").writeFileSync("${runs}", ""); setInterval(() => {}, 1000)`;
  await relay.command("writeToShell", { id, data: `'${program}' -e '${script}'\\n` });
  await until("the agent to run", () => existsSync(runs));
}
