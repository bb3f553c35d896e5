import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { duplexPair } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { UnreadAnswers } from "../../../../../main/relay/http/unread-answers.ts";
import { CountedBody } from "../../../../../main/relay/net/counted-body.ts";
import { sendJson } from "../../../../../main/relay/net/send.ts";
import { until } from "../../../../support/until.ts";

const MIB = 1024 * 1024;
/** More than the system takes for both ends of a connection on this machine. */
const ANSWER = Buffer.alloc(16 * MIB, "x");
const MESSAGE = { result: { output: ANSWER.toString() } };
/** Of that message, in bytes. */
const IN_PIECES = JSON.stringify(MESSAGE).length;
const limits = { refuseAbove: 30 * MIB, cutAbove: 60 * MIB, giveUpAfter: 60_000 };

/** A server that answers the caller named by a request's path, and refuses as the relay does. */
async function startServer({ inPieces = false, ...chosen }: Partial<typeof limits> & { inPieces?: boolean } = {}) {
  const cuts: string[] = [];
  const unread = new UnreadAnswers({ cut: (reason) => void cuts.push(reason) }, { ...limits, ...chosen });
  let answered = 0;
  const server = createServer((request, response) => {
    try {
      unread.watch(request.url ?? "", response);
      if (request.method === "HEAD") response.end();
      else if (inPieces) sendJson(response, MESSAGE);
      else response.end(ANSWER);
    } catch {
      response.writeHead(429).end();
    }
    answered += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    cuts,
    server,
    url: `http://127.0.0.1:${port}`,
    /** Asks and reads nothing. */
    async ask(caller: string, times = 1): Promise<Socket[]> {
      const before = answered;
      const asked = Array.from({ length: times }, () => {
        const socket = connect(port, "127.0.0.1");
        socket.on("error", () => undefined).pause();
        socket.write(`GET /${caller} HTTP/1.1\r\nHost: here\r\n\r\n`);
        return socket;
      });
      sockets.push(...asked);
      await until("the answers to be made", () => answered === before + times);
      return asked;
    },
  };
}

test("who leaves too much unread is refused, others are not, and reading gives room", async () => {
  const { ask, url, cuts } = await startServer();
  const unread = await ask("greedy", 3);
  expect((await fetch(`${url}/greedy`)).status).toBe(429);
  const modest = await fetch(`${url}/modest`);
  expect((await modest.arrayBuffer()).byteLength).toBe(ANSWER.length);
  for (const socket of unread) socket.resume();
  await until("the caller to be served", async () => (await fetch(`${url}/greedy`, { method: "HEAD" })).status === 200);
  expect(cuts).toEqual([]);
});

test("so is who leaves answers in pieces unread, and who reads them is not, however many there are", async () => {
  const { ask, url, cuts } = await startServer({ inPieces: true });
  const reading = await Promise.all(
    Array.from({ length: 8 }, async () => (await (await fetch(`${url}/quick`)).arrayBuffer()).byteLength),
  );
  expect(new Set(reading)).toEqual(new Set([IN_PIECES]));
  const unread = await ask("greedy", 3);
  await until(
    "the caller to be refused",
    async () => (await fetch(`${url}/greedy`, { method: "HEAD" })).status === 429,
  );
  expect((await fetch(`${url}/modest`, { method: "HEAD" })).status).toBe(200);
  for (const socket of unread) socket.resume();
  await until("the caller to be served", async () => (await fetch(`${url}/greedy`, { method: "HEAD" })).status === 200);
  expect(cuts).toEqual([]);
});

test("answers in pieces beyond the limit are cut, and given up when nothing is read", async () => {
  const many = await startServer({ inPieces: true, refuseAbove: Number.POSITIVE_INFINITY });
  await many.ask("greedy", 20);
  await until(
    "the answers to be cut",
    () => many.cuts.length > 20 - 1 - Math.ceil(limits.cutAbove / (ANSWER.length / 2)),
  );
  const silent = await startServer({ inPieces: true, giveUpAfter: 50 });
  await silent.ask("silent");
  await until("the answer to be given up", () => silent.cuts.length > 0);
});

test("answers made at the same time beyond the limit are cut, the latest first", async () => {
  const { ask, cuts } = await startServer({ refuseAbove: Number.POSITIVE_INFINITY });
  await ask("greedy", 20);
  // At most what the system took of each is not counted.
  expect(cuts.length).toBeGreaterThan(20 - 1 - Math.ceil(limits.cutAbove / (ANSWER.length / 2)));
  expect(new Set(cuts)).toEqual(new Set(["unread"]));
});

test("a single answer over the limit is sent whole", async () => {
  const { url, cuts } = await startServer({ refuseAbove: 1, cutAbove: 1 });
  expect((await (await fetch(`${url}/one`)).arrayBuffer()).byteLength).toBe(ANSWER.length);
  expect(cuts).toEqual([]);
});

test("an answer over a connection in memory, which has no timeouts, is sent whole", async () => {
  const { server, cuts } = await startServer();
  const [near, far] = duplexPair();
  server.emit("connection", far);
  near.write("GET /inside HTTP/1.0\r\nHost: here\r\n\r\n");
  const answer = Buffer.concat(await near.toArray());
  expect(answer.length).toBeGreaterThan(ANSWER.length);
  expect(cuts).toEqual([]);
});

test("an answer of which nothing is read is given up", async () => {
  const { ask, cuts } = await startServer({ giveUpAfter: 50 });
  await ask("silent");
  await until("the answer to be given up", () => cuts.length > 0);
});

test("a stream whose reader has caught up may be silent, and counts while it is not read", async () => {
  const cuts: string[] = [];
  const unread = new UnreadAnswers({ cut: (reason) => void cuts.push(reason) }, { ...limits, giveUpAfter: 500 });
  let body: CountedStream | undefined;
  const idle: string[] = [];
  const server = createServer((_request, response) => {
    unread.watch("slow", response);
    response.socket?.on("timeout", () => idle.push("timeout"));
    body = new CountedStream();
    body.push(Buffer.alloc(31 * MIB, "x"));
    body.pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.write("GET / HTTP/1.1\r\nHost: here\r\n\r\n");
  await until("it to count", () => unread.refusal("slow")?.code === "too_many_requests");
  expect(unread.refusal("quick")).toBeUndefined();
  socket.resume();
  await until("it to be read", () => unread.refusal("slow") === undefined);
  await until("it to be silent", () => idle.length > 0);
  expect([cuts, socket.closed]).toEqual([[], false]);
});

/** A body to which its test gives what it holds. */
class CountedStream extends CountedBody {
  override get unsent(): number {
    return this.readableLength;
  }

  override _read(): void {
    // Pushed by the test.
  }
}
