import type { sendOperations } from "../../../core/operations/sends.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import type { ShellId } from "../../../core/protocol/ids.ts";
import type { Keys } from "../access/keys.ts";
import { callerOf, type Writer } from "../access/permits/caller.ts";
import { checkOwnShell } from "../access/permits/check-things.ts";
import type { HandlerContext, Handlers } from "../calls/calls.ts";
import type { Sender } from "../sends/sends.ts";

export function sendHandlers({ keys }: { keys: Keys }): Handlers<keyof typeof sendOperations> {
  const senderOf = ({ caller }: HandlerContext): Sender => {
    const { account, isAutomated, permit } = caller;
    const { byAgent = false, restrictsTypedShells: restrictsShell = false } = permit ?? {};
    return { account, name: caller.name, isAutomated, byAgent, restrictsShell };
  };
  return {
    sendPrompt(wanted, context) {
      const { session, caller } = context;
      const shell = session.sends.shellOf(wanted);
      session.shells.running(shell);
      checkOwnShell(caller.permit, session.ownedResources, { method: "sendPrompt", shell });
      return session.sends.send(shell, wanted, senderOf(context));
    },
    getReceipts: ({ shell, agentSessionId, all }, { session }) =>
      session.sends
        .list({ all })
        .filter((receipt) => shell === undefined || receipt.shellId === shell)
        .filter((receipt) => agentSessionId === undefined || receipt.agentSessionId === agentSessionId),
    getReceipt: ({ id }, { session }) => session.sends.get(id),
    editPrompt({ id, text, position, when, expiresIn }, context) {
      checkReceiptShell("editPrompt", id, context);
      return context.session.sends.edit(id, { text, position, when, expiresIn }, senderOf(context));
    },
    cancelPrompt({ id }, context) {
      checkReceiptShell("cancelPrompt", id, context);
      return context.session.sends.cancel(id, senderOf(context));
    },
    takeLease({ shellId: shell, seconds }, context) {
      checkShell("takeLease", shell, context);
      return context.session.leases.take(shell, context.caller, seconds);
    },
    releaseLease({ shellId: shell }, context) {
      checkShell("releaseLease", shell, context);
      return { released: context.session.leases.release(shell, context.caller) };
    },
    handOverLease({ shellId: shell, toShell, toKey, seconds }, context) {
      checkShell("handOverLease", shell, context);
      const to = writerNamed(keys, context, { toShell, toKey });
      return context.session.leases.handOver(shell, context.caller, { to, seconds });
    },
  };
}

/** Returns the program that a lease is given to. @throws RemoteError `invalid_params`, `unknown_key`, `unknown_shell` */
function writerNamed(
  keys: Keys,
  { session, caller: { principal, from } }: HandlerContext,
  { toShell, toKey }: { readonly toShell: ShellId | undefined; readonly toKey: string | undefined },
): Writer {
  if ((toShell === undefined) === (toKey === undefined)) {
    throw new RemoteError(
      "invalid_params",
      `params: expected exactly one of toShell and toKey, got ${toShell === undefined ? "neither" : "both"}.`,
    );
  }
  const found =
    toShell === undefined
      ? keys.principalNamed(toKey ?? "", principal.user)
      : keys.principalOfShell(session.id, session.shells.running(toShell).id);
  if (found !== undefined) return callerOf(found, { from, lifetime: keys.lifetimeOf(found) });
  throw new RemoteError("unknown_key", `No key ${JSON.stringify(toKey ?? "")} of this user: name another one.`);
}

/** A caller that may change only its own shells may change only their queues. */
function checkReceiptShell(method: string, id: number, context: HandlerContext): void {
  checkShell(method, context.session.sends.get(id).shellId, context);
}

function checkShell(method: string, shell: ShellId, { session, caller }: HandlerContext): void {
  session.shells.get(shell);
  checkOwnShell(caller.permit, session.ownedResources, { method, shell });
}
