import { expect, test } from "vitest";
import type { Tunnel } from "../../core/protocol/records.ts";
import { launchApp } from "../support/app.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";

test("the app shows a program in a shell directly", async () => {
  const port = await freePort();
  await using app = await launchApp();
  const window = await app.window();
  const server = `node -e "require('http').createServer((q, r) => r.end('seen at ' + q.headers.host)).listen(${port}, '127.0.0.1')"`;
  await app.call("createShell", { command: server });
  await until("the tunnel", async () =>
    ((await app.call("getTunnelPorts")) as Tunnel[]).some((tunnel) => tunnel.port === port),
  );
  await window
    .getByText(/listens on port/)
    .first()
    .waitFor();
  expect(await window.getByText(/listens on port/).allTextContents()).toEqual([
    expect.stringMatching(new RegExp(`^Info: node( in “.+”)? listens on port ${port}\\.Open as a tile$`)),
  ]);
  await window.getByRole("button", { name: "Open as a tile" }).click();
  await window.frameLocator(".web-tile iframe").getByText(`seen at localhost:${port}`).waitFor();
  expect(await window.locator(".web-tile iframe").getAttribute("src")).toBe(`http://localhost:${port}/`);
});
