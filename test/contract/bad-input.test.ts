import { afterAll, beforeAll, expect, test } from "vitest";
import { methodNames, specs } from "../../core/commands/specs.ts";
import { badParams } from "./bad-params.ts";
import { exampleParams } from "./example-params.ts";
import { type PreparedSession, prepareSession } from "./prepare-session.ts";

let session: PreparedSession;
beforeAll(async () => {
  session = await prepareSession();
});
afterAll(() => session[Symbol.asyncDispose]());

test.each(methodNames)("%s refuses bad input, changes nothing, and the relay is well", async (method) => {
  const { relay, client } = session;
  const target = specs[method].untargeted === true ? "" : `,"target_client_id":${client.id}`;
  const before = session.snapshot();
  for (const { what, params } of badParams(specs[method].params, exampleParams[method])) {
    const answer = await relay.post(`{"method":"${method}","params":${params}${target}}`);
    expect([method, what, answer.status]).toEqual([method, what, what === "1 MiB of text" ? 413 : 400]);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.text).toMatch(/^[^\p{Cc}]{1,1000}\n$/u);
  }
  expect(session.snapshot()).toBe(before);
  expect(relay.errors).toEqual([]);
  expect(await relay.get("layout")).toMatchObject({ status: 200 });
  expect(Object.prototype).not.toHaveProperty("polluted");
});
