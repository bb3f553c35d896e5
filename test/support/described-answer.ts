import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openApiDocument } from "../../main/relay/docs/openapi.ts";

interface Schema {
  readonly [keyword: string]: unknown;
}

interface Parameter {
  readonly name?: string;
  readonly in?: string;
}

interface DescribedHeader {
  readonly required?: boolean;
  readonly schema: Schema;
}

interface DescribedResponse {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, DescribedHeader>>;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, DescribedResponse>> };
}

/** A request and its answer, as they went over the wire. */
export interface Exchange {
  readonly method: string;
  /** Below the base address, with the query. */
  readonly path: string;
  /** What was sent as JSON, if anything was. */
  readonly body?: unknown;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Headers that only stand where the description says so. */
const DESCRIBED = /^(x-service-|idempotency-|retry-after$|allow$|www-authenticate$)/;

const address = { url: "http://127.0.0.1:7717", version: "0.0.0" };
const document: Document = JSON.parse(JSON.stringify(openApiDocument(address)));
const ajv = new Ajv2020({ strict: false });
ajv.addFormat("date-time", (text: string) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text));
ajv.addFormat("uri", (text: string) => URL.canParse(text));
ajv.addSchema({ $id: "relay", ...document });
const compiled = new Map<string, ValidateFunction>();

const operations = Object.entries(document.paths).map(([template, methods]) => ({
  template,
  methods,
  pattern: new RegExp(`^${template.replace(/\{[^}]+\}/g, "[^/]+")}$`),
}));

/**
 * Throws when an exchange is not as the relay's OpenAPI description says: body, content type and headers of the answer,
 * and, where it was accepted, the request. Paths that are not described (pages, unknown ones) must at least refuse as
 * the description says.
 */
export function checkDescribed(exchange: Exchange): void {
  const { method, path, status } = exchange;
  const { pathname, searchParams } = new URL(path, "http://relay");
  const found = operations.find(({ pattern }) => pattern.test(pathname));
  const operation = found?.methods[method === "HEAD" ? "get" : method.toLowerCase()];
  const faults = operation === undefined ? refusalFaults(exchange) : answerFaults(operation, exchange);
  if (operation !== undefined && status < 300) {
    faults.push(...requestFaults(operation, exchange.body), ...queryFaults(operation, searchParams));
  }
  if (faults.length > 0)
    throw new Error(`${method} ${path} is not as described: ${faults.join("; ")}\n${told(exchange)}`);
}

/** Faults of a command's result by its own method, which the answer's schema leaves open. */
export function resultFaults(method: string, result: unknown): string[] {
  return fits(`#/components/schemas/CommandMethods/properties/${method}/properties/result`, result);
}

/** Faults of a request by the description of the operation at a path. */
export function commandFaults(body: unknown): string[] {
  return fits("#/components/schemas/CommandRequest", body);
}

/** For what is described nowhere: a refusal is described once for all. */
function refusalFaults(exchange: Exchange): string[] {
  if (exchange.status < 400 || /^\/s(\/|$)/.test(exchange.path)) return [];
  const { Unauthenticated, WrongMethod, TooMany, Refused, Failed } = document.components.responses;
  const byStatus: Readonly<Record<number, DescribedResponse | undefined>> = {
    401: Unauthenticated,
    405: WrongMethod,
    429: TooMany,
  };
  const described = byStatus[exchange.status] ?? (exchange.status < 500 ? Refused : Failed);
  return described === undefined ? ["no such response"] : responseFaults(described, exchange);
}

function answerFaults({ responses }: Operation, exchange: Exchange): string[] {
  const { status } = exchange;
  const described = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
  return described === undefined ? [`status ${status} is not described`] : responseFaults(described, exchange);
}

function responseFaults(given: DescribedResponse, exchange: Exchange): string[] {
  const name = given.$ref?.split("/").at(-1);
  const described = (name === undefined ? undefined : document.components.responses[name]) ?? given;
  return [...headerFaults(described, exchange.headers), ...bodyFaults(described, exchange)];
}

