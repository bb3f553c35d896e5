import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { methodNames, specs } from "../../core/commands/specs.ts";
import { runCli } from "../unit/cli/run-cli.ts";
import { exampleParams } from "./example-params.ts";
import {
  type PreparedSession,
  prepareFor,
  prepareSession,
  prepareSessionFor,
  tokenOfShell,
} from "./prepare-session.ts";
import { specifiedCommands } from "./specification.ts";

/** Serves the commands that change nothing; each other command has a session of its own. */
let unchanged: PreparedSession;
const names = methodNames.flatMap((method) => specs[method].cli.map(({ name }) => name));
const specified = Object.keys(specifiedCommands);

beforeAll(async () => {
  unchanged = await prepareSession();
});
afterAll(() => unchanged[Symbol.asyncDispose]());

test("nothing that the specification names is missing", () => {
  expect(specified.filter((name) => !names.includes(name))).toEqual([]);
});

describe.each(["with an API key", "inside a shell that its owner opened"])("%s", (where) => {
  const inside = where.startsWith("inside");
  test.each(names)("service func %s", { tags: inside ? ["slow"] : [] }, async (name) => {
    if (specs[methodOf(name)].readsOnly) return await check(name, inside, unchanged);
    await using session = await (inside ? prepareSession() : prepareSessionFor(methodOf(name)));
    await check(name, inside, session);
  });
});

async function check(name: string, inside: boolean, session: PreparedSession): Promise<void> {
  const method = methodOf(name);
  const { relay, client } = session;
  const token = inside ? await tokenOfShell(session, 2) : relay.key;
  await prepareFor(method, session);
  const argv = ["func", name, ...wordsFor(name, client.id), "--json"];
  const own = { SERVICE_URL: relay.url, SERVICE_TOKEN: token, SERVICE_SESSION: relay.session };
  const { code, out, err } = await runCli(argv, { env: inside ? { ...own, SERVICE_SHELL_ID: "2" } : own });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  if (name !== "show-tree") {
    expect(specs[method].result.safeParse(JSON.parse(out)).error?.issues).toBeUndefined();
  }
}

/** The example parameters of a command as words of the command line. */
function wordsFor(name: string, client: number): string[] {
  const method = methodOf(name);
  const form = specs[method].cli.find((candidate) => candidate.name === name);
  if (form === undefined) throw new Error(`${name} is not declared`);
  const params = exampleParams[method];
  const args = form.args ?? [];
  const written = (key: string, value: unknown) => (form.json?.includes(key) ? JSON.stringify(value) : String(value));
  const options = Object.entries(params).filter(([key]) => !args.includes(key) && !(key in (form.preset ?? {})));
  return [
    ...(form.clientArg === undefined ? [] : [String(client)]),
    ...args.flatMap((key) => (key in params ? [written(key, params[key])] : [])),
    ...options.flatMap(([key, value]) => {
      const word = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      if (typeof value === "boolean") return [value ? `--${word}` : `--no-${word}`];
      return [`--${word}`, written(key, value)];
    }),
  ];
}

function methodOf(name: string) {
  const method = methodNames.find((candidate) => specs[candidate].cli.some((form) => form.name === name));
  if (method === undefined) throw new Error(`${name} is not declared`);
  return method;
}
