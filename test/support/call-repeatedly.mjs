/**
 * A caller in a process of its own: sends one GET after another over one connection until its standard input ends, then
 * prints the milliseconds that each took as a JSON array. `node call-repeatedly.mjs URL KEY`
 */
import { Agent, request } from "node:http";

const [url = "", key = ""] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const times = [];
let ended = false;
process.stdin.resume().on("end", () => {
  ended = true;
});

while (!ended) times.push(await call());
process.stdout.write(JSON.stringify(times));
agent.destroy();

/** @returns {Promise<number>} */
function call() {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const sent = request(url, { agent, headers: { "X-Service-Token": key } }, (answer) => {
      answer.resume().on("end", () => {
        if (answer.statusCode === 200) resolve(performance.now() - startedAt);
        else reject(new Error(`status ${answer.statusCode}`));
      });
    });
    sent.on("error", reject).end();
  });
}
