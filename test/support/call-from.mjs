/**
 * Sends HTTP requests from where it runs, such as a network namespace: reads one as a line of JSON, `{ id, url, method,
 * headers, body }`, and prints its answer, `{ id, status, headers, text }`. Status 0 stands for none.
 */
import { createInterface } from "node:readline";

for await (const line of createInterface(process.stdin)) void answer(JSON.parse(line));

/** @param {{ id: number, url: string, method: string, headers: Record<string, string>, body?: string }} request */
async function answer({ id, url, ...request }) {
  /** @type {{ status: number, headers: Record<string, string>, text: string }} */
  let result;
  try {
    const response = await fetch(url, request);
    result = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  } catch (error) {
    result = { status: 0, headers: {}, text: String(error) };
  }
  process.stdout.write(`${JSON.stringify({ id, ...result })}\n`);
}
