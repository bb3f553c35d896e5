/** A web server as a developer's could be. */
import { createServer } from "node:http";

const [, , host = "127.0.0.1", port = "0"] = process.argv;

createServer((_request, response) => response.end("here")).listen(Number(port), host);
