import type { machineOperations } from "../../../core/operations/machines.ts";
import { httpStatusOf, RemoteError } from "../../../core/protocol/errors.ts";
import type { MachineRef } from "../../../core/protocol/machines.ts";
import type { OtherMachines } from "../../../core/protocol/other-machines.ts";
import type { Handlers } from "../calls/calls.ts";

/** Returns the handlers of the operations on other machines. @param machines undefined for a relay that knows none */
export function machineHandlers(machines: () => OtherMachines | undefined): Handlers<keyof typeof machineOperations> {
  const machineAt = ({ via, machine }: MachineRef) => {
    const found = machines()?.find({ via, machine });
    if (found === undefined) throw new RemoteError("invalid_params", `There is no machine ${machine} now.`);
    return found;
  };
  return {
    getMachines: async () => [...((await machines()?.list()) ?? [])],
    getMachineQuestions: async ({ remoteSession: session, shell, ...ref }) => [
      ...(await machineAt(ref).questionsOf({ session, shell }).catch(refuseKey)),
    ],
    answerMachineQuestion: ({ via, machine, remoteSession: session, ...answer }) =>
      machineAt({ via, machine })
        .answerQuestion({ ...answer, session })
        .catch(refuseKey),
    async giveMachineKey({ key, remoteSession, ...ref }) {
      await machineAt(ref).takeKey(key, remoteSession);
      return {};
    },
    async forgetMachineKey(ref) {
      await machineAt(ref).forgetKey();
      return {};
    },
  };
}

/** Rejects with an error that is not taken for a refusal of the caller's own key: the machine has refused the kept one. */
function refuseKey(error: unknown): never {
  if (error instanceof RemoteError && httpStatusOf(error.code) === 401) {
    throw new RemoteError("invalid_request", error.message, { cause: error });
  }
  throw error;
}
