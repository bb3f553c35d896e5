import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shellsEnvironment, withoutCollectorKeys } from "../../../../main/entry/shells-environment.ts";

let folder: string;
let bin: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "patchbay-place-"));
  bin = join(folder, "bin");
  mkdirSync(bin);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the commands of a checkout and of a package come first in PATH, once", () => {
  for (const dist of [join(folder, "dist"), join(folder, "dist/"), join(folder, "resources/app.asar/dist")]) {
    expect(shellsEnvironment(dist, { HOME: "/home/me", PATH: `/usr/bin:${bin}:/bin` })).toEqual({
      HOME: "/home/me",
      PATH: `${bin}:/usr/bin:/bin`,
    });
  }
});

test("an environment without PATH gets one, and Windows' spelling stays", () => {
  expect(shellsEnvironment(join(folder, "dist"), {})).toEqual({ PATH: bin });
  expect(shellsEnvironment(join(folder, "dist"), { Path: "/usr/bin" })).toEqual({ Path: `${bin}:/usr/bin` });
});

test("where no commands lie, nothing is added", () => {
  const environment = { PATH: "/usr/bin" };
  expect(shellsEnvironment(join(folder, "elsewhere", "dist"), environment)).toEqual(environment);
});

test("the headers for the relay's collector are no shell's, and other variables are", () => {
  const kept = { PATH: "/bin", OTEL_TRACES_SAMPLER: "always_on", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: "Authorization=x", OTEL_EXPORTER_OTLP_TRACES_HEADERS: "a=b" };
  expect(withoutCollectorKeys({ ...kept, ...headers })).toEqual(kept);
});
