/** The baseline: a page with only xterm.js, connected directly to node-pty. Prints its port; ends with its parent. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { spawn } from "@lydell/node-pty";
import { WebSocketServer } from "ws";

const xterm = path.dirname(createRequire(import.meta.url).resolve("@xterm/xterm/package.json"));
const files = new Map([
  ["/xterm.mjs", ["text/javascript", readFileSync(path.join(xterm, "lib/xterm.mjs"))]],
  ["/xterm.css", ["text/css", readFileSync(path.join(xterm, "css/xterm.css"))]],
  ["/", ["text/html", page()]],
]);

const server = createServer((request, response) => {
  const [type, body] = files.get(request.url?.split("?")[0] ?? "/") ?? ["text/plain", "none"];
  response.setHeader("Content-Type", String(type));
  response.end(body);
});
new WebSocketServer({ server }).on("connection", (socket, request) => {
  const size = new URL(request.url ?? "/", "http://bare").searchParams;
  const pty = spawn("/bin/bash", ["--norc"], {
    cols: Number(size.get("cols")),
    rows: Number(size.get("rows")),
    env: { PATH: process.env.PATH, TERM: "xterm-256color" },
  });
  pty.onData((data) => socket.send(data));
  socket.on("message", (data) => pty.write(String(data)));
  socket.on("close", () => pty.kill());
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.stdout.write(`${address.port}\n`);
});
process.stdin.on("end", () => process.exit(0)).resume();

function page() {
  return `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="xterm.css">
<style>body { margin: 0; background: #000 }</style><div id="terminal"></div>
<script type="module">
import { Terminal } from "./xterm.mjs";
const { searchParams } = new URL(location.href);
const size = { cols: Number(searchParams.get("cols")), rows: Number(searchParams.get("rows")) };
// The reports that Patchbay gives, which programs ask for before they draw images.
const windowOptions = { getWinSizePixels: true, getCellSizePixels: true, getWinSizeChars: true };
const terminal = new Terminal({ ...size, windowOptions, fontSize: 13, lineHeight: 1.2, scrollback: 10000 });
const attributes = searchParams.get("attributes");
if (attributes !== null) {
  terminal.parser.registerCsiHandler({ final: "c" }, ([kind]) => {
    if (kind === 0) terminal.input("\\u001b[" + attributes + "c", false);
    return kind === 0;
  });
}
terminal.open(document.getElementById("terminal"));
const socket = new WebSocket("ws://" + location.host + "/?cols=" + size.cols + "&rows=" + size.rows);
socket.onmessage = ({ data }) => terminal.write(data);
terminal.onData((data) => socket.send(data));
terminal.focus();
</script>`;
}
