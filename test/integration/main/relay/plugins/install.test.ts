import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { limits } from "../../../../../core/protocol/limits.ts";
import { startPluginRelay } from "./start-plugin-relay.ts";
import { manifestWith, startTestSite, type TestSite } from "./test-site.ts";

let site: TestSite;

beforeEach(async () => {
  site = await startTestSite();
  site.on("/cost/manifest.json", manifestWith());
  site.on("/cost/index.html", "<h1>1</h1>");
  return () => site[Symbol.asyncDispose]();
});

describe("installing", () => {
  test("answers ok, and the plugin is listed, also by the next run of the relay", async () => {
    await using relay = await startPluginRelay();
    const answer = await relay.install(`${site.url}/cost/manifest.json`);
    expect(answer).toMatchObject({ status: 200, text: '{"ok":true}' });
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    const expected = {
      ...{ id: "agent-cost", name: "Agent cost", version: "1.0.0", description: "", entry: "index.html", events: [] },
      permissions: ["getAgentCost", "toast"],
      allowed: [],
      manifestUrl: `${site.url}/cost/manifest.json`,
      entryUrl: `${site.url}/cost/index.html`,
      entrySha256: createHash("sha256").update("<h1>1</h1>").digest("hex"),
      installedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    };
    expect(await relay.list()).toEqual([expected]);
    await relay.restart();
    expect(await relay.list()).toEqual([expected]);
  });

  test("sends who it is and what it wants, and nothing of the user", async () => {
    await using relay = await startPluginRelay();
    site.on("/cost/manifest.json", (_, response) => {
      response.setHeader("Set-Cookie", "a=1; Path=/");
      response.end(manifestWith());
    });
    await relay.install(`${site.url}/cost/manifest.json`);
    expect(site.requests.map(({ method, url, headers }) => ({ method, url, headers }))).toEqual([
      { method: "GET", url: "/cost/manifest.json", headers: sent("application/json") },
      { method: "GET", url: "/cost/index.html", headers: sent("text/html") },
    ]);
  });

  test("follows three redirects, and looks for the entry beside the manifest that it found", async () => {
    await using relay = await startPluginRelay();
    for (const [from, to] of ["/1", "/2", "/3", "/cost/manifest.json"].map((path, at, all) => [path, all[at + 1]])) {
      if (to !== undefined) site.on(from ?? "", (_, response) => response.writeHead(302, { Location: to }).end());
    }
    expect(await relay.install(`${site.url}/1`)).toMatchObject({ status: 200 });
    expect(await relay.list()).toMatchObject([
      { manifestUrl: `${site.url}/1`, entryUrl: `${site.url}/cost/index.html` },
    ]);
  });

  test("again updates: another page, another hash, and the first date stays", async () => {
    await using relay = await startPluginRelay();
    await relay.install(`${site.url}/cost/manifest.json`);
    const [before] = await relay.list();
    site.on("/cost/manifest.json", manifestWith({ version: "2.0.0", permissions: ["toast", "notify"] }));
    site.on("/cost/index.html", "<h1>2</h1>");
    allow(relay, ["toast", "getAgentCost"]);
    expect(await relay.install(`${site.url}/cost/manifest.json`)).toMatchObject({ status: 200 });
    const plugins = await relay.list();
    expect(plugins).toMatchObject([
      { version: "2.0.0", permissions: ["toast", "notify"], allowed: ["toast"], installedAt: before?.installedAt },
    ]);
    expect(plugins[0]?.entrySha256).toBe(createHash("sha256").update("<h1>2</h1>").digest("hex"));
  });

  test("the same id from another address loses what the user had allowed", async () => {
    await using relay = await startPluginRelay();
    await relay.install(`${site.url}/cost/manifest.json`);
    allow(relay, ["toast"]);
    site.on("/other/manifest.json", manifestWith());
    site.on("/other/index.html", "");
    await relay.install(`${site.url}/other/manifest.json`);
    expect(await relay.list()).toMatchObject([{ manifestUrl: `${site.url}/other/manifest.json`, allowed: [] }]);
  });

  test("a failed update leaves the plugin as it was", async () => {
    await using relay = await startPluginRelay();
    await relay.install(`${site.url}/cost/manifest.json`);
    const before = await relay.list();
    site.on("/cost/manifest.json", manifestWith({ version: "2.0.0", entry: "gone.html" }));
    const answer = await relay.install(`${site.url}/cost/manifest.json`);
    expect(answer).toMatchObject({ status: 502, text: expect.stringContaining("The entry page could not be fetched") });
    expect(await relay.list()).toEqual(before);
  });

  test("into a session that is closed meanwhile is refused", async () => {
    await using relay = await startPluginRelay();
    site.on("/cost/index.html", async (_, response) => {
      await relay.relay.sessions.remove(relay.session);
      response.end("late");
    });
    const answer = await relay.install(`${site.url}/cost/manifest.json`);
    expect(answer).toMatchObject({ status: 404, text: expect.stringContaining("closed meanwhile") });
    expect(relay.errors).toEqual([]);
  });
});

