// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { specOf } from "../../../../../core/commands/specs.ts";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import { overviewParts } from "../../../../../core/protocol/overview-changes.ts";
import { splitPlace } from "../../../../../core/protocol/page-place.ts";
import { BrowserHost, contentOf } from "../../../../../renderer/tray/start/browser-host.ts";
import { RelayCalls } from "../../../../../renderer/tray/start/call-relay.ts";
import { words } from "../../../../../renderer/tray/words/index.ts";

const SESSION = "session-0000000a";
/** The host over a relay that keeps what it is asked. */
function browserHost() {
  const asked: { url: string; body: unknown }[] = [];
  const before = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = before;
  });
  globalThis.fetch = async (url, init) => {
    if (init?.body !== undefined) asked.push({ url: String(url), body: JSON.parse(String(init.body)) });
    return Response.json({ result: [] });
  };
  const base = new URL("http://127.0.0.1:7717/");
  const calls = new RelayCalls(base, "pb_key");
  const host = new BrowserHost({ calls, base, apiKey: "pb_key", window, onRefused: () => undefined });
  onTestFinished(() => host[Symbol.dispose]());
  return { host, asked, calls };
}

test.each([
  ["answerAdopt", { request: 4, allow: true }],
  ["answerRoleRequest", { request: 4, allow: false }],
  ["restrictShells", { state: "on" }],
  ["answerAgent", { request: 4, answer: "once" }],
  ["forgetAgent", { agentType: "claude", folder: "/w" }],
] as const)("%s is a command in a session, as it is declared", async (method, params) => {
  const { host, asked } = browserHost();
  await host.invoke("panel.run", { operation: method, params, session: SESSION });
  expect(asked).toMatchObject([
    { url: `http://127.0.0.1:7717/v1/sessions/${SESSION}/remote/command`, body: { method, params } },
  ]);
  const [{ body } = { body: {} }] = asked;
  expect(() => specOf(method)?.params.parse(Reflect.get(Object(body), "params"))).not.toThrow();
});

test.each([401, 403])("a key that is refused with %i ends the host", async (status) => {
  const before = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = before;
  });
  globalThis.fetch = async () => new Response("This key does not open it.\n", { status });
  const base = new URL("http://127.0.0.1:7717/");
  const refused = new Promise((onRefused) => {
    const calls = new RelayCalls(base, "pb_key");
    const host = new BrowserHost({ calls, base, apiKey: "pb_key", window, onRefused });
    onTestFinished(() => host[Symbol.dispose]());
    void host.invoke("panel.start", undefined);
  });
  expect(await refused).toBe("This key does not open it.");
});

test("a command is aimed at a client in the request's body, where the relay reads it", async () => {
  const { asked, calls } = browserHost();
  await calls.command(SESSION, "answerAdopt", { request: 4 }, 7);
  await calls.command(SESSION, "answerAdopt", { request: 4 }, undefined);
  expect(asked.map(({ body }) => body)).toEqual([
    { method: "answerAdopt", params: { request: 4 }, target_client_id: 7 },
    { method: "answerAdopt", params: { request: 4 } },
  ]);
});

test("a window of another machine's session is not for a browser", () => {
  expect(browserHost().host.can("panel.openMachine")).toBe(false);
});

test("a question of another machine is answered over HTTP, below the name of the machine", async () => {
  const { host, asked } = browserHost();
  const params = { via: "remote", machine: "build box", remoteSession: SESSION, id: 7, option: "yes", wait: 0 };
  await host.invoke("panel.run", { operation: "answerMachineQuestion", params });
  expect(asked).toEqual([
    {
      url: "http://127.0.0.1:7717/v1/machines/remote/build%20box/answer",
      body: { remoteSession: SESSION, id: 7, option: "yes", wait: 0 },
    },
  ]);
});

