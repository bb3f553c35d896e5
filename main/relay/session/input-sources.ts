import type { CommandSource } from "../../../core/protocol/history-search.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Caller } from "../access/permits/caller.ts";

/** Remembers who has typed into each shell last: the source of the command that runs next. */
export class InputSources {
  readonly #last = new Map<number, CommandSource>();

  note(shell: ShellId, { isAutomated, name, shell: from, permit }: Caller): void {
    this.#last.set(shell, {
      kind: isAutomated ? "program" : "person",
      name,
      ...(from === undefined ? {} : { shellId: from }),
      ...(from !== undefined && permit?.byAgent === true ? { byAgent: true } : {}),
    });
  }

  /** Returns the source of the command that has started, once. */
  take(shell: number): CommandSource | undefined {
    const source = this.#last.get(shell);
    this.#last.delete(shell);
    return source;
  }
}
