import { parseArgs } from "node:util";
import { HostServer } from "../shells/host/host-server.ts";
import { closeInheritedHandles } from "../shells/host/inherited-handles.ts";
import { READY } from "../shells/host/start-host-process.ts";

/**
 * The process that holds the shells of a data folder, from start to end. Started by a relay and outlives it; nobody
 * else has a reason to. Resolves when it has ended.
 */
export async function runShellHost(args: readonly string[]): Promise<void> {
  closeInheritedHandles();
  const { values } = parseArgs({
    args: [...args],
    // A packaged app gets Chromium's own words among them.
    strict: false,
    options: { file: { type: "string" }, socket: { type: "string" }, integration: { type: "string" } },
  });
  const { file, socket, integration } = values;
  if (typeof file !== "string" || typeof socket !== "string" || typeof integration !== "string") {
    throw new Error("the host process needs --file, --socket and --integration");
  }
  // Nobody reads it after the relay that started this one has gone; a full disk must not end the shells either.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const log = (message: string) => void process.stderr.write(`${new Date().toISOString()} ${message}\n`);
  process.on("uncaughtException", (error) => log(`something failed that nobody foresaw: ${error.stack ?? error}`));
  process.on("unhandledRejection", (error) => log(`something failed that nobody waited for: ${String(error)}`));
  const server = new HostServer({ file, socket, integrationFolder: integration, log });
  // Only what ends everything of this user ends the shells.
  process.on("SIGHUP", () => undefined);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void server.end());
  await server.listen();
  process.stdout.write(READY);
  await server.ended;
}