test("a place that was found, or a shell, is in the address of the session's page, beside the key, as the page reads it", async () => {
  const { host } = browserHost();
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  onTestFinished(() => open.mockRestore());
  const place = {
    ...{ in: "output" as const, shellId: 3, offset: 8, at: "2026-01-01T10:00:00.000Z" },
    ...{ line: "a needle", from: 2, length: 6, later: 0, query: "needle" },
  };
  const id = SessionId.parse(SESSION);
  await host.invoke("panel.open", { id, place });
  await host.invoke("panel.open", { id });
  await host.invoke("panel.open", { id, shell: ShellId.parse(3) });
  const [found, plain, shell] = open.mock.calls.map(([page]) => new URL(String(page)));
  expect(found?.pathname).toBe(`/s/${SESSION}`);
  expect(splitPlace(found?.hash.slice(1) ?? "")).toEqual({ fragment: "token=pb_key", place });
  expect(plain?.hash).toBe("#token=pb_key");
  expect(splitPlace(shell?.hash.slice(1) ?? "")).toEqual({
    fragment: "token=pb_key",
    place: { in: "shell", shellId: 3 },
  });
});

test.each([
  ["allows a copy", true],
  ["refuses a copy", false],
])("a browser that %s has the link, and says whether it was copied", async (_what, copied) => {
  const { host } = browserHost();
  const invite = { id: "i1", session: SESSION, role: "reader", usesLeft: 1, createdAt: "", expiresAt: "2030-01-01" };
  const url = "http://127.0.0.1:7717/s/a#k";
  globalThis.fetch = async () => Response.json({ result: { ...invite, url, urls: [url] } });
  const write = vi.spyOn(window.navigator.clipboard, "writeText");
  if (copied) write.mockResolvedValue();
  else write.mockRejectedValue(new Error("NotAllowedError"));
  onTestFinished(() => write.mockRestore());
  const wanted = { id: SessionId.parse(SESSION), role: "reader", ttl: 3600, uses: 1, outside: false } as const;
  expect(await host.invoke("panel.invite", { ...wanted, copy: true })).toEqual({
    url,
    expiresAt: "2030-01-01",
    copied,
  });
  expect(await host.invoke("panel.invite", { ...wanted, copy: false })).toMatchObject({ copied: false });
  const id = host.invoke("panel.copy", { id: SessionId.parse(SESSION), what: "id" });
  if (copied) await id;
  else await expect(id).rejects.toThrow(words.browser.notCopied);
});

const EMPTY = {
  user: "owner",
  version: "1",
  sessions: [],
  logins: [],
  budgets: { day: null, session: null },
  outsideUrls: [],
  healthIssue: null,
};

test("what does not work in the relay is in the content, as in the app", () => {
  const told = (healthIssue: string | null) =>
    contentOf({ ...EMPTY, healthIssue }, [], "http://127.0.0.1:7717/").healthIssue;
  expect([told("The store cannot be written"), told(null)]).toEqual(["The store cannot be written", undefined]);
});

/** The host over a relay whose stream the test writes. */
function followingHost() {
  const paths: string[] = [];
  const streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  const before = globalThis.fetch;
  globalThis.fetch = async (url, init) => {
    const { pathname, search } = new URL(String(url));
    if (pathname === "/v1/overview/changes") {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          streams.push(controller);
          init?.signal?.addEventListener("abort", () => controller.error(new Error("aborted")));
        },
      });
      return new Response(body);
    }
    paths.push(pathname + search);
    return Response.json({ result: pathname === "/v1/usage" ? [] : EMPTY });
  };
  const base = new URL("http://127.0.0.1:7717/");
  const calls = new RelayCalls(base, "pb_key");
  const host = new BrowserHost({ calls, base, apiKey: "pb_key", window, onRefused: () => undefined });
  onTestFinished(() => {
    host[Symbol.dispose]();
    globalThis.fetch = before;
  });
  const tell = (parts: readonly string[], sessions: readonly string[] = []) =>
    streams
      .at(-1)
      ?.enqueue(
        new TextEncoder().encode(`data: ${JSON.stringify({ type: "changed", data: { parts, sessions } })}\n\n`),
      );
  return { host, paths, streams, tell };
}

