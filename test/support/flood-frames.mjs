/**
 * A client in a process of its own that sends one frame without end, as fast as its socket takes them, until its standard
 * input ends; then prints how many it sent. `node flood-frames.mjs URL KEY HELLO FRAME`
 */
import { WebSocket } from "ws";

const [url = "", key = "", hello = "", frame = ""] = process.argv.slice(2);
const socket = new WebSocket(url, { headers: { "X-Service-Token": key } });
let sent = 0;
socket.on("open", () => {
  socket.send(hello);
  setInterval(() => {
    for (let index = 0; index < 2_000 && socket.bufferedAmount < 1e6; index += 1) {
      socket.send(frame);
      sent += 1;
    }
  }, 5);
});
process.stdin.resume().on("end", () => {
  process.stdout.write(JSON.stringify({ sent, open: socket.readyState === WebSocket.OPEN }), () => process.exit(0));
});
