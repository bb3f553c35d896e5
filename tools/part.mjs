/**
 * `node tools/part.mjs PROJECT|slow [Vitest's arguments]`: does all set-up, then runs one project of the tests, or those that
 * `npm test` leaves out as slow, on a desktop of its own. With E2E_APP, the executable of an unpacked package, they start that instead of this checkout.
 */
import path from "node:path";
import { installAgentPrograms, VERSIONS } from "./setup/agent-programs.mjs";
import { installBun } from "./setup/bun.mjs";
import { drivenApp } from "./setup/driven-app.mjs";
import { fetchEsctest } from "./setup/esctest.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { installMcpTools } from "./setup/mcp-tools.mjs";
import { installOpenApiClients } from "./setup/openapi-clients.mjs";
import { prepare } from "./setup/prepare.mjs";
import { SetUpError } from "./setup/set-up-error.mjs";
import { closingLines } from "./setup/test-counts.mjs";
import { startTestEnvironment } from "./setup/test-environment.mjs";
import { allTests, runVitest, SLOW_TESTS } from "./setup/vitest.mjs";

const PROJECTS = /** @type {const} */ (["e2e", "security", "chaos", "agents", "screen-reader", "conformance"]);

await mainProgram(async (context) => {
  const [wanted, ...args] = process.argv.slice(2);
  const project = PROJECTS.find((name) => name === wanted);
  if (project === undefined && wanted !== SLOW_TESTS.name)
    throw new SetUpError(`Name one of ${PROJECTS.join(", ")}, ${SLOW_TESTS.name}.`);
  const runtime = await prepare("test", context);
  // With the user's own npm settings, which the tests' place does not have.
  const versions = args[0] === "versions";
  const agents =
    project === "agents" ? await installAgentPrograms(context, versions ? VERSIONS : undefined) : undefined;
  const isOf = (/** @type {string} */ name) => project === "conformance" && (args.length === 0 || args[0] === name);
  const esctest = isOf("esctest") ? await fetchEsctest(context) : undefined;
  const mcpTools = isOf("mcp") ? await installMcpTools(context) : undefined;
  const openApiClients = isOf("openapi") ? await installOpenApiClients(context) : undefined;
  const bun = isOf("bun") ? await installBun(context) : undefined;
  const place = await startTestEnvironment(runtime, { desktop: true, ...context });
  try {
    // Several projects start the same programs: the first of them bundles them for all, and for what runs again.
    place.env.PATCHBAY_BUNDLES = path.join(place.folder, "bundles");
    if (agents !== undefined) place.env.PATCHBAY_AGENTS = agents;
    if (esctest !== undefined) place.env.PATCHBAY_ESCTEST = esctest;
    if (mcpTools !== undefined) place.env.PATCHBAY_MCP_TOOLS = mcpTools;
    if (openApiClients !== undefined) place.env.PATCHBAY_OPENAPI_CLIENTS = openApiClients;
    if (bun !== undefined) place.env.PATCHBAY_BUN = bun;
    const packaged = process.env.E2E_APP || undefined;
    if (packaged !== undefined) place.env.PATCHBAY_ELECTRON = await drivenApp(packaged, path.join(place.folder, "app"));
    const counts = await runVitest(project === undefined ? SLOW_TESTS : allTests(project), args, place, context);
    process.stdout.write(`${closingLines(counts, "npm test")}\n`);
    return counts.failed === 0 ? 0 : 1;
  } finally {
    await place.stop();
  }
});
