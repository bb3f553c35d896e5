import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { ShellLease } from "../../../core/protocol/records.ts";
import type { Writer } from "../access/permits/caller.ts";

interface Held {
  readonly holder: Writer;
  readonly shown: ShellLease;
  readonly timer: NodeJS.Timeout;
  readonly release: (() => void) | undefined;
}

/**
 * Writer leases: at most one program at a time types into a shell. A lease ends when its time is over, with its holder's
 * credential, and at once when a person presses a key in the shell. Kept in memory: none outlives the relay.
 */
export class Leases implements Disposable {
  readonly #held = new Map<ShellId, Held>();
  readonly #publish: (shell: ShellId, lease: ShellLease | undefined) => void;

  constructor(publish: (shell: ShellId, lease: ShellLease | undefined) => void) {
    this.#publish = publish;
  }

  of(shell: ShellId): ShellLease | undefined {
    return this.#held.get(shell)?.shown;
  }

  /** Returns the lease that keeps a writer from a shell. */
  against(shell: ShellId, account: string): ShellLease | undefined {
    const held = this.#held.get(shell);
    return held === undefined || held.holder.account === account ? undefined : held.shown;
  }

  /**
   * Gives a writer the lease of a shell, or a longer one.
   *
   * @throws RemoteError `lease_held`
   */
  take(shell: ShellId, holder: Writer, seconds: number): ShellLease {
    this.#checkHolder(shell, holder);
    return this.#hold(shell, holder, seconds);
  }

  /** Gives up a lease. A person may end any. @throws RemoteError `lease_held` for another program's */
  release(shell: ShellId, by: Writer): boolean {
    if (by.isAutomated) this.#checkHolder(shell, by);
    return this.end(shell);
  }

  /** Gives a lease to another writer. @throws RemoteError `lease_held` for another's, `invalid_request` without one */
  handOver(shell: ShellId, by: Writer, { to, seconds }: { readonly to: Writer; readonly seconds: number }): ShellLease {
    if (by.isAutomated) this.#checkHolder(shell, by);
    if (!this.#held.has(shell)) {
      throw new RemoteError("invalid_request", `There is no lease of shell ${shell} to hand over: take it first.`);
    }
    return this.#hold(shell, to, seconds);
  }

  /** Ends a lease of any holder: a person has pressed a key, or the shell has ended. Returns whether there was one. */
  end(shell: ShellId): boolean {
    const held = this.#held.get(shell);
    if (held === undefined) return false;
    this.#held.delete(shell);
    clearTimeout(held.timer);
    held.release?.();
    this.#publish(shell, undefined);
    return true;
  }

  [Symbol.dispose](): void {
    for (const { timer, release } of this.#held.values()) {
      clearTimeout(timer);
      release?.();
    }
    this.#held.clear();
  }

  #hold(shell: ShellId, holder: Writer, seconds: number): ShellLease {
    const before = this.#held.get(shell);
    clearTimeout(before?.timer);
    before?.release?.();
    const shown: ShellLease = {
      holder: holder.name,
      since: before?.holder.account === holder.account ? before.shown.since : new Date().toISOString(),
      expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
    };
    const timer = setTimeout(() => this.end(shell), seconds * 1000);
    timer.unref();
    const held: Held = { holder, shown, timer, release: undefined };
    this.#held.set(shell, held);
    this.#publish(shell, shown);
    const release = holder.lifetime?.onEnd(() => {
      if (this.#held.get(shell)?.timer === timer) this.end(shell);
    });
    // The credential may have ended meanwhile.
    if (this.#held.get(shell) === held) this.#held.set(shell, { ...held, release });
    return shown;
  }

  #checkHolder(shell: ShellId, { account }: Writer): void {
    const lease = this.against(shell, account);
    if (lease !== undefined) throw leaseHeld(shell, lease);
  }
}

function leaseHeld(shell: ShellId, lease: ShellLease): RemoteError {
  return new RemoteError(
    "lease_held",
    `${describeLease(shell, lease)}: wait for its end, or ask for it to be handed over.`,
  );
}

/** Says who holds the lease of a shell, and until when. */
export function describeLease(shell: ShellId, { holder, expiresAt }: ShellLease): string {
  return `${holder} has the writer lease of shell ${shell} until ${expiresAt}`;
}
