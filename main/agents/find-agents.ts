import { basename } from "node:path";
import type { ProcessInfo } from "../system/processes/process-source.ts";
import type { AgentAdapter, Recognition } from "./adapters/adapter.ts";
import { isRuntime } from "./adapters/adapter-files.ts";

/** A process that looks like an agent. */
export interface FoundAgent {
  /** Identifies this run on the machine; the same at every poll. */
  readonly id: string;
  readonly adapter: AgentAdapter;
  readonly process: ProcessInfo;
  readonly recognition: Recognition;
  /** The outermost process of the same program: what a user has started. */
  readonly launched: ProcessInfo;
  /** Its start, in ms. */
  readonly launchedAt: number;
  /** `id` of the agent below which it was started; absent for one that a shell has started. */
  readonly startedBy?: string;
}

/**
 * The agents among the processes below one shell, each before those that it has started. `processes` is in pre-order.
 */
export function findAgents(processes: readonly ProcessInfo[], recognise: Recognise): readonly FoundAgent[] {
  const found = new Map<number, FoundAgent>();
  /** For every process in an agent's branch, the pid that the agent is found under. */
  const branch = new Map<number, number>();
  for (const process of processes) {
    const top = branch.get(process.ppid);
    const outer = top === undefined ? undefined : found.get(top);
    const seen = recognise(process);
    const isInner = outer?.adapter.relaunches && seen?.adapter === outer.adapter && process.pgrp === outer.process.pgrp;
    const isPart = isInner || outer?.adapter.wraps === true;
    if (top !== undefined && (isPart || seen === undefined || isHelper(process, seen.adapter))) {
      branch.set(process.pid, top);
      if (outer !== undefined && isInner) found.set(top, { ...outer, process });
    } else if (seen !== undefined) {
      const id = `${process.pid}/${process.startKey}`;
      const startedBy = outer !== undefined && { startedBy: outer.id };
      found.set(process.pid, { ...seen, ...startedBy, id, process, launched: process, launchedAt: process.startedAt });
      branch.set(process.pid, process.pid);
    }
  }
  return [...found.values()];
}

/** Agents start their own program under other names as a tool, such as a search or a sandbox. */
function isHelper(process: ProcessInfo, { kind }: AgentAdapter): boolean {
  const name = programName(process.argv()[0] ?? "");
  return name !== kind && name !== programName(process.exe()) && !isRuntime(name);
}

function programName(path: string): string {
  return basename(path.replace(/ \(deleted\)$/, "")).replace(/\.exe$/, "");
}

export type Recognise = (
  process: ProcessInfo,
) => { readonly adapter: AgentAdapter; readonly recognition: Recognition } | undefined;

/**
 * Recognizes agents and caches the result while the process runs the same program. Young processes are checked again,
 * because between fork and exec they look like their parent.
 */
export class Recogniser {
  readonly #adapters: readonly AgentAdapter[];
  #known = new Map<string, ReturnType<Recognise>>();
  #next = new Map<string, ReturnType<Recognise>>();

  constructor(adapters: readonly AgentAdapter[]) {
    this.#adapters = adapters;
  }

  readonly recognise: Recognise = (process) => {
    const key = `${process.pid}/${process.startKey}/${process.comm}`;
    const known = this.#known.get(key);
    const isYoung = Date.now() - process.startedAt <= YOUNG_MS;
    const answer = known ?? (isYoung || !this.#known.has(key) ? this.#ask(process, isYoung) : undefined);
    this.#next.set(key, answer);
    return answer;
  };

  /** Call after each poll: forgets processes that were not in it. */
  settle(): void {
    this.#known = this.#next;
    this.#next = new Map();
  }

  #ask(process: ProcessInfo, isYoung: boolean): ReturnType<Recognise> {
    // Its arguments are not there yet, and they tell an agent from its servers.
    if (isYoung && process.argv().length === 0) return undefined;
    for (const adapter of this.#adapters) {
      const recognition = adapter.recognise(process);
      if (recognition !== undefined) return { adapter, recognition };
    }
    return undefined;
  }
}

const YOUNG_MS = 5000;
