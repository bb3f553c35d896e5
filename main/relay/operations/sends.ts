import type { sendOperations } from "../../../core/operations/sends.ts";
import type { Keys } from "../access/keys.ts";
import { checkOwnShell } from "../access/permits/check-things.ts";
import { writerOf } from "../access/permits/writer.ts";
import { auditIdentity } from "../audit/audit-fields.ts";
import type { HandlerContext, Handlers } from "./operations.ts";

export function sendHandlers({ keys }: { keys: Keys }): Handlers<keyof typeof sendOperations> {
  return {
    sendPrompt(wanted, context) {
      const { session, permit, caller } = context;
      const shell = session.sends.shellOf(wanted);
      session.shells.running(shell);
      checkOwnShell(permit, session.ownedResources, { method: "sendPrompt", shell });
      if (permit?.restrictsTypedShells) session.rights.markTyped(shell);
      const { account } = writerOf(caller.principal, keys.lifetimeOf(caller.principal));
      return session.sends.send(shell, wanted, {
        account,
        name: nameOf(context),
        byAgent: permit?.byAgent === true,
      });
    },
    getReceipts: ({ shell, agentSessionId, all }, { session }) =>
      session.sends
        .list({ all })
        .filter((receipt) => shell === undefined || receipt.shellId === shell)
        .filter((receipt) => agentSessionId === undefined || receipt.agentSessionId === agentSessionId),
    getReceipt: ({ id }, { session }) => session.sends.get(id),
    editPrompt({ id, text, position, when, expiresIn }, context) {
      checkReceiptShell("editPrompt", id, context);
      return context.session.sends.edit(id, { text, position, when, expiresIn });
    },
    cancelPrompt({ id }, context) {
      checkReceiptShell("cancelPrompt", id, context);
      return context.session.sends.cancel(id, nameOf(context));
    },
  };
}

/** A caller that may change only its own shells may change only their queues. */
function checkReceiptShell(method: string, id: number, { session, permit }: HandlerContext): void {
  const { shellId: shell } = session.sends.get(id);
  checkOwnShell(permit, session.ownedResources, { method, shell });
}

function nameOf({ caller: { principal } }: HandlerContext): string {
  return auditIdentity(principal).who ?? principal.user;
}
