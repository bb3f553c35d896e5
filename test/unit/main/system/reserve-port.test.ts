import { createServer } from "node:http";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { reservePort } from "../../../../main/system/reserve-port.ts";

const host = "127.0.0.1";

test("connections that come before the server are served by it, and closing it frees the port", async () => {
  const reserved = await reservePort({ port: 0, host });
  await expect(reservePort({ port: reserved.port, host })).rejects.toMatchObject({ code: "EADDRINUSE" });
  const early = fetch(`http://${host}:${reserved.port}/early`).then((answer) => answer.text());
  const silent = connect(reserved.port, host);
  await new Promise((resolve) => silent.once("connect", resolve));
  const server = createServer((request, response) => response.end(`served ${request.url}`));
  await reserved.serve(server);
  expect(await early).toBe("served /early");
  expect(await (await fetch(`http://${host}:${reserved.port}/late`)).text()).toBe("served /late");
  expect(server.address()).toMatchObject({ port: reserved.port });
  reserved.release();
  expect((await fetch(`http://${host}:${reserved.port}/still`)).ok).toBe(true);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  silent.destroy();
  const again = await reservePort({ port: reserved.port, host });
  again.release();
});

test("what was reserved and not used is given up, with those who wait", async () => {
  const reserved = await reservePort({ port: 0, host });
  const waiting = connect(reserved.port, host);
  await new Promise((resolve) => waiting.once("connect", resolve));
  const cut = new Promise((resolve) => waiting.once("close", resolve));
  reserved.release();
  await cut;
  const again = await reservePort({ port: reserved.port, host });
  again.release();
});
