import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";
import { isWithin } from "./real-place.ts";
import { readRegularFile } from "./regular-files.ts";
import { writeAtomically } from "./write-atomically.ts";

/** Agents whose questions reach the relay by a protocol, after the user has connected them. */
const Connection = z.object({
  /** The agents' own home folders, such as `~/.codex`: every project. */
  homes: z.array(z.string()).max(1000).default([]),
  /** Folders of projects: only agents in them. */
  folders: z.array(z.string()).max(1000).default([]),
});
export type AgentConnection = z.infer<typeof Connection>;

const Connections = z.record(z.string(), Connection);
type Connections = z.infer<typeof Connections>;

const FILE = "agent-connections.json";
const MOST_BYTES = 1024 * 1024;
const NONE: AgentConnection = { homes: [], folders: [] };

/** Which agents the user has connected by a protocol: a private file of the data folder. */
export class AgentConnections {
  readonly file: string;

  constructor(data: string) {
    this.file = join(data, FILE);
  }

  /** Returns the connections of a kind of agent. @throws Error for a file that cannot be read or is damaged */
  of(kind: string): AgentConnection {
    return this.#read()[kind] ?? NONE;
  }

  /** Replaces the connections of a kind of agent. @throws Error as `of`, and the system's error */
  set(kind: string, connection: AgentConnection): void {
    const { [kind]: _, ...others } = this.#read();
    const isEmpty = connection.homes.length === 0 && connection.folders.length === 0;
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    writeAtomically(
      this.file,
      `${JSON.stringify(isEmpty ? others : { ...others, [kind]: connection }, undefined, 2)}\n`,
    );
  }

  #read(): Connections {
    try {
      return Connections.parse(JSON.parse(readRegularFile(this.file, MOST_BYTES).toString("utf8")));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
      throw error;
    }
  }
}

/** Whether an agent with this home folder, at work in `cwd`, is connected. */
export function isConnected({ homes, folders }: AgentConnection, agent: { home: string; cwd: string }): boolean {
  return homes.includes(resolve(agent.home)) || folders.some((folder) => isWithin(agent.cwd, folder));
}
