import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../../support/free-port.ts";
import { fetchLocal } from "../../../../support/local-name.ts";
import { runningProcesses, untilGone } from "../../../../support/processes.ts";
import { startTunnelLab } from "./tunnel-lab.ts";

describe("finding", () => {
  test("a program that listens is listed and announced, until it ends", async () => {
    await using lab = await startTunnelLab();
    const shell = await lab.shell(lab.program());
    const tunnel = await lab.tunnelOf(shell);
    expect(tunnel).toMatchObject({ shellId: shell, process: "node" });
    expect(tunnel.url).toMatch(/^http:\/\/[0-9a-f]{32}\.localhost:\d+\/$/);
    expect(new URL(tunnel.url).port).not.toBe(String(tunnel.port));
    expect((await fetchLocal(tunnel.url, { headers: { "X-Service-Token": lab.relay.key } })).status).toBe(401);
    expect(tunnel.localUrl).toBe(`http://127.0.0.1:${tunnel.port}/`);
    expect((await fetch(tunnel.localUrl)).status).toBe(200);
    expect((await lab.client.event("tunnel.opened")).data).toEqual(tunnel);
    expect(JSON.parse((await lab.relay.get("tunnels")).text)).toEqual({ result: [tunnel] });

    await lab.relay.command("writeToShell", { id: shell, data: "\u0003" });
    expect((await lab.client.event("tunnel.closed")).data).toEqual(tunnel);
    expect(await lab.tunnels()).toEqual([]);
    await expect(fetchLocal(tunnel.url)).rejects.toThrow();
  });

  test("a program that listens on ::1 alone is reached by its local address", async () => {
    await using lab = await startTunnelLab();
    const port = await freePort();
    const tunnel = await lab.tunnelOf(await lab.shell(`${lab.program("::1")} ${port}`));
    expect(tunnel.localUrl).toBe(`http://[::1]:${port}/`);
    expect((await fetch(tunnel.localUrl)).status).toBe(200);
  });

  test("a program without the shell's terminal is found, a stranger's port is not", async () => {
    const stranger = createServer().listen(0, "127.0.0.1");
    await once(stranger, "listening");
    await using lab = await startTunnelLab();
    const program = `${lab.program()} ${await freePort()}`;
    // In a session of its own it outlives its shell.
    onTestFinished(async () => {
      const left = (await runningProcesses()).filter(({ command }) => command === program);
      for (const { pid } of left) process.kill(pid);
      await untilGone(left);
    });
    const shell = await lab.shell(`bash -c 'setsid ${program} < /dev/null; :'`);
    const tunnel = await lab.tunnelOf(shell);
    expect(await lab.tunnels()).toEqual([tunnel]);
    expect(tunnel.port).not.toBe((stranger.address() as AddressInfo).port);
    stranger.close();
  });

  test("a server that is started again is found at the same address", async () => {
    await using lab = await startTunnelLab();
    const port = await freePort();
    const shell = await lab.shell(`${lab.program()} ${port}`);
    const { url } = await lab.tunnelOf(shell);
    await lab.relay.command("writeToShell", { id: shell, data: "\u0003" });
    await lab.client.event("tunnel.closed");
    await lab.relay.command("writeToShell", { id: shell, data: `${lab.program()} ${port}\n` });
    expect((await lab.tunnelOf(shell)).url).toBe(url);
  });
});
