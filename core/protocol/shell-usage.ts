import { z } from "zod";
import { ShellId } from "./ids.ts";
import { Timestamp } from "./records.ts";

/** Processes of a shell that are listed at most; the sums have all. */
export const MAX_LISTED_PROCESSES = 200;

const load = {
  cpuPercent: z.number().min(0).describe("of one processor, since the last look or for a moment"),
  memoryBytes: z.int().min(0).describe("resident memory; what processes share counts for each"),
};

/** A process, without its arguments, which may hold secrets. */
export const ProcessUsage = z
  .object({ pid: z.int(), parent: z.int().describe("pid of its parent"), name: z.string(), ...load })
  .meta({ id: "ProcessUsage" });
export type ProcessUsage = z.infer<typeof ProcessUsage>;

/** A process that an agent has started, and that outlives the agent. */
export const LeftBehind = ProcessUsage.extend({
  agentType: z.string().describe("kind of the agent that has started it"),
  since: Timestamp.describe("when the agent ended"),
}).meta({ id: "LeftBehind" });
export type LeftBehind = z.infer<typeof LeftBehind>;

/** What a shell costs the machine. */
export const ShellUsage = z
  .object({
    shellId: ShellId,
    title: z.string().describe("empty where the shell was closed, and only what it left behind runs on"),
    ...load,
    count: z.int().min(0).describe("number of its processes"),
    processes: z.array(ProcessUsage).describe("a parent before its children; 200 at most"),
    leftCount: z.int().min(0).describe("number of processes in `leftBehind`"),
    leftBehind: z.array(LeftBehind).describe("what agents that ended in it have left running; not in the sums"),
  })
  .meta({ id: "ShellUsage" });
export type ShellUsage = z.infer<typeof ShellUsage>;
