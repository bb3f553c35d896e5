import { methodNames, specs } from "../../../core/commands/specs.ts";
import { operationAreas } from "../../../core/operations/index.ts";
import { loginPaths } from "./login-paths.ts";
import { pathParameter, refusalResponses } from "./openapi-parts.ts";
import { operationPaths } from "./operation-paths.ts";
import { remotePaths } from "./remote-paths.ts";
import { type Json, SchemaBook } from "./schema-book.ts";
import { streamPaths } from "./stream-paths.ts";
import { systemPaths } from "./system-paths.ts";

/** The OpenAPI 3.1 document of a relay, made from the declarations: nothing about a command is written here. */
export function openApiDocument({ url, version }: { url: string; version: string }): Json {
  described ??= describe();
  const { paths, schemas } = described;
  return {
    openapi: "3.1.0",
    info: {
      title: "Patchbay",
      version,
      license: { name: "MIT", identifier: "MIT" },
      contact: { name: "Patchbay", url },
      description:
        "Controls live terminal sessions. A command is executed by a connected client of the session; without one the answer is 504 after the timeout. Errors are one sentence as text/plain, with a stable code in the header `X-Service-Error`. A key or a query parameter that is not described here is refused.",
    },
    servers: [{ url, description: "This relay." }],
    tags: tags(),
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-Service-Token",
          description: "An API key, or a shell's token.",
        },
        bearer: { type: "http", scheme: "bearer", description: "A token with the scope that the operation names." },
      },
      parameters: { session: pathParameter("session_id", "Id of the session.") },
      responses: refusalResponses(),
      schemas,
    },
    security: [{ apiKey: [] }],
  };
}

/** What is the same at every address. Making it takes a fifth of a second, in which the relay serves no other caller. */
let described: ReturnType<typeof describe> | undefined;

function describe() {
  const book = new SchemaBook();
  const paths = {
    ...remotePaths(book),
    ...operationPaths(book),
    ...streamPaths(book),
    ...loginPaths(book),
    ...systemPaths(book),
  };
  return { paths, schemas: book.schemas };
}

function tags(): Json[] {
  const areas = [...new Set(methodNames.map((method) => specs[method].area))];
  return [
    { name: "remote", description: `The universal command endpoint and the read shortcuts.\n\n${methodList(areas)}` },
    ...Object.entries(operationAreas).map(([name, { summary }]) => ({ name, description: summary })),
  ];
}

function methodList(areas: readonly string[]): string {
  const rows = methodNames.map((method) => {
    const { summary, role, scope } = specs[method];
    return `| \`${method}\` | ${role} | ${scope} | ${summary} |`;
  });
  return `${methodNames.length} methods, by area: ${areas.join(", ")}.\n\n| method | role | scope | |\n|---|---|---|---|\n${rows.join("\n")}`;
}
