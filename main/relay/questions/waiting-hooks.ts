import type { HookQuestion, HookReply } from "../../../core/protocol/agent-hooks.ts";

interface WaitingHook {
  readonly question: HookQuestion;
  readonly digest: string | null;
  release(output: HookReply["output"]): void;
}

/** The output of a hook that decides nothing: the agent's own dialog stays. */
export const NO_DECISION: HookReply["output"] = {};

/** The hooks that wait for the answers to their questions, by the question's id. */
export class WaitingHooks {
  readonly #hooks = new Map<number, WaitingHook>();

  has(id: number): boolean {
    return this.#hooks.has(id);
  }

  /** Returns what the hook asks; undefined where none waits whose event has this digest. */
  questionOf(id: number, digest: string | null): HookQuestion | undefined {
    const hook = this.#hooks.get(id);
    return digest !== null && hook?.digest === digest ? hook.question : undefined;
  }

  /**
   * Resolves to the output that the hook is given. A hook that waited for the same question before ends without a decision.
   *
   * @param asked what the hook asks, and the digest of that
   * @param signal says that the hook has ended
   * @param ended called when it has, without an answer
   */
  hold(
    id: number,
    asked: Pick<WaitingHook, "question" | "digest">,
    signal: AbortSignal,
    ended: () => void,
  ): Promise<HookReply["output"]> {
    this.release(id, NO_DECISION);
    return new Promise((resolve) => {
      const hook: WaitingHook = {
        ...asked,
        release: (output) => {
          if (this.#hooks.get(id) === hook) this.#hooks.delete(id);
          resolve(output);
        },
      };
      this.#hooks.set(id, hook);
      const gone = () => {
        if (this.#hooks.get(id) !== hook) return;
        hook.release(NO_DECISION);
        ended();
      };
      signal.addEventListener("abort", gone, { once: true });
    });
  }

  /** Gives a hook its output, if one waits. */
  release(id: number, output: HookReply["output"]): void {
    this.#hooks.get(id)?.release(output);
  }

  /** Forgets the hooks without an output: their connections end with the relay. */
  clear(): void {
    this.#hooks.clear();
  }
}
