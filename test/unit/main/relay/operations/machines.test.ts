import { describe, expect, test } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { SessionId, ShellId } from "../../../../../core/protocol/ids.ts";
import type { MachineRef } from "../../../../../core/protocol/machines.ts";
import type { OtherMachine } from "../../../../../core/protocol/other-machines.ts";
import { userCaller } from "../../../../../main/relay/access/permits/caller.ts";
import type { HandlerContext } from "../../../../../main/relay/calls/calls.ts";
import { machineHandlers } from "../../../../../main/relay/operations/machines.ts";
import { questionOf } from "../../../../support/asked-question.ts";

const box: MachineRef = { via: "remote", machine: "box" };
const session = SessionId.parse("session-0000000b");
const question = questionOf({ id: 7, session });
const context: HandlerContext = {
  caller: userCaller("ann", "panel"),
  signal: new AbortController().signal,
  get session(): never {
    throw new Error("the operation names no session");
  },
};
const answer = { ...box, remoteSession: session, id: 7, option: "yes", confirmScreen: false, wait: 0 };

/** The handlers over one machine, which keeps what it is asked. */
function overBox(parts: Partial<OtherMachine> = {}) {
  const asked: unknown[] = [];
  const machine: OtherMachine = {
    answerQuestion: async (given) => {
      asked.push(given);
      return question;
    },
    questionsOf: async (shell) => {
      asked.push(shell);
      return [question];
    },
    takeKey: async (...given) => void asked.push(given),
    forgetKey: async () => void asked.push("forget"),
    ...parts,
  };
  const find = ({ via, machine: name }: MachineRef) => (via === box.via && name === box.machine ? machine : undefined);
  return { handlers: machineHandlers(() => ({ find, list: async () => [] })), asked };
}

describe("another machine", () => {
  test("is asked without its own name", async () => {
    const { handlers, asked } = overBox();
    const shell = ShellId.parse(3);
    expect(await handlers.answerMachineQuestion(answer, context)).toEqual(question);
    expect(await handlers.getMachineQuestions({ ...box, remoteSession: session, shell }, context)).toEqual([question]);
    expect(await handlers.giveMachineKey({ ...box, key: "pb_key", remoteSession: session }, context)).toEqual({});
    expect(await handlers.forgetMachineKey(box, context)).toEqual({});
    const { via: _via, machine: _machine, remoteSession: _session, ...given } = answer;
    expect(asked).toEqual([{ ...given, session }, { session, shell }, ["pb_key", session], "forget"]);
  });

  test("that is not known is refused in words, and none takes its place", async () => {
    const { handlers, asked } = overBox();
    const refusal = { code: "invalid_params", message: "There is no machine box now." };
    const other: MachineRef = { ...box, via: "fleet" };
    await expect(async () => handlers.answerMachineQuestion({ ...answer, ...other }, context)).rejects.toMatchObject(
      refusal,
    );
    await expect(async () => handlers.forgetMachineKey(other, context)).rejects.toMatchObject(refusal);
    expect(asked).toEqual([]);
  });

  test("that refuses the kept key refuses no key of the caller", async () => {
    const refused = new RemoteError("unauthenticated", "box refuses its key.");
    const { handlers } = overBox({ answerQuestion: () => Promise.reject(refused) });
    await expect(handlers.answerMachineQuestion(answer, context)).rejects.toMatchObject({
      code: "invalid_request",
      message: "box refuses its key.",
    });
  });

  test("that refuses the answer is heard", async () => {
    const closed = new RemoteError("question_closed", "ann has answered: yes.");
    const { handlers } = overBox({ answerQuestion: () => Promise.reject(closed) });
    await expect(handlers.answerMachineQuestion(answer, context)).rejects.toBe(closed);
  });
});

test("a relay that knows no machines lists none", async () => {
  const handlers = machineHandlers(() => undefined);
  expect(await handlers.getMachines({}, context)).toEqual([]);
  await expect(async () => handlers.giveMachineKey({ ...box, key: "pb_key" }, context)).rejects.toMatchObject({
    code: "invalid_params",
  });
});
