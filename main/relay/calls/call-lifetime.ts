import { RemoteError } from "../../../core/protocol/errors.ts";
import { Lifetime } from "../../../core/protocol/lifetime.ts";
import type { Caller } from "../access/permits/caller.ts";

/** Resolves as a result does, and rejects when the caller's credential ends before. */
export async function unlessEnded<T>(lifetime: Lifetime | undefined, result: T | Promise<T>): Promise<T> {
  if (lifetime === undefined || !(result instanceof Promise)) return result;
  let release = nothing;
  const ended = new Promise<never>((_resolve, reject) => {
    release = lifetime.onEnd(reject);
  });
  return Promise.race([result, ended]).finally(release);
}

/**
 * Returns a lifetime that ends with the caller's, and when the caller is gone, until it is released.
 *
 * @param gone undefined for a caller that stays, or may come back for the answer
 */
export function lifetimeOfCall(
  caller: Caller,
  gone: AbortSignal | undefined,
): { readonly lifetime: Lifetime | undefined; readonly release: () => void } {
  if (gone === undefined) return { lifetime: caller.lifetime, release: nothing };
  const lifetime = new Lifetime();
  const stop = caller.lifetime?.onEnd((reason) => void lifetime.end(reason));
  const end = () => void lifetime.end(new RemoteError("client_gone", "The caller has closed its connection."));
  gone.addEventListener("abort", end, { once: true });
  if (gone.aborted) end();
  const release = () => {
    stop?.();
    gone.removeEventListener("abort", end);
  };
  return { lifetime, release };
}

function nothing(): void {}
