import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { InvalidAnswer, RelayUnreachable } from "../../../client/errors.ts";
import {
  CertificateMismatch,
  ForeignListener,
  type HttpAnswer,
  readText,
  send,
  trustOf,
  unreachableError,
} from "../../../client/http.ts";
import { makeCertificate } from "../../../main/relay/tls/make-certificate.ts";
import { ok, startFakeRelay } from "../cli/fake-relay.ts";

const url = new URL("http://127.0.0.1:7717/x");
const box = { name: "box" };

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

describe("a request", () => {
  test("is sent with its method, headers and a body as JSON, and read as text", async () => {
    await using relay = await startFakeRelay((_, response) => ok(response, "ä"));
    const at = new URL(`${relay.url}/a`);
    const answer = await send(at, { method: "PUT", headers: { "X-A": "b" }, body: { c: "ü" }, silenceMs: 1000 });
    expect([answer.statusCode, await readText(answer, at)]).toEqual([200, '{"result":"ä"}']);
    expect(relay.received).toMatchObject([
      {
        method: "PUT",
        url: "/a",
        body: { c: "ü" },
        headers: { "x-a": "b", "content-type": "application/json", "content-length": "10" },
      },
    ]);
    await readText(await send(at, { silenceMs: 0 }), at);
    expect(relay.received[1]).toMatchObject({ method: "GET", body: undefined });
    expect(relay.received[1]?.headers["content-type"]).toBeUndefined();
  });

  test("is sent as a form in place of a body", async () => {
    let got = "";
    const server = createServer(async (request, response) => {
      for await (const piece of request) got += String(piece);
      response.end(request.headers["content-type"]);
    });
    const at = new URL(`http://127.0.0.1:${await listening(server)}`);
    const answer = await send(at, { method: "POST", form: { a: "b c", d: "&" }, body: { x: 1 }, silenceMs: 0 });
    expect([await readText(answer, at), got]).toEqual(["application/x-www-form-urlencoded", "a=b+c&d=%26"]);
  });

  test("ends when nothing comes for a time, and with its signal", async () => {
    const at = new URL(`http://127.0.0.1:${await listening(createServer(() => undefined))}`);
    await expect(send(at, { silenceMs: 50, remote: box })).rejects.toThrow(
      `box (${at.origin}) does not answer: no data for 0 s.`,
    );
    const ended = send(at, { silenceMs: 0, signal: AbortSignal.abort() });
    await expect(ended).rejects.toMatchObject({ name: "AbortError" });
  });

  test("whose answer breaks off is told as lost", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "Content-Length": 10 });
      response.write("x", () => response.destroy());
    });
    const at = new URL(`http://127.0.0.1:${await listening(server)}`);
    await expect(readText(await send(at, { silenceMs: 0 }), at)).rejects.toThrow(RelayUnreachable);
  });

  test("is not sent to a remote with another certificate than the expected one", async () => {
    const [right, wrong] = [makeCertificate(["127.0.0.1"]), makeCertificate(["127.0.0.1"])];
    const port = await listening(createTlsServer(right, (_, response) => response.end("here")));
    const at = new URL(`https://127.0.0.1:${port}`);
    const remote = { name: "box", certificate: right.cert };
    expect(await readText(await send(at, { silenceMs: 0, remote }), at, remote)).toBe("here");
    for (const certificate of [wrong.cert, undefined])
      await expect(send(at, { silenceMs: 0, remote: { ...box, certificate } })).rejects.toThrow(CertificateMismatch);
  });
});

test("the answer of a remote has a largest size, that of this machine's relay has none", async () => {
  const piece = new Uint8Array(1024 ** 2).fill(97);
  async function* pieces(count: number) {
    for (let sent = 0; sent < count; sent++) yield piece;
  }
  const answer = (count: number): HttpAnswer => ({
    ...{ statusCode: 200, headers: {}, errored: null, destroy: () => undefined },
    [Symbol.asyncIterator]: () => pieces(count),
  });
  expect(await readText(answer(64), url, box)).toHaveLength(64 * 1024 ** 2);
  await expect(readText(answer(65), url, box)).rejects.toThrow(
    new InvalidAnswer("box sent more than 64 MiB as one answer, which no relay does."),
  );
  expect(await readText(answer(65), url)).toHaveLength(65 * 1024 ** 2);
});

