import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findRelay } from "../../../client/find-relay.ts";

const MORE_THAN_ANY_PID = 2_000_000_000;

let data = "";
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "patchbay-cli-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

const relay = { url: "http://127.0.0.1:7717", pid: process.pid, version: "1", startedAt: "x", session: "s" };

function announce(content: unknown) {
  writeFileSync(join(data, "relay.json"), typeof content === "string" ? content : JSON.stringify(content));
}

test("finds the running relay in the data folder", () => {
  announce(relay);
  expect(findRelay({ env: { PATCHBAY_DATA: data } })).toEqual({ url: relay.url, file: relay });
  expect(findRelay({ data, env: { SERVICE_URL: "http://127.0.0.1:1" } })).toEqual({ url: relay.url, file: relay });
});

test("a relay.json that is a pipe or endless is no relay, and is not waited for", () => {
  const file = join(data, "relay.json");
  execFileSync("mkfifo", [file]);
  expect(() => findRelay({ data, env: {} })).toThrow("cannot be read");
  rmSync(file);
  symlinkSync("/dev/zero", file);
  expect(() => findRelay({ data, env: {} })).toThrow("cannot be read");
});

test("an address that is given wins, and what the relay says is used only when it is that relay", () => {
  announce(relay);
  const env = { PATCHBAY_DATA: data, SERVICE_URL: "http://127.0.0.1:1" };
  expect(findRelay({ env })).toEqual({ url: "http://127.0.0.1:1" });
  expect(findRelay({ url: relay.url, env })).toEqual({ url: relay.url, file: relay });
  expect(() => findRelay({ url: "nonsense", env })).toThrow(expect.objectContaining({ reason: "usage" }));
});

test("tells a relay that is not running from one that has died", () => {
  const env = { PATCHBAY_DATA: data };
  const look = () => findRelay({ env });
  expect(look).toThrow(
    expect.objectContaining({ reason: "unreachable", message: expect.stringContaining("No relay is running") }),
  );
  announce({ ...relay, pid: MORE_THAN_ANY_PID });
  expect(look).toThrow(
    expect.objectContaining({ reason: "unreachable", message: expect.stringContaining("has ended without notice") }),
  );
  announce("{");
  expect(look).toThrow(
    expect.objectContaining({ reason: "unreachable", message: expect.stringContaining("cannot be read") }),
  );
});