describe("an installed plugin", () => {
  test("may be allowed only what it asks for", async () => {
    await using relay = await startPluginRelay();
    await relay.install(`${site.url}/cost/manifest.json`);
    expect(() => allow(relay, ["toast", "createShell"])).toThrow(
      "params.methods: agent-cost does not ask for createShell; it asks for getAgentCost, toast.",
    );
    expect(await relay.list()).toMatchObject([{ allowed: [] }]);
  });

  test("keeps so many values of so many characters", async () => {
    await using relay = await startPluginRelay();
    await relay.install(`${site.url}/cost/manifest.json`);
    const keep = (key: string, value: unknown) =>
      relay.relay.plugins.setValue(relay.session, "agent-cost", { key, value });
    // With its quotes.
    keep("long", "x".repeat(limits.pluginValueLength - 2));
    expect(() => keep("longer", "x".repeat(limits.pluginValueLength - 1))).toThrow(
      "A value of a plugin holds at most 16384 characters.",
    );
    for (let count = 1; count < limits.pluginValues; count++) keep(`value ${count}`, count);
    expect(() => keep("one more", 1)).toThrow("A plugin keeps at most 100 values.");
    keep("long", 1);
    keep("long", null);
    keep("one more", 1);
  });
});

describe("removing", () => {
  test("answers what was removed; a second time there is nothing", async () => {
    await using relay = await startPluginRelay();
    await relay.install(`${site.url}/cost/manifest.json`);
    const key = { "X-Service-Token": relay.apiKey };
    const removed = await relay.call("DELETE", `${relay.session}/plugins/agent-cost`, key);
    expect(removed.status).toBe(200);
    expect(JSON.parse(removed.text)).toMatchObject({ result: { id: "agent-cost" } });
    expect(await relay.list()).toEqual([]);
    const again = await relay.call("DELETE", `${relay.session}/plugins/agent-cost`, key);
    expect(again).toMatchObject({ status: 404, text: 'No plugin "agent-cost": the session has none.\n' });
    expect(again.headers.get("x-service-error")).toBe("unknown_plugin");
  });

  test("a session has its own plugins, untouched by what happens in another", async () => {
    await using relay = await startPluginRelay();
    const other = relay.relay.sessions.create(relay.relay.user, "other");
    await relay.install(`${site.url}/cost/manifest.json`);
    expect(relay.relay.plugins.list(other.id)).toEqual([]);
    await relay.relay.plugins.install(other.id, { id: "agent-cost", manifestUrl: `${site.url}/cost/manifest.json` });
    relay.relay.plugins.remove(other.id, "agent-cost");
    expect(await relay.list()).toMatchObject([{ id: "agent-cost" }]);
  });

  test("a session takes its plugins with it", async () => {
    await using relay = await startPluginRelay();
    await relay.install(`${site.url}/cost/manifest.json`);
    await relay.relay.sessions.remove(relay.session);
    expect(relay.relay.plugins.list(relay.session)).toEqual([]);
  });
});

/** As the permission prompt will do it. */
function allow({ relay, session }: Awaited<ReturnType<typeof startPluginRelay>>, allowed: string[]): void {
  relay.plugins.allow(session, "agent-cost", { methods: allowed });
  expect(relay.plugins.list(session)).toMatchObject([{ allowed }]);
}

function sent(accept: string): Record<string, string> {
  return {
    accept,
    "accept-encoding": "identity",
    connection: "close",
    host: `127.0.0.1:${site.port}`,
    "user-agent": "Patchbay",
  };
}
