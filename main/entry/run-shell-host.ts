import { parseArgs } from "node:util";
import { HostServer } from "../shells/host/host-server.ts";
import { closeInheritedHandles } from "../shells/host/inherited-handles.ts";
import { READY } from "../shells/host/start-host-process.ts";

/** Runs the shell host of a data folder. Started by a relay, and outlives it. Resolves when the host has ended. */
export async function runShellHost(args: readonly string[]): Promise<void> {
  closeInheritedHandles();
  const { values } = parseArgs({
    args: [...args],
    // A packaged app gets Chromium's own switches among the arguments.
    strict: false,
    options: { file: { type: "string" }, socket: { type: "string" }, integration: { type: "string" } },
  });
  const { file, socket, integration } = values;
  if (typeof file !== "string" || typeof socket !== "string" || typeof integration !== "string") {
    throw new Error("the host process needs --file, --socket and --integration");
  }
  // The streams have no reader after the relay that started this process has ended; neither that nor a full disk may
  // end the shells.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  const log = (message: string) => void process.stderr.write(`${new Date().toISOString()} ${message}\n`);
  process.on("uncaughtException", (error) => log(`uncaught exception: ${error.stack ?? error}`));
  process.on("unhandledRejection", (error) => log(`unhandled rejection: ${String(error)}`));
  const server = new HostServer({ file, socket, integrationFolder: integration, log });
  // Only signals that end the user's whole session end the shells.
  process.on("SIGHUP", () => undefined);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void server.end());
  await server.listen();
  process.stdout.write(READY);
  await server.ended;
}
