import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Tunnel } from "../../../core/protocol/records.ts";
import { until } from "../../support/until.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

const VITE = resolve(import.meta.dirname, "../../../node_modules/vite/bin/vite.js");

let lab: WebLab;
let site: string;

beforeEach(async () => {
  site = mkdtempSync(join(tmpdir(), "patchbay-site-"));
  writeFileSync(join(site, "index.html"), '<h1>My site</h1><p id="said"></p><script type="module" src="/main.js"></script>');
  write("first");
  lab = await startWebLab();
});
afterEach(async () => {
  await lab[Symbol.asyncDispose]();
  rmSync(site, { recursive: true, force: true });
});

function write(word: string): void {
  const accept = "if (import.meta.hot) import.meta.hot.accept();";
  writeFileSync(join(site, "main.js"), `document.querySelector("#said").textContent = "${word}";\n${accept}\n`);
}

const tunnelTo = (port: number): Promise<Tunnel> =>
  until(
    "the tunnel",
    async () => (await lab.command<Tunnel[]>("getTunnelPorts")).find((tunnel) => tunnel.port === port),
    30_000,
  );

test("a vite server in a shell is offered, opened, and reloads its modules through the tunnel", async () => {
  const port = await freePort();
  const { page, id } = await lab.guest();
  await lab.command("createShell", { command: `cd ${site} && ${process.execPath} ${VITE} --port ${port} --strictPort` }, id);
  const tunnel = await tunnelTo(port);
  await page.getByText(`listens on port ${port}.`).waitFor();
  await page.getByRole("button", { name: "Open as a tile" }).click();
  const frame = page.frameLocator(".web-tile iframe");
  await frame.getByText("My site").waitFor();
  await frame.getByText("first", { exact: true }).waitFor();
  expect(await page.locator(".web-tile iframe").getAttribute("src")).toBe(tunnel.url);
  // Vite's own socket tells the page of the change: nobody reloads it here.
  await until("vite's socket", async () => {
    write("second");
    return (await frame.locator("#said").textContent()) === "second";
  });
});

test("a page in a tunnel reaches neither the API, nor our cookies, nor the page around it", async () => {
  const port = await freePort();
  const { page, id, context } = await lab.guest();
  await lab.command("createShell", { command: `cd ${site} && python3 -m http.server ${port}` }, id);
  const tunnel = await tunnelTo(port);
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
        post: await tried(() => fetch(`${url}/v1/sessions/${session}/remote/command`, { method: "POST", body: "{}" })),
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

test("a reader is told why a tunnel stays closed", async () => {
  const port = await freePort();
  const writer = await lab.guest();
  await lab.command("createShell", { command: `cd ${site} && python3 -m http.server ${port}` }, writer.id);
  await tunnelTo(port);
  const { page } = await lab.guest({ role: "reader" });
  const [opened] = await Promise.allSettled([
    page.evaluate(
      async (at) => (await fetch(`${location.pathname}/tunnels/${at}`, { method: "POST" })).text(),
      port,
    ),
  ]);
  expect(opened).toMatchObject({ status: "fulfilled", value: expect.stringContaining("A reader may not use tunnels") });
});

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
