import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInThisContext } from "node:vm";
import express from "express";
import { expect, test } from "vitest";
import { appMessages } from "../../../../../main/relay/http/app-messages.ts";

type Messages = readonly [IncomingMessage, ServerResponse];

test("messages of the network share their hidden class after a handler has added to them", async () => {
  const { app, messages, seen } = makeApp();
  const options = { IncomingMessage: messages.Request, ServerResponse: messages.Response };
  const server = createServer(options, app).listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    for (let count = 0; count < 5; count++) expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  expectShared(seen);
});

test("the messages of two applications know their own", () => {
  const [one, other] = [makeApp(), makeApp()];
  expect(Reflect.get(one.messages.Request.prototype, "app")).toBe(one.app);
  expect(Reflect.get(other.messages.Request.prototype, "app")).toBe(other.app);
});

function makeApp() {
  const app = express();
  const messages = appMessages(app);
  const seen: Messages[] = [];
  app.get("/", (request, response) => {
    Object.assign(request, { added: 1 });
    Object.assign(response, { added: 1 });
    seen.push([request, response]);
    response.end();
  });
  return { app, messages, seen };
}

/** The first ones teach V8 how much place a message needs. */
function expectShared(seen: readonly Messages[]): void {
  const [before, last] = seen.slice(-2);
  expect(before?.map((message, index) => shareHiddenClass(message, last?.[index]))).toEqual([true, true]);
}

function shareHiddenClass(one: object, other: object | undefined): boolean {
  setFlagsFromString("--allow-natives-syntax");
  try {
    return runInThisContext("(one, other) => %HaveSameMap(one, other)")(one, other);
  } finally {
    setFlagsFromString("--no-allow-natives-syntax");
  }
}
