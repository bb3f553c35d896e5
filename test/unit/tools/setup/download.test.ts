import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { download } from "../../../../tools/setup/download.mjs";
import { DownloadError } from "../../../../tools/setup/download-error.mjs";
import { checkIntegrity } from "../../../../tools/setup/integrity.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

const never = new AbortController().signal;

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
}

test("a download arrives whole and tells how far it is", async () => {
  const content = Buffer.alloc(300_000, 7);
  const url = await serve((_request, response) => response.setHeader("content-length", content.length).end(content));
  const file = path.join(temporaryFolder(), "file");
  const steps: [number, number][] = [];
  await download(url, file, { signal: never, onProgress: (...step: [number, number]) => steps.push(step) });
  expect(await readFile(file)).toEqual(content);
  expect(steps.at(-1)).toEqual([content.length, content.length]);
});

test.each<[string, RequestListener, RegExp]>([
  ["an error status", (_q, r) => r.writeHead(404).end(), /answered 404/],
  ["no answer", () => {}, /no answer within/],
  ["a transfer that stops", (_q, r) => r.writeHead(200, { "content-length": 9 }).write("half"), /nothing came for/],
  ["a cut connection", (_q, r) => r.writeHead(200, { "content-length": 9 }).write("half", () => r.destroy()), /./],
])("%s is a DownloadError", async (_name, answer, message) => {
  const url = await serve(answer);
  const file = path.join(temporaryFolder(), "file");
  const outcome = download(url, file, { signal: never, answerWithinMs: 300, stallAfterMs: 300 });
  await expect(outcome).rejects.toThrow(DownloadError);
  await expect(outcome).rejects.toThrow(message);
});

test("a server that refuses is a DownloadError at once", async () => {
  const url = await serve(() => {});
  const refusing = url.replace(/:\d+/, ":1");
  const outcome = download(refusing, path.join(temporaryFolder(), "file"), { signal: never });
  await expect(outcome).rejects.toThrow(DownloadError);
});

test("the user's stop is not taken for a fault of the network", async () => {
  const url = await serve(() => {});
  const stop = new AbortController();
  const outcome = download(url, path.join(temporaryFolder(), "file"), { signal: stop.signal });
  stop.abort(new Error("stopped"));
  await expect(outcome).rejects.toThrow("stopped");
});

test("a single changed byte is noticed", async () => {
  const file = path.join(temporaryFolder(), "file");
  const content = Buffer.alloc(100_000, 3);
  const digest = createHash("sha512").update(content).digest("base64");
  const expected = { algorithm: "sha512", digest, encoding: "base64" };
  await writeFile(file, content);
  await checkIntegrity(file, expected);
  content[50_000] = 4;
  await writeFile(file, content);
  await expect(checkIntegrity(file, expected)).rejects.toThrow(DownloadError);
});
