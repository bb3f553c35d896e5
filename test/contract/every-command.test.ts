import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { methodNames, specs } from "../../core/commands/specs.ts";
import { until } from "../support/until.ts";
import { isUntargeted } from "./equal-answers.ts";
import { exampleParams } from "./example-params.ts";
import { type PreparedSession, prepareFor, prepareSession } from "./prepare-session.ts";
import { specifiedCommands, specifiedEndpoints } from "./specification.ts";

describe("every declared command, over HTTP, answers what its declaration promises", () => {
  test.each(methodNames)("%s", async (method) => {
    // What shells do is the answer of their own commands only.
    await using session = await prepareSession({ onPaper: specs[method].area !== "shells" });
    await prepareFor(method, session);
    const { relay, client } = session;
    const target = isUntargeted(method) ? {} : { target_client_id: client.id };
    const answer = await relay.post({ method, params: exampleParams[method], ...target });
    expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/^\{"result":/)]);
    expect(Number(answer.headers.get("x-service-client"))).toBe(client.id);
    const parsed = specs[method].result.safeParse((JSON.parse(answer.text) as { result: unknown }).result);
    expect(parsed.error?.issues).toBeUndefined();
    expect(relay.errors).toEqual([]);
  });
});

describe("every endpoint of the specification is there", () => {
  let session: PreparedSession;
  beforeAll(async () => {
    session = await prepareSession();
  });
  afterAll(() => session[Symbol.asyncDispose]());

  test.each(specifiedEndpoints)("$verb $path", async ({ verb, path, auth, ...rest }) => {
    const { relay } = session;
    const url = `/v1/sessions/${relay.session}/${path}`;
    const body = verb === "POST" ? { body: {} } : {};
    const stranger = await relay.request(verb, url, { ...body, headers: { "X-Service-Token": "" } });
    expect([stranger.status, stranger.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(auth === "bearer" ? /^Bearer/ : /^ServiceToken/),
    ]);
    if ("sameAs" in rest) {
      // A shell's programs change its record by themselves, also between the two requests.
      await until("the shortcut and its method to answer the same", async () => {
        const { text } = await relay.request(verb, url);
        return isDeepStrictEqual(JSON.parse(text), { result: await relay.command(rest.sameAs) });
      });
    } else if (auth === "bearer") {
      const wanted = { owner: relay.relay.user, name: "t", scheme: "bearer", scopes: ["plugins:install"] } as const;
      const { secret } = relay.relay.keys.create(wanted);
      const answer = await relay.request(verb, url, { body: {}, headers: { Authorization: `Bearer ${secret}` } });
      expect(answer).toMatchObject({ status: 400, text: expect.stringMatching(/^body\.manifest_url: /) });
    } else expect(await relay.post({ method: "getRole", params: {} })).toMatchObject({ status: 200 });
  });
});

describe("every command of the reference is declared, with its arguments and options", () => {
  test.each(Object.entries(specifiedCommands))("%s", (name, { args = [], options = [] }) => {
    const methods = methodNames.filter((method) => specs[method].cli.some((form) => form.name === name));
    expect(methods).toHaveLength(1);
    const [method] = methods;
    const spec = method === undefined ? undefined : specs[method];
    const form = spec?.cli.find((candidate) => candidate.name === name);
    const positional = form?.clientArg === undefined ? (form?.args ?? []) : [form.clientArg];
    expect(positional.map(snakeCase)).toEqual(args);
    expect(Object.keys(spec?.params.shape ?? {}).map(snakeCase)).toEqual(expect.arrayContaining(options));
  });
});

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