function headerFaults({ headers: described = {} }: DescribedResponse, headers: Headers): string[] {
  const byName = new Map(Object.entries(described).map(([name, header]) => [name.toLowerCase(), header]));
  const missing = [...byName].filter(([name, { required }]) => required === true && headers.get(name) === null);
  const extra = [...headers.keys()].filter((name) => DESCRIBED.test(name) && !byName.has(name));
  const wrong = [...byName].flatMap(([name, { schema }]) => {
    const value = headers.get(name);
    if (value === null) return [];
    const typed = schema.type === "integer" ? Number(value) : value;
    return validatorOf(JSON.stringify(schema), schema)(typed) ? [] : [`header ${name}: ${value}`];
  });
  return [
    ...missing.map(([name]) => `header ${name} is missing`),
    ...extra.map((name) => `header ${name} is not described`),
    ...wrong,
  ];
}

function bodyFaults({ content = {} }: DescribedResponse, { method, headers, text, body }: Exchange): string[] {
  const type = (headers.get("content-type") ?? "").split(";", 1)[0] ?? "";
  const schema = content[type]?.schema;
  if (schema === undefined) return [`content type ${JSON.stringify(type)} is not described`];
  if (method === "HEAD") return [];
  if (type === "text/event-stream") return eventsIn(text).flatMap((event) => fitsSchema(schema, event));
  if (type !== "application/json") return fitsSchema(schema, text);
  const answer: unknown = JSON.parse(text);
  // What all clients answer is described beside the method's own result.
  const called = isRecord(body) && body.target_client_id === "all" ? undefined : namedMethod(body);
  const ofMethod =
    called === undefined || !isRecord(answer) || !("result" in answer) ? [] : resultFaults(called, answer.result);
  return ofMethod.length > 0 ? ofMethod : fitsSchema(schema, answer);
}

function eventsIn(stream: string): unknown[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = ""]): unknown => JSON.parse(data));
}

function requestFaults({ requestBody }: Operation, body: unknown): string[] {
  const schema = requestBody?.content["application/json"]?.schema;
  if (schema === undefined || body === undefined) return [];
  const json: unknown = typeof body === "string" ? JSON.parse(body) : JSON.parse(JSON.stringify(body));
  return fitsSchema(schema, json).map((fault) => `it took a request that is not described: ${fault}`);
}

function queryFaults({ parameters = [] }: Operation, query: URLSearchParams): string[] {
  const names = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
  const unknown = [...query.keys()].filter((name) => !names.includes(name));
  return unknown.map((name) => `it took the query parameter ${name}, which is not described`);
}

function namedMethod(body: unknown): string | undefined {
  return isRecord(body) && "params" in body && typeof body.method === "string" ? body.method : undefined;
}

function fitsSchema(schema: Schema, value: unknown): string[] {
  return typeof schema.$ref === "string" ? fits(schema.$ref, value) : faultsBy(JSON.stringify(schema), schema, value);
}

function fits(pointer: string, value: unknown): string[] {
  return faultsBy(pointer, { $ref: `relay${pointer}` }, value);
}

function faultsBy(name: string, schema: Schema, value: unknown): string[] {
  const validate = validatorOf(name, schema);
  if (validate(value)) return [];
  return (validate.errors ?? [])
    .slice(0, 8)
    .map(({ instancePath, message, params }) =>
      `${instancePath || "/"} ${message} ${JSON.stringify(params)}`.slice(0, 300),
    );
}

function validatorOf(name: string, schema: Schema): ValidateFunction {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  // References of a schema that is taken out of the document lead into the document.
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"relay#/');
  const validate = ajv.compile(JSON.parse(text) as Schema);
  compiled.set(name, validate);
  return validate;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function told({ status, headers, text }: Exchange): string {
  return `${status} ${JSON.stringify(Object.fromEntries(headers))}\n${text.slice(0, 1000)}`;
}
