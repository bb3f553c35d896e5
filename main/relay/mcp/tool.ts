import { z } from "zod";
import { pathParams } from "../../../core/operations/operation.ts";
import { onlyReads, type Procedure } from "../../../core/procedures/index.ts";
import { isRecord } from "../../../core/protocol/json-value.ts";

type Json = Record<string, unknown>;
type ObjectSchema = Json & { type: "object"; properties: Json };

/** A tool as `tools/list` describes it (Model Context Protocol, "Tools"). */
interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** What a call says besides the procedure's own parameters. */
interface ToolPlace {
  /** Id of the session. */
  readonly session: string | undefined;
  /** The client that executes a command. */
  readonly client: number | "all" | undefined;
  readonly params: object;
}

const SESSION = {
  type: "string",
  description: "id of the session; default: the session you are in, else the only one",
};
const CLIENT = {
  description: "id of the client that executes it; default: the one that is chosen as docs/api.md says",
};

/** Descriptions that were made. Making those of all tools takes a quarter of a second, in which the relay serves no other caller. */
const described = new WeakMap<Procedure, ToolDescription>();
const describedWithResult = new WeakMap<Procedure, ToolDescription>();

/** Describes a procedure as a tool, by its declaration. */
export function describeTool(procedure: Procedure, { withResult }: { readonly withResult: boolean }): ToolDescription {
  const known = withResult ? describedWithResult : described;
  const tool = known.get(procedure) ?? toolOf(procedure, withResult);
  known.set(procedure, tool);
  return tool;
}

function toolOf(procedure: Procedure, withResult: boolean): ToolDescription {
  const { name, spec } = procedure;
  const reads = onlyReads(procedure);
  const runs = !reads && reachesShells(procedure);
  return {
    name,
    title: spec.summary,
    description: spec.details === undefined ? spec.summary : `${spec.summary}. ${spec.details}`,
    inputSchema: inputSchemaOf(procedure),
    ...(withResult && { outputSchema: outputSchemaOf(spec.result) }),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: !reads && (runs || !ADDS.test(name)),
      idempotentHint: reads || isIdempotent(procedure),
      openWorldHint: runs,
    },
  };
}

/** Splits the arguments of a call into the place that it is for and the procedure's own parameters. */
export function placeOf({ kind, spec }: Procedure, given: Json): ToolPlace {
  const ownsSession = "session" in spec.params.shape;
  const { session, client, ...rest } = given;
  const place = {
    session: typeof session === "string" ? session : undefined,
    client: typeof client === "number" || client === "all" ? client : undefined,
  } as const;
  // What is of another type goes to the procedure, which refuses it by name.
  const odd = {
    ...(session !== undefined && (ownsSession || place.session === undefined) && { session }),
    ...(client !== undefined && ("client" in spec.params.shape || place.client === undefined) && { client }),
  };
  return { ...place, client: kind === "command" ? place.client : undefined, params: { ...rest, ...odd } };
}

/** The result as an object, which structured content has to be. */
export function structured(result: unknown): Json {
  return isRecord(result) ? result : { result: result ?? null };
}

function inputSchemaOf(procedure: Procedure): ObjectSchema {
  const { kind, spec } = procedure;
  const { properties, required, description, $defs } = jsonSchemaOf(spec.params, "input");
  const place = kind === "command" ? { session: SESSION, ...(spec.untargeted !== true && { client: CLIENT }) } : {};
  const own = isRecord(properties) ? { ...properties } : {};
  const hasUsual = isInSession(procedure);
  if (hasUsual) own.session = SESSION;
  const needed = Array.isArray(required) ? required.filter((one) => one !== "session" || !hasUsual) : [];
  // Rules between parameters (`oneOf` at the top) stay out: several models' services refuse a tool with them. The relay
  // checks them, and says which rule was broken.
  return {
    type: "object",
    ...(description !== undefined && { description }),
    properties: { ...own, ...place },
    ...(needed.length > 0 && { required: needed }),
    ...($defs !== undefined && { $defs }),
  };
}

/** Tells whether an operation is of one session: elsewhere its parameter `session` is what its declaration says. */
function isInSession(procedure: Procedure): boolean {
  return procedure.kind === "operation" && pathParams(procedure.spec.http.path).includes("session");
}

function outputSchemaOf(result: z.ZodType): ObjectSchema {
  const { $defs, ...schema } = jsonSchemaOf(result, "output");
  const { type, properties } = schema;
  return {
    ...(type === "object" && isRecord(properties)
      ? { ...schema, type, properties }
      : { type: "object", properties: { result: schema } }),
    ...($defs !== undefined && { $defs }),
  };
}

function jsonSchemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}

/** Procedures that only add something or show it: nothing that was there before is lost by them. */
const ADDS =
  /^(?:add|ask|break|create|focus|hand|install|join|maximize|move|next|notify|open|prev|rename|select|sendChat|split|swap|switch|take|test|toast|toggle)/;
const SETS = /^(?:focusTile|rename|restrict|select|set[A-Z]|switch)/;

function isIdempotent({ kind, name, spec }: Procedure): boolean {
  if (kind === "operation") return spec.http.method !== "POST";
  return SETS.test(name);
}

/** Tells whether a procedure starts programs or types into them, which may then do anything. */
function reachesShells({ kind, name, spec }: Procedure): boolean {
  return kind === "command" ? spec.area === "shells" || name === "setup" : spec.access === "shells";
}
