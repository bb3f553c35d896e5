import { describe, expect, test } from "vitest";
import { methodNames, specs } from "../../../../../core/commands/specs.ts";
import { operationNames, operations } from "../../../../../core/operations/index.ts";
import { type OperationSpec, paramsIn, splitParams } from "../../../../../core/operations/operation.ts";
import { parseParams } from "../../../../../core/protocol/parse-params.ts";
import { openApiDocument } from "../../../../../main/relay/docs/openapi.ts";
import { checkDescribed, commandFaults, type Exchange, resultFaults } from "../../../../support/described-answer.ts";

const document = JSON.parse(JSON.stringify(openApiDocument({ url: "http://127.0.0.1:7717", version: "1.2.3" })));
const text: string = JSON.stringify(document);
const operation = document.paths["/v1/sessions/{session_id}/remote/command"].post;
const content = operation.requestBody.content["application/json"];

test("every reference leads somewhere, and only to whole components", () => {
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = ""]) => reference);
  for (const reference of new Set(references)) {
    const [root, part = "", name = "", ...deeper] = reference.replace(/^#\//, "").split("/");
    expect([reference, root, deeper, document.components[part]?.[name] !== undefined]).toEqual([
      reference,
      "components",
      [],
      true,
    ]);
  }
});

test("every operation has an id of its own", () => {
  const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
  expect(ids.length).toBeGreaterThan(35);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a parameter of the query is required exactly where a request without it is refused", () => {
  const differing = operationNames.flatMap((name) => {
    const spec: OperationSpec = operations[name];
    if (paramsIn(spec.http) === "body") return [];
    const found = Object.values<Record<string, Described>>(document.paths)
      .flatMap((methods) => Object.values(methods))
      .find(({ operationId }) => operationId === name);
    const { others } = splitParams(spec);
    const needed = Object.keys(others.shape).filter((param) => !others.shape[param]?.safeParse(undefined).success);
    const described = found?.parameters?.filter((one) => one.in === "query" && one.required).map((one) => one.name);
    return JSON.stringify(described ?? []) === JSON.stringify(needed) ? [] : [{ name, needed, described }];
  });
  expect(differing).toEqual([]);
});

interface Described {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
}

test("only the address and the version differ between two documents, and the rest is made once", () => {
  const [one, other] = ["http://127.0.0.1:1", "http://127.0.0.1:2"].map((url) =>
    openApiDocument({ url, version: "1" }),
  );
  expect(one?.servers).not.toEqual(other?.servers);
  expect(one?.paths).toBe(other?.paths);
});

describe.each(methodNames)("%s", (method) => {
  const name = method.charAt(0).toUpperCase() + method.slice(1);

  test("has its own schemas, by name and by the discriminator", () => {
    const { CommandMethods } = document.components.schemas;
    expect(CommandMethods.properties[method].properties).toEqual({
      params: { $ref: `#/components/schemas/${name}Params` },
      result: { $ref: `#/components/schemas/${name}Result` },
    });
    expect(content.schema).toEqual({ $ref: "#/components/schemas/CommandRequest" });
    expect(document.components.schemas.CommandRequest.discriminator.mapping[method]).toBe(
      `#/components/schemas/${name}Request`,
    );
  });

  test("has an example that fits both the description and the parser", () => {
    const { value } = content.examples[method];
    expect(commandFaults(value)).toEqual([]);
    expect(() => parseParams(specs[method].params, value.params)).not.toThrow();
  });

  test("takes nothing that is not described", () => {
    const { value } = content.examples[method];
    expect(commandFaults({ ...value, more: 1 })).not.toEqual([]);
    expect(commandFaults({ ...value, params: { ...value.params, more: 1 } })).not.toEqual([]);
    const aimed = commandFaults({ ...value, target_client_id: 1 });
    expect(aimed.length > 0).toBe(specs[method].untargeted === true);
  });
});