/** What was asked once everything was read that the stream's beginning makes stale. */
async function begun({ paths, streams }: ReturnType<typeof followingHost>): Promise<void> {
  await vi.waitFor(() => {
    expect(streams).toHaveLength(1);
    expect(paths.filter((path) => path === "/v1/overview").length).toBe(2);
  });
  paths.length = 0;
}

test("asks again only for what changes, and for nothing else while nothing does", async () => {
  const following = followingHost();
  const { host, paths, tell } = following;
  host.follow("all");
  await begun(following);
  tell(["waits", "shells"], [SESSION]);
  await vi.waitFor(() => expect(paths).toEqual([`/v1/overview?session=${SESSION}`]));
  tell(["logins"]);
  await vi.waitFor(() => expect(paths.slice(1)).toEqual(["/v1/overview"]));
});

test("what a page polls does not read the overview, and a change does", async () => {
  const following = followingHost();
  const { host, paths } = following;
  host.follow("all");
  await begun(following);
  await host.invoke("panel.run", { operation: "getShellUsage", params: { session: SESSION } });
  await host.invoke("panel.run", { operation: "endLeftBehind", params: { session: SESSION, pid: 4711 } });
  await vi.waitFor(() => expect(paths).toContain("/v1/overview"));
  const of = `/v1/sessions/${SESSION}`;
  expect(paths.filter((path) => path !== "/v1/usage").slice(0, 3)).toEqual([
    `${of}/usage`,
    `${of}/left-behind/end`,
    "/v1/overview",
  ]);
});

test("a closed drawer does not ask for what its number does not need", async () => {
  const following = followingHost();
  const { host, paths, tell } = following;
  const touched: string[] = [];
  host.onTouched((parts) => touched.push(...parts));
  host.follow("waiting");
  await begun(following);
  tell(["shells", "prompts"], [SESSION]);
  tell(["waits"], [SESSION]);
  await vi.waitFor(() => expect(paths).toEqual([`/v1/overview?session=${SESSION}`]));
  expect(touched).toEqual([...overviewParts, "shells", "prompts", "waits"]);
});

test("a relay that does not answer is told with its last answer, and asked again at once", async () => {
  const following = followingHost();
  const { host, streams } = following;
  const contents: unknown[] = [];
  host.on("panel.changed", (content) => contents.push(content));
  host.follow("all");
  await begun(following);
  await vi.waitFor(() => expect(contents).toHaveLength(2));
  expect(host.connection.away.get()).toBeUndefined();
  const answering = globalThis.fetch;
  globalThis.fetch = () => Promise.reject(new TypeError("The connection was refused."));
  streams[0]?.error(new Error("The connection was lost."));
  const away = { lastAnswer: expect.any(String) };
  await vi.waitFor(() => expect(host.connection.away.get()).toEqual(away));
  await host.connection.retry();
  expect(host.connection.away.get()).toEqual(away);
  expect(contents).toHaveLength(2);
  globalThis.fetch = answering;
  await host.connection.retry();
  expect(host.connection.away.get()).toBeUndefined();
  expect(contents.length).toBeGreaterThan(2);
  expect(streams.length).toBeGreaterThan(1);
  // A refusal is an answer; that of a proxy is none.
  for (const [status, isAway] of [
    [500, false],
    [429, false],
    [502, true],
    [500, false],
  ] as const) {
    globalThis.fetch = async () => new Response("<h1>Bad gateway</h1>", { status });
    await host.connection.retry();
    expect(host.connection.away.get() !== undefined).toBe(isAway);
  }
});

test("a hidden page closes its stream and asks nothing; shown again, it reads everything", async () => {
  const following = followingHost();
  const { host, paths, streams } = following;
  host.follow("all");
  await begun(following);
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  onTestFinished(() => hidden.mockRestore());
  document.dispatchEvent(new Event("visibilitychange"));
  await host.invoke("panel.start", undefined);
  expect(paths).toEqual([]);
  expect(() => streams[0]?.enqueue(new Uint8Array())).toThrow();
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event("visibilitychange"));
  await vi.waitFor(() => {
    expect(streams).toHaveLength(2);
    expect(paths).toContain("/v1/overview");
  });
});
