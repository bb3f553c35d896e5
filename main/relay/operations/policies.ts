import type { policyOperations } from "../../../core/operations/policies.ts";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { PolicyRule } from "../../../core/protocol/policies.ts";
import type { Handlers } from "../calls/calls.ts";

export function policyHandlers(): Handlers<keyof typeof policyOperations> {
  return {
    getPolicies: (_params, { session }) => session.policies.list(),
    addPolicy: ({ session: _, ...rule }, { session, caller }) => session.policies.add(rule, caller.name),
    removePolicy: ({ id }, { session }) => session.policies.remove(id),
    testPolicies({ session: _, id, ...given }, { session }) {
      const isDraft = Object.values(given).some((value) => value !== undefined && value !== null);
      if (isDraft && id !== undefined)
        throw new RemoteError("invalid_params", "id: expected either the id of a policy, or a rule to try.");
      const rule = isDraft ? PolicyRule.safeParse(given) : undefined;
      if (rule?.success === false)
        throw new RemoteError("invalid_params", "effect: expected effect and what of the rule to try.");
      return session.policies.test({ id, ...(rule && { rule: rule.data }) }, session.questions.stored());
    },
  };
}
