import { execFile } from "node:child_process";
import { createServer, request as passOn } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";

const run = promisify(execFile);
const bin = (name: string) => path.join(process.env.PATCHBAY_MCP_TOOLS ?? "", "node_modules", ".bin", name);

let relay: TestRelay;

beforeAll(async () => {
  relay = await startTestRelay();
  await relay.join();
});
afterAll(() => relay[Symbol.asyncDispose]());

describe("the MCP server", () => {
  test("passes every scenario of the protocol's conformance tests that applies to it", async () => {
    await using door = await withKey(relay);
    const expected = path.join(import.meta.dirname, "mcp-expected-failures.yml");
    const words = ["server", "--url", door.url, "--suite", "all", "--expected-failures", expected];
    const ran = await run(bin("conformance"), [...words, "--output-dir", relay.folder], { maxBuffer: 2 ** 26 }).catch(
      (failed: { stdout: string; stderr: string; code: number }) => failed,
    );
    // What the suite says of each scenario is the message of a failure.
    const summary = ran.stdout.slice(ran.stdout.lastIndexOf("=== SUMMARY ==="));
    expect([summary, "code" in ran ? ran.code : 0]).toEqual([summary, 0]);
    const passed = [...summary.matchAll(/✓ ([a-z0-9-]+):/g)].map(([, name]) => name);
    expect(passed).toEqual(
      expect.arrayContaining([
        "server-initialize",
        "ping",
        "tools-list",
        "server-sse-multiple-streams",
        "resources-list",
        "dns-rebinding-protection",
      ]),
    );
  });

  test("is used by the protocol's inspector: tools are listed, one is called", async () => {
    const inspect = async (...words: string[]) => {
      const at = ["--cli", `${relay.url}/v1/mcp`, "--transport", "http", "--header", `X-Service-Token: ${relay.key}`];
      const { stdout } = await run(bin("mcp-inspector-cli"), [...at, ...words], { maxBuffer: 2 ** 26 });
      return JSON.parse(stdout) as unknown;
    };
    const Tools = z.object({ tools: z.array(z.object({ name: z.string() })) });
    const { tools } = Tools.parse(await inspect("--method", "tools/list"));
    expect(tools.map(({ name }) => name)).toContain("runCommand");
    const { key } = await relay.command<{ key: number }>("createShell");
    const words = ["--tool-name", "runCommand", "--tool-arg", `tile=${key}`, "command=exit_7() { return 7; }; exit_7"];
    expect(await inspect("--method", "tools/call", ...words, "wait=true")).toMatchObject({
      structuredContent: { exitCode: 7 },
    });
  });
});

/**
 * Puts a server before a relay that adds the key, because the suite can send none. Everything else of a request stays,
 * a foreign Host and Origin too; the server's own address stands for the relay's.
 */
async function withKey({ url, key }: TestRelay) {
  const { hostname, port, host } = new URL(url);
  const server = createServer((asked, answer) => {
    const own = `localhost:${(server.address() as AddressInfo).port}`;
    const headers: Record<string, string | string[] | undefined> = { ...asked.headers, "x-service-token": key };
    if (headers.host === own) headers.host = host;
    if (headers.origin === `http://${own}`) headers.origin = `http://${host}`;
    const inner = passOn({ hostname, port, path: asked.url, method: asked.method, headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      answer.flushHeaders();
      given.pipe(answer);
    });
    inner.on("error", () => answer.destroy());
    answer.on("close", () => inner.destroy());
    asked.pipe(inner);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/v1/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
