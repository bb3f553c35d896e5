import type { RequestListener } from "node:http";
import express from "express";
import { expect, test } from "vitest";
import type { AnswerReceiver } from "../../../../../main/relay/http/answer-socket.ts";
import { appMessages } from "../../../../../main/relay/http/app-messages.ts";
import { type DispatchedRequest, dispatch, type HttpApp } from "../../../../../main/relay/http/dispatch.ts";
import { fleetPeerOf } from "../../../../../main/relay/net/fleet-peer.ts";

test("a dispatched request has what a request of the network has, and the relay that passed it on", async () => {
  const body = Buffer.from('{"a":1}');
  const headers = { host: "127.0.0.1", "content-type": "application/json" };
  const answer = await answerOf(
    (request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.once("end", () => {
        const { method, url, socket, complete } = request;
        const peer = fleetPeerOf(request)?.name;
        const seen = { method, url, from: socket.remoteAddress, peer, complete, headers: request.headers };
        response.end(JSON.stringify({ ...seen, body: Buffer.concat(pieces).toString() }));
      });
    },
    { method: "POST", path: "/v1/sessions/x?y=1", headers, body },
  );
  expect(JSON.parse(answer.body)).toEqual({
    method: "POST",
    url: "/v1/sessions/x?y=1",
    from: "fleet laptop",
    peer: "laptop",
    complete: true,
    headers: { ...headers, "content-length": "7" },
    body: '{"a":1}',
  });
});

test("the head is read once, with repeated headers joined, and a body is not cut into chunks", async () => {
  const answer = await answerOf((_request, response) => {
    response.setHeader("X-Twice", ["one", "two"]);
    response.writeHead(418, { "Content-Type": "text/plain; charset=utf-8" });
    response.write("first ünd ");
    setImmediate(() => response.end("second\r\n\r\nthird"));
  });
  expect([answer.status, answer.headers["x-twice"], answer.headers["transfer-encoding"]]).toEqual([
    418,
    "one, two",
    undefined,
  ]);
  expect([answer.body, answer.isComplete]).toEqual(["first ünd second\r\n\r\nthird", true]);
});

test("an answer to HEAD has no body", async () => {
  const answer = await answerOf((_request, response) => response.end("body"), { method: "HEAD" });
  expect([answer.status, answer.body, answer.isComplete]).toEqual([200, "", true]);
});

test("a receiver that takes no more holds the sender up, and lets it go on", async () => {
  let goOn: (() => void) | undefined;
  let isDrained = false;
  let received = 0;
  const over = new Promise<boolean>((resolve) => {
    const receiver: AnswerReceiver = {
      head: () => undefined,
      data(piece, done) {
        received += piece.length;
        if (goOn === undefined) goOn = done;
        else done();
      },
      end: resolve,
    };
    dispatch(
      appOf((_request, response) => {
        response.on("drain", () => {
          isDrained = !response.writableNeedDrain;
          response.end();
        });
        const piece = Buffer.alloc(10_000);
        let isFree = true;
        while (isFree) isFree = response.write(piece);
        expect(response.writableNeedDrain).toBe(true);
      }),
      requestWith({}),
      receiver,
    );
  });
  await new Promise(setImmediate);
  const before = received;
  await new Promise(setImmediate);
  expect([received, isDrained]).toEqual([before, false]);
  goOn?.();
  expect([await over, isDrained]).toEqual([true, true]);
});

test("a request that its caller ends is one whose connection has closed", async () => {
  const ends: boolean[] = [];
  let isWritten: boolean | undefined;
  const closed = new Promise<void>((resolve) => {
    const end = dispatch(
      appOf((_request, response) => {
        response.once("close", () => {
          isWritten = response.writableFinished;
          resolve();
        });
        response.write("begun");
      }),
      requestWith({}),
      { head: () => undefined, data: (_piece, done) => done(), end: (isComplete) => ends.push(isComplete) },
    );
    setImmediate(end);
  });
  await closed;
  expect([ends, isWritten]).toEqual([[false], false]);
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isComplete: boolean;
}

function appOf(handle: RequestListener): HttpApp {
  return { handle, messages: appMessages(express()) };
}

function answerOf(handle: RequestListener, request: Partial<DispatchedRequest> = {}): Promise<Answer> {
  return new Promise((resolve) => {
    let status = 0;
    let headers: Readonly<Record<string, string>> = {};
    const pieces: Buffer[] = [];
    dispatch(appOf(handle), requestWith(request), {
      head(given, all) {
        status = given;
        headers = all;
      },
      data(piece, done) {
        pieces.push(piece);
        done();
      },
      end: (isComplete) => resolve({ status, headers, body: Buffer.concat(pieces).toString(), isComplete }),
    });
  });
}

function requestWith(given: Partial<DispatchedRequest>): DispatchedRequest {
  return { peer: { name: "laptop" }, method: "GET", path: "/", headers: {}, body: Buffer.alloc(0), ...given };
}
