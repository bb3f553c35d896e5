import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Tunnel } from "../../core/protocol/records.ts";
import { startWebLab, type WebLab } from "../e2e/browser/web-lab.ts";
import { until } from "../support/until.ts";

let lab: WebLab;
let site: string;

beforeAll(async () => {
  site = mkdtempSync(join(tmpdir(), "patchbay-site-"));
  lab = await startWebLab();
}, 60_000);

afterAll(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(site, { recursive: true, force: true });
});

describe("a page in a tunnel", () => {
  test("reaches neither the API, nor our cookies, nor the page around it", async () => {
    const port = await freePort();
    writeFileSync(join(site, "index.html"), "<h1>My site</h1>");
    const { page, id, context } = await lab.guest();
    await lab.command("createShell", { command: `cd ${site} && python3 -m http.server ${port}` }, id);
    const tunnel = await until(
      "the tunnel",
      async () => (await lab.command<Tunnel[]>("getTunnelPorts")).find((one) => one.port === port),
      30_000,
    );
    await lab.command("openTile", { type: "tunnel", port }, id);
    await page.frameLocator(".web-tile iframe").getByText("My site").waitFor();
    const inside = page.frames().find((frame) => frame.url().startsWith(tunnel.url));
    if (inside === undefined) throw new Error("no frame");
    const relay = lab.relay();
    const got = await inside.evaluate(
      async ({ url, session }) => {
        const tried = async (what: () => Promise<unknown>) => what().then(String, () => "refused");
        const socket = () =>
          new Promise((done, refuse) => {
            const made = new WebSocket(`${url.replace("http", "ws")}/s/${session}/socket`);
            made.onopen = done;
            made.onerror = refuse;
          });
        return {
          cookies: document.cookie,
          read: await tried(() => fetch(`${url}/s/${session}/guest`, { credentials: "include" })),
          post: await tried(() =>
            fetch(`${url}/v1/sessions/${session}/remote/command`, { method: "POST", body: "{}" }),
          ),
          socket: await tried(socket),
          parent: await tried(async () => window.parent.document.title),
          top: await tried(async () => {
            if (window.top !== null) window.top.location.href = "about:blank";
          }),
        };
      },
      { url: relay.url, session: relay.session },
    );
    expect({ ...got, top: "" }).toEqual({
      cookies: "",
      read: "refused",
      post: "refused",
      socket: "refused",
      parent: "refused",
      top: "",
    });
    expect(page.url()).toContain(`/s/${relay.session}`);
    await page.getByText("Connected", { exact: true }).waitFor();
    // The pass is for who is in the session: another browser of this machine has none.
    expect((await fetch(tunnel.url)).status).toBe(401);
    const names = (await context.cookies(tunnel.url)).map((cookie) => [cookie.name, cookie.httpOnly, cookie.sameSite]);
    expect(names).toEqual([[`patchbay_tunnel_${relay.session}_${port}`, true, "Strict"]]);
  });
});

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
