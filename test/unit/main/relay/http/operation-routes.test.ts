import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import express from "express";
import { expect, onTestFinished, test } from "vitest";
import { operationRoutes } from "../../../../../main/relay/http/operation-routes.ts";
import { RouteTable } from "../../../../../main/relay/http/route-table.ts";
import { until } from "../../../../support/until.ts";

/** A server of the operations, which `answer` executes. Returns its port and the signals of the calls that were closed. */
async function startServer(answer: (signal: AbortSignal) => unknown) {
  const closed: AbortSignal[] = [];
  let called = 0;
  const table = new RouteTable();
  const signals: AbortSignal[] = [];
  operationRoutes({
    calls: {
      async run(_caller: unknown, _name: string, _params: object, { gone }: { gone: () => AbortSignal }) {
        called += 1;
        const signal = gone();
        signals.push(signal);
        return answer(signal);
      },
    } as never,
    auth: { caller: () => ({}), callerOf: () => ({}) } as never,
    audited: { call: () => undefined } as never,
  })(table);
  const app = express();
  app.use(table.router);
  const server = createServer((request, response) => {
    app(request, response);
    // After the listener of the route.
    response.once("close", () => closed.push(...signals.splice(0)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, closed, called: () => called };
}

test("an operation that was answered is not aborted", async () => {
  const { port, closed } = await startServer(() => []);
  const answer = await fetch(`http://127.0.0.1:${port}/v1/sessions`);
  expect(await answer.json()).toEqual({ result: [] });
  await until("the end of the response", () => closed.length === 1);
  expect(closed.map(({ aborted }) => aborted)).toEqual([false]);
});

test("an operation whose caller disconnects is aborted", async () => {
  const { port, closed, called } = await startServer((signal) => once(signal, "abort"));
  const socket = connect(port, "127.0.0.1", () => socket.write("GET /v1/sessions HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  await until("the call", () => called() === 1);
  socket.destroy();
  await until("the end of the response", () => closed.length === 1);
  expect(closed.map(({ aborted }) => aborted)).toEqual([true]);
});
