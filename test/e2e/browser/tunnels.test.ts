import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Tunnel } from "../../../core/protocol/records.ts";
import { freePort } from "../../support/free-port.ts";
import { until } from "../../support/until.ts";
import { startWebLab, type WebLab } from "./web-lab.ts";

const VITE = resolve(import.meta.dirname, "../../../node_modules/vite/bin/vite.js");

let lab: WebLab;
let site: string;

beforeEach(async () => {
  site = mkdtempSync(join(tmpdir(), "patchbay-site-"));
  writeFileSync(
    join(site, "index.html"),
    '<h1>My site</h1><p id="said"></p><script type="module" src="/main.js"></script>',
  );
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

test("a vite server in a shell is offered, opened, and reloads its modules through the tunnel", async () => {
  const port = await freePort();
  const { page, id } = await lab.guest();
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(new URL(socket.url()).host));
  await lab.command(
    "createShell",
    { command: `cd ${site} && ${process.execPath} ${VITE} --port ${port} --strictPort` },
    id,
  );
  const tunnel = await until(
    "the tunnel",
    async () => (await lab.command<Tunnel[]>("getTunnelPorts")).find((one) => one.port === port),
    30_000,
  );
  await page.getByText(`listens on port ${port}.`).waitFor();
  await page.getByRole("button", { name: "Open as a tile" }).click();
  const frame = page.frameLocator(".web-tile iframe");
  await frame.getByText("My site").waitFor();
  await frame.getByText("first", { exact: true }).waitFor();
  expect(await page.getByRole("textbox", { name: "Address" }).inputValue()).toBe(tunnel.url);
  // Where this way were closed, vite's page would try the server's own port.
  expect(sockets).toEqual([new URL(tunnel.url).host]);
  // Vite's own socket tells the page of the change: nobody reloads it here.
  await until("vite's socket", async () => {
    write("second");
    return (await frame.locator("#said").textContent()) === "second";
  });
});
