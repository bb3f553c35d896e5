/**
 * The baselines of the relay, each the minimum for its job: Express 5 that parses a body and returns a given one, a
 * WebSocket that echoes, a POST that is forwarded to all sockets, a terminal with input by WebSocket or POST and output
 * on the WebSocket, and one that prints as fast as it can. `node bare-server.mjs ANSWER` prints its port; it ends with
 * its parent.
 */
import { createServer } from "node:http";
import { spawn } from "@lydell/node-pty";
import express from "express";
import { WebSocket, WebSocketServer } from "ws";

const answer = JSON.parse(process.argv[2] ?? "null");
const app = express();
app.post("/command", express.json(), (_request, response) => {
  response.json(answer);
});
app.post("/broadcast", express.json(), (request, response) => {
  const text = JSON.stringify(request.body);
  for (const socket of listeners.clients) if (socket.readyState === WebSocket.OPEN) socket.send(text);
  response.json({ result: null });
});
/** @type {import("@lydell/node-pty").IPty | undefined} */
let terminal;
app.post("/key", express.json(), (request, response) => {
  terminal?.write(request.body.params.data);
  response.json({ result: null });
});

const server = createServer(app);
const echo = new WebSocketServer({ noServer: true });
const listeners = new WebSocketServer({ noServer: true });
echo.on("connection", (socket) => socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary })));
const typing = new WebSocketServer({ noServer: true });
typing.on("connection", (socket) => {
  terminal = spawn("/bin/sh", ["-c", "cat > /dev/null"], { cols: 160, rows: 48, encoding: null });
  terminal.onData((data) => socket.send(data));
  socket.on("message", (data) => terminal?.write(String(data)));
  socket.on("close", () => terminal?.kill());
});
const flood = new WebSocketServer({ noServer: true });
flood.on("connection", (socket) => {
  const yes = spawn("/bin/sh", ["-c", "yes"], { cols: 160, rows: 48, encoding: null });
  let first = true;
  yes.onData(() => {
    if (first) socket.send("it prints");
    first = false;
  });
  socket.on("close", () => yes.kill());
});
/** @type {Readonly<Record<string, WebSocketServer>>} */
const places = { "/echo": echo, "/terminal": typing, "/flood": flood };
server.on("upgrade", (request, socket, head) => {
  const place = places[request.url ?? ""] ?? listeners;
  place.handleUpgrade(request, socket, head, (opened) => place.emit("connection", opened));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.stdout.write(`${address.port}\n`);
});
process.stdin.on("end", () => process.exit(0)).resume();
