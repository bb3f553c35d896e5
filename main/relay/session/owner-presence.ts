import { askSpec } from "../../../core/commands/asked.ts";
import { reportedBy } from "../../../core/protocol/relay-ops.ts";

/** When the session's owner last did something in it. In memory: after a restart of the relay nobody was there. */
export class OwnerPresence {
  #actedAt = Number.NEGATIVE_INFINITY;

  acted(): void {
    this.#actedAt = performance.now();
  }

  /** Whether the owner did something within the last `ms` milliseconds. */
  within(ms: number): boolean {
    return performance.now() - this.#actedAt < ms;
  }
}

/**
 * Whether an operation of a person's client tells that the person is there. What terminals and windows send by themselves does
 * not: a new size, the report of a command, or bytes that may be a terminal's answer to a program.
 */
export function showsPresence(op: string): boolean {
  return (
    askSpec(op)?.touches !== undefined && reportedBy(op) === undefined && op !== "resizeShell" && op !== "writeShell"
  );
}