test.each([
  ["waitFor", { id: 1 }, false],
  ["waitFor", { id: 1, text: "a" }, true],
  ["waitFor", { id: 1, text: "a", exit: false }, true],
  ["waitFor", { id: 1, exit: false }, false],
  ["waitFor", { id: 1, exit: true }, true],
  ["waitFor", { id: 1, idle: 1, exit: true }, false],
  ["waitFor", { id: 1, text: "a", skip_echo: true }, true],
  ["getShellOutput", { id: 1, plain: true, screen: true }, false],
  ["getShellOutput", { id: 1, plain: true, screen: false }, true],
  ["getShellOutput", { id: 1, max_bytes: 1 }, true],
  ["getShellOutput", { id: 1, max_bytes: 1, maxBytes: 1 }, false],
  ["swapTiles", { keyA: 1, keyB: 2 }, true],
  ["swapTiles", { key_a: 1, key_b: 2 }, true],
  ["swapTiles", { key_a: 1, keyB: 2 }, true],
  ["swapTiles", { key_a: 1, keyA: 1, keyB: 2 }, false],
  ["swapTiles", { key_a: 1 }, false],
  ["openTile", { type: "tunnel", port: 1 }, true],
  ["openTile", { type: "browser" }, true],
  ["getAgentEvents", { session_id: "x", types: "tool_call,error" }, true],
  ["getAgentEvents", { sessionId: "x", types: ["tool_call"] }, true],
  ["allowPlugin", { plugin: "x", methods: "getTiles,getRole" }, true],
] as const)("%s with %j: the description and the parser agree (%s)", (method, params, good) => {
  expect(commandFaults({ method, params }).length === 0).toBe(good);
  if (good) expect(() => parseParams(specs[method].params, params)).not.toThrow();
  else expect(() => parseParams(specs[method].params, params)).toThrow();
});

test("results are tied to their methods", () => {
  expect(resultFaults("getRole", { role: "admin" })).toEqual([]);
  expect(resultFaults("getRole", [])).not.toEqual([]);
  expect(resultFaults("getRole", { role: "admin", mood: "good" })).not.toEqual([]);
  expect(resultFaults("getPluginState", { value: { any: [[1, null, { deep: true }]] } })).toEqual([]);
  expect(resultFaults("getPluginState", {})).not.toEqual([]);
});

describe("the check of every answer in the tests sees", () => {
  const path = "/v1/sessions/abcdefgh/remote/command";
  const good: Exchange = {
    method: "POST",
    path,
    body: { method: "getRole", params: {} },
    status: 200,
    headers: new Headers({ "content-type": "application/json; charset=utf-8", "x-service-client": "1" }),
    text: '{"result":{"role":"admin"}}',
  };
  const refusal = new Headers({ "content-type": "text/plain; charset=utf-8", "x-service-error": "unknown_tile" });

  test("nothing wrong with a good one", () => {
    expect(() => checkDescribed(good)).not.toThrow();
    expect(() => checkDescribed({ ...good, status: 404, headers: refusal, text: "No tile 9.\n" })).not.toThrow();
  });

  test.each<[string, Partial<Exchange>]>([
    ["another method's result", { text: '{"result":[]}' }],
    ["a field too many", { text: '{"result":{"role":"admin","x":1}}' }],
    ["something beside the result", { text: '{"result":{"role":"admin"},"x":1}' }],
    [
      "a missing header",
      {
        ...{ method: "GET", path: "/v1/sessions/abcdefgh/remote/users", body: undefined, text: '{"result":[]}' },
        headers: new Headers({ "content-type": "application/json" }),
      },
    ],
    [
      "a header that is not described",
      { headers: new Headers({ "content-type": "application/json", "x-service-client": "1", "x-service-new": "1" }) },
    ],
    ["a wrong header", { headers: new Headers({ "content-type": "application/json", "x-service-client": "one" }) }],
    ["another content type", { headers: new Headers({ "content-type": "text/html", "x-service-client": "1" }) }],
    ["a refusal as JSON", { status: 404, headers: new Headers({ "content-type": "application/json" }), text: "{}" }],
    ["a refusal without its code", { status: 404, headers: new Headers({ "content-type": "text/plain" }) }],
    ["a code of another status", { status: 500, headers: refusal, text: "x" }],
    ["a status that is not described", { status: 202 }],
    ["a request that should not have been taken", { body: { method: "getRole", params: { x: 1 } } }],
    ["a query that should not have been taken", { path: `${path}?client=1` }],
  ])("%s", (_, change) => {
    expect(() => checkDescribed({ ...good, ...change })).toThrow("is not as described");
  });
});
