import { expect, test } from "vitest";
import { machineOperations } from "../../core/operations/machines.ts";
import { requestOf } from "../../core/operations/operation.ts";
import { RemoteError } from "../../core/protocol/errors.ts";
import { callers, openRightsLab } from "../contract/rights-lab.ts";

const names = Object.keys(machineOperations) as (keyof typeof machineOperations)[];

test("another machine is reached by the key that is kept for it by the relay's owner alone, and by no program", async () => {
  await using lab = await openRightsLab();
  const reached: string[] = [];
  const reach = async (what: string): Promise<never> => {
    reached.push(what);
    throw new RemoteError("relay_away", "box is away.");
  };
  lab.relay.relay.machines = {
    list: () => reach("getMachines"),
    find: () => ({
      questionsOf: () => reach("getMachineQuestions"),
      answerQuestion: () => reach("answerMachineQuestion"),
      takeKey: () => reach("giveMachineKey"),
      forgetKey: () => reach("forgetMachineKey"),
    }),
  };
  const box = { via: "remote", machine: "box" };
  const { session } = lab.relay;
  const given: Readonly<Record<(typeof names)[number], object>> = {
    getMachines: {},
    getMachineQuestions: { ...box, remoteSession: session, shell: 1 },
    answerMachineQuestion: { ...box, remoteSession: session, id: 1, option: "yes", wait: 0 },
    giveMachineKey: { ...box, key: "pb_another" },
    forgetMachineKey: box,
  };
  const ask = (name: (typeof names)[number]) => {
    const { http } = machineOperations[name];
    const { path, body } = requestOf(http, given[name]);
    return { method: http.method, path: `/v1/${path}`, body };
  };
  const refusals = { nobody: "unauthenticated", stranger: "not_owner" };
  // The owner's key is the owner's, also where a relay of the fleet passes its call on.
  const programs = callers.map(([caller]) => caller).filter((caller) => caller !== "owner" && caller !== "fleet");
  for (const name of names) {
    for (const caller of programs) {
      const refusal = Reflect.get(refusals, caller) ?? "scope_forbids";
      expect([name, caller, await lab.call(caller, ask(name))]).toEqual([name, caller, refusal]);
    }
    for (const caller of ["readonly", "shell", "automat."] as const) {
      const byTool = await lab.callTool(caller, name, { ...given[name] });
      expect([name, caller, byTool]).toEqual([name, caller, "scope_forbids"]);
    }
  }
  expect(reached).toEqual([]);
  for (const name of names) expect(await lab.call("owner", ask(name))).toBe("relay_away");
  expect(reached).toEqual(names);
});
