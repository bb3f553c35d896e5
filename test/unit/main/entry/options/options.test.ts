import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parseOptions, UsageError } from "../../../../../main/entry/options/options.ts";

const parse = (...args: string[]) => parseOptions(args, { PATCHBAY_DATA: "/data" });

test("without words everything has its default", () => {
  expect(parse()).toEqual({
    host: "127.0.0.1",
    port: 7717,
    data: resolve("/data"),
    ownData: false,
    said: { port: false, listen: false },
    basePath: "",
    client: false,
    hidden: false,
    keepShells: false,
    commandTimeoutMs: 10_000,
    logLevel: "info",
  });
});

test("every option is read", () => {
  expect(parse("--port", "0", "--data", "x", "--base-path", "/a/b/", "--client", "--hidden")).toMatchObject({
    port: 0,
    data: join(process.cwd(), "x"),
    ownData: true,
    basePath: "/a/b",
    client: true,
    hidden: true,
  });
  expect(parse("--base-path", "/").basePath).toBe("");
  expect(parse("--log-level", "debug").logLevel).toBe("debug");
  expect(parseOptions(["--log-level=3"], {}, { strict: false }).logLevel).toBe("info");
  expect(parseOptions([], { SERVICE_COMMAND_TIMEOUT_MS: "250" }).commandTimeoutMs).toBe(250);
});

test("where the app has kept a place, the command line goes before it", () => {
  const kept = (data: string) => {
    expect(data).toBe(resolve("/data"));
    return { port: 7800, outside: true };
  };
  const read = (...args: string[]) => parseOptions(args, { PATCHBAY_DATA: "/data" }, { kept });
  expect(read()).toMatchObject({
    port: 7800,
    outside: { host: "0.0.0.0", port: 7801 },
    said: { port: false, listen: false },
  });
  expect(read("--port", "0")).toMatchObject({ port: 0, outside: { port: 0 }, said: { port: true } });
  expect(read("--listen", "192.0.2.7:8443")).toMatchObject({
    port: 7800,
    outside: { host: "192.0.2.7", port: 8443 },
    said: { port: false, listen: true },
  });
  expect(read("--listen", "localhost:9000")).toMatchObject({ port: 9000, said: { port: true, listen: true } });
  expect(read("--listen", "localhost:9000").outside).toBeUndefined();
});

test.each([
  [["--port", "x"], '--port: expected a number from 0 to 65535, got "x".'],
  [["--port", "65536"], 'got "65536"'],
  [["--port=-1"], 'got "-1"'],
  [["--log-level", "loud"], "--log-level: expected one of debug, info, warn, error"],
  [["--log-level", "3"], 'got "3"'],
  [["--base-path", "x"], "--base-path: expected a path such as /x"],
  [["--base-path", "/x?y"], "--base-path"],
  [["--base-path", "/.."], "--base-path"],
  [["--nonsense"], "--nonsense"],
  [["word"], "word"],
  [["--data", ""], "data"],
])("%j is a usage error", (args, message) => {
  expect(() => parse(...args)).toThrow(UsageError);
  expect(() => parse(...args)).toThrow(message);
});

test.each(["0", "-5", "soon", "Infinity"])("a timeout of %s is a usage error", (text) => {
  expect(() => parseOptions([], { SERVICE_COMMAND_TIMEOUT_MS: text })).toThrow("SERVICE_COMMAND_TIMEOUT_MS");
});

test("a packaged app passes Chromium's own words over", () => {
  expect(parseOptions(["--no-sandbox", "--client"], {}, { strict: false }).client).toBe(true);
});

test("--keep-chat takes a number of messages, at least those that a session shows", () => {
  expect(parseOptions(["--keep-chat", "20000"], {}).keepChat).toBe(20_000);
  for (const given of ["999", "-1", "1e4", "all", ""]) {
    expect(() => parseOptions(["--keep-chat", given], {})).toThrow("--keep-chat: expected a number from 1000");
  }
});
