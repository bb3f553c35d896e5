/** A web server as a developer's could be, and as unfriendly as one could be: it tells what it was asked. */
import { createServer } from "node:http";
import { WebSocketServer } from "ws";

const [, , host = "127.0.0.1", port = "0"] = process.argv;

const server = createServer((request, response) => {
  switch (request.url) {
    case "/cookies":
      response.setHeader("Set-Cookie", ["own=1; Domain=localhost; Path=/", "patchbay_guest_x=stolen; Path=/"]);
      response.setHeader("Clear-Site-Data", '"cookies"');
      response.setHeader("Strict-Transport-Security", "max-age=1000");
      response.end("cookies");
      break;
    case "/redirect":
      response.writeHead(302, { Location: `http://localhost:${server.address().port}/landed?a=1` }).end();
      break;
    case "/away":
      response.writeHead(302, { Location: "https://example.test/there" }).end();
      break;
    case "/stream":
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write("data: first\n\n");
      server.once("again", () => response.write("data: second\n\n"));
      break;
    case "/again":
      server.emit("again");
      response.end();
      break;
    default: {
      let body = "";
      request.on("data", (piece) => (body += piece));
      request.on("end", () =>
        response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body })),
      );
    }
  }
});
new WebSocketServer({ server }).on("connection", (socket, { headers }) => {
  socket.send(JSON.stringify(headers));
  socket.on("message", (data) => socket.send(`echo ${data}`));
});
server.listen(Number(port), host);
