/**
 * `npm run dev -- view [--port N]`: serves the session view's development page, which shows scenes with a scripted relay, and reloads it
 * as its sources change.
 */
import { installDependencies } from "./setup/dependencies.mjs";
import { mainProgram } from "./setup/main-program.mjs";
import { SetUpError } from "./setup/set-up-error.mjs";

await mainProgram(async (context) => {
  const [what, option, port = "5173"] = process.argv.slice(2);
  if (what !== "view" || (option !== undefined && option !== "--port"))
    throw new SetUpError("Say what to serve: npm run dev -- view [--port N].");
  await installDependencies(context);
  const { createServer } = await import("vite");
  const server = await createServer({ configFile: "renderer/vite.config.ts", server: { port: Number(port) } });
  await server.listen();
  const [address = `http://localhost:${port}/`] = server.resolvedUrls?.local ?? [];
  process.stdout.write(`${address}session/dev/?scene=six\n`);
  await new Promise((resolve) => context.signal.addEventListener("abort", resolve, { once: true }));
  await server.close();
  return 0;
});
