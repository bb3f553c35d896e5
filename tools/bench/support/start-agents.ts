import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type ServedRelay, until } from "./served-relay.ts";

const STAND_IN = join(import.meta.dirname, "support", "growing-agent.mjs");
const Agents = z.array(z.unknown());

/** Starts stand-ins of agents, each in a shell and a folder of its own; resolves when the relay lists them all. */
export async function startAgents(relay: ServedRelay, count: number): Promise<void> {
  const program = join(relay.folder, "node_modules", "@anthropic-ai", "claude-code");
  mkdirSync(program, { recursive: true });
  copyFileSync(STAND_IN, join(program, "cli.mjs"));
  for (let agent = 0; agent < count; agent += 1) {
    const cwd = join(relay.folder, `project-${agent}`);
    mkdirSync(cwd);
    const exec = [process.execPath, join(program, "cli.mjs")];
    await relay.command("createShell", { tile: false, cwd, exec });
  }
  await until(async () => Agents.parse(await relay.command("getAgents")).length === count, 60_000);
}
