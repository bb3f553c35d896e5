import { z } from "zod";
import { type OperationName, operations } from "../../core/operations/index.ts";
import { type OperationSpec, paramsIn, pathParams } from "../../core/operations/operation.ts";
import { exampleOf } from "../../main/relay/docs/example-of.ts";
import type { TestRelay } from "../support/test-relay.ts";

/** What an operation is called with where its declaration does not say enough; whatever it refuses, it refuses as declared. */
const special: Readonly<Partial<Record<OperationName, Readonly<Record<string, unknown>>>>> = {
  // Without its session the relay would have none for the next test.
  closeSession: { session: "no-such-session", force: false },
  installPlugin: { manifest_url: "http://10.0.0.1/s3cret", plugin_id: "example" },
  createToken: { scopes: ["plugins:install"] },
  setBudgets: { day: 5 },
  setBudget: { scope: "day", limit: 5 },
  addWebhook: { url: "https://hooks.example/s3cret", format: "json" },
  removeBudget: { scope: "day" },
  // Nobody answers.
  askPerson: { question: "Deploy?", options: ["yes", "no"], wait: 1 },
  // Its manifest would be refused.
  explainAgents: { shell: 1 },
};

/** Good parameters for an operation, or some that it refuses as declared; without its session. */
export function exampleFor(name: OperationName): Readonly<Record<string, unknown>> {
  const { params }: OperationSpec = operations[name];
  const { session: _, ...shape } = params.shape;
  const schema = z.toJSONSchema(z.object(shape), { io: "input", unrepresentable: "any" });
  return special[name] ?? Object.fromEntries(Object.entries(exampleOf(schema) as object));
}

interface ExampleRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Returns the HTTP request that calls an operation with these parameters, the session among them. */
export function exampleRequest(name: OperationName, params: Readonly<Record<string, unknown>>): ExampleRequest {
  const { http }: OperationSpec = operations[name];
  const inPath = pathParams(http.path);
  const path = `/v1/${http.path.replace(/:([A-Za-z]+)/g, (_, param: string) => encodeURIComponent(String(params[param])))}`;
  const others = Object.entries(params).filter(([param]) => !inPath.includes(param) && param !== "session");
  if (paramsIn(http) === "body") return { method: http.method, path, body: Object.fromEntries(others) };
  const query =
    others.length > 0 ? `?${new URLSearchParams(others.map(([name, value]) => [name, String(value)]))}` : "";
  return { method: http.method, path: path + query };
}

/** Returns the header with a credential that an operation takes: the key of the relay, or a new bearer token. */
export function credentialFor(name: OperationName, { relay, key }: TestRelay): Record<string, string> {
  const { bearer }: OperationSpec = operations[name];
  if (bearer === undefined) return { "X-Service-Token": key };
  const token = { owner: relay.user, name: "token", scheme: "bearer", scopes: [bearer] } as const;
  return { "X-Service-Token": "", Authorization: `Bearer ${relay.keys.create(token).secret}` };
}
