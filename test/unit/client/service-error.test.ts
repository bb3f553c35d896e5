import { expect, test } from "vitest";
import { nameRemote, serviceError } from "../../../client/service-error.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";

test("a refusal has the code of the relay's header, and its sentence", () => {
  expect(serviceError(409, "question_closed", "It was answered.\n")).toMatchObject({
    code: "question_closed",
    message: "It was answered.",
  });
});

test.each([
  [400, "invalid_request"],
  [401, "unauthenticated"],
  [403, "not_owner"],
  [404, "unknown_route"],
  [429, "too_many_failures"],
  [500, "internal"],
  [502, "internal"],
  [504, "no_answer"],
])("without a known header, as a proxy answers, HTTP status %d is %s", (status, code) => {
  for (const header of [undefined, "code_of_a_newer_relay"])
    expect(serviceError(status, header, "")).toMatchObject({
      code,
      message: `The relay answered with HTTP status ${status}.`,
    });
});

test("what an answer says controls no terminal, and has an end", () => {
  expect(serviceError(400, undefined, "a\u001b[2Jb\u009bc\nd").message).toBe("a[2Jbc\nd");
  expect(serviceError(400, undefined, "x".repeat(5000)).message).toHaveLength(4000);
});

test("a name that an earlier relay does not know is told with the mend", () => {
  for (const [header, body] of [
    ["unknown_route", "No such path."],
    ["unknown_method", "No such method."],
    ["invalid_params", 'params."hold": no such parameter; there are id.'],
  ] as const)
    expect(serviceError(404, header, body).message).toMatch(/earlier version than this program: restart it\.$/);
  expect(serviceError(400, "invalid_params", "params.id: expected a number.").message).not.toMatch(/restart/);
});

test("a refused key is told with the remote whose it is", () => {
  const refused = new RemoteError("unauthenticated", "The credential is not valid.");
  const remote = { name: "box" };
  expect(nameRemote(refused, remote).message).toMatch(/^box refuses its key: .*remotes update box --key/);
  const other = new RemoteError("unknown_route", "No such path.");
  expect(nameRemote(other, remote)).toBe(other);
});
