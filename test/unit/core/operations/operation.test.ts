import { expect, test } from "vitest";
import { requestOf } from "../../../../core/operations/operation.ts";

const http = { method: "GET", path: "sessions/:session/history/:shell/export" } as const;

test("a request has its parameters in the path and the query, and is refused without one of the path", () => {
  expect(requestOf(http, { session: "a b", shell: 3, since: "10m", until: undefined })).toEqual({
    path: "sessions/a%20b/history/3/export?since=10m",
    body: undefined,
  });
  expect(() => requestOf(http, { session: "a" })).toThrow("params.shell: expected a value, got nothing.");
});