test("the answer of a remote that goes on for ever is given up", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  async function* drops() {
    for (let count = 0; count < 200; count++) {
      yield new Uint8Array(1);
      vi.advanceTimersByTime(1000);
    }
  }
  const answer: HttpAnswer = {
    ...{ statusCode: 200, headers: {}, errored: null, destroy: () => undefined },
    [Symbol.asyncIterator]: drops,
  };
  await expect(readText(answer, url, box)).rejects.toThrow(
    new InvalidAnswer("box did not end its answer within 120 s."),
  );
  vi.useRealTimers();
});

describe("a connection that fails", () => {
  const failure = (code: string | undefined, message = "it broke", more: object = {}) =>
    Object.assign(new Error(message), { code, ...more });
  const hint = ": start the Patchbay app, or run `patchbay serve`.";

  test.each([
    [failure("ECONNREFUSED"), "nothing listens there"],
    [failure("EHOSTUNREACH"), "there is no route to it"],
    [failure("ENETUNREACH"), "there is no route to it"],
    [failure("EHOSTDOWN"), "there is no route to it"],
    [failure("ENOTFOUND", "x", { hostname: "box.example" }), "the name box.example cannot be found"],
    [failure("EAI_AGAIN", "x", { hostname: "box.example" }), "the name box.example cannot be found"],
    [failure(undefined), "it broke"],
    [failure("EPIPE", ""), "EPIPE"],
    [failure("XCERT_X"), "it broke"],
  ])("is described to the user: %s", (error, reason) => {
    expect(unreachableError(url, error)).toEqual(
      new RelayUnreachable(`No relay answers at http://127.0.0.1:7717 (${reason})${hint}`),
    );
    expect(unreachableError(url, error, box).message).toBe(`box (http://127.0.0.1:7717) does not answer: ${reason}.`);
    expect(unreachableError(url, error).cause).toBe(error);
  });

  test.each([
    "CERT_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "INVALID_CA",
    "PATH_LENGTH_EXCEEDED",
  ])("by the certificate (%s) says how to compare it, for a remote", (code) => {
    const error = unreachableError(url, failure(code), box);
    expect(error).toBeInstanceOf(CertificateMismatch);
    expect(error.message).toBe(
      "box (http://127.0.0.1:7717) was not called, because its certificate is not the expected one (it broke). If its relay made a new one, compare the fingerprint that it printed: `service remotes update box --fingerprint FINGERPRINT`.",
    );
    expect(unreachableError(url, failure(code))).not.toBeInstanceOf(CertificateMismatch);
  });

  test("because it was aborted, or another user listens there, is told as it is", () => {
    for (const error of [new DOMException("x", "AbortError"), new ForeignListener("x")])
      expect(unreachableError(url, error, box)).toBe(error);
  });
});

test("a remote is trusted by its certificate alone, or by the authorities, whatever the environment says", () => {
  expect(trustOf(box)).toEqual({ rejectUnauthorized: true });
  expect(trustOf({ ...box, certificate: "PEM" })).toEqual({
    ...{ rejectUnauthorized: true, ca: "PEM", allowPartialTrustChain: true },
  });
});

test("answers that share an allowance are read as far as it goes", async () => {
  const allowance = { left: 10 };
  const answer = (bytes: number): HttpAnswer => ({
    headers: {},
    errored: null,
    destroy: () => undefined,
    async *[Symbol.asyncIterator]() {
      yield Buffer.alloc(bytes, "a");
    },
  });
  expect(await readText(answer(10), url, { ...box, allowance })).toBe("a".repeat(10));
  await expect(readText(answer(1), url, { ...box, allowance })).rejects.toThrow(
    "box sent more than is read of a machine at once.",
  );
  expect(await readText(answer(1), url, box)).toBe("a");
});
