import { z } from "zod";
import { SessionId, ShellId } from "../protocol/ids.ts";
import { ApiKeyText, MachineOverview, MachineRef } from "../protocol/machines.ts";
import { Question } from "../protocol/questions.ts";
import { operation } from "./operation.ts";
import { questionOperations } from "./questions.ts";

/** Facts of all operations on other machines: they use keys that are kept for those, by which no program may act. */
const ownersOnly = {
  access: "unrestricted",
  owner: "relay",
  closedToAgents: true,
  closedToShells: true,
  closedToAutomation: true,
  panel: true,
} as const;

const ref = {
  via: MachineRef.shape.via.describe("a remote of the relay's user, or a relay of the fleet"),
  machine: MachineRef.shape.machine.describe("name of the machine"),
};

const { session: _session, ...answerParts } = questionOperations.answerQuestion.params.shape;

/** The sessions, questions and keys of other machines: the user's remotes, and the other relays of the fleet. */
export const machineOperations = {
  getMachines: operation({
    ...ownersOnly,
    summary: "List the other machines, with their sessions, agents and questions",
    details:
      "The remotes of the relay's user, and the other relays of the fleet. Each is asked with the key that is kept for it, all at once, for up to 3 s; one that does not answer is listed as away.",
    params: z.object({}),
    result: z.array(MachineOverview),
    effect: "read",
    http: { method: "GET", path: "machines" },
  }),
  getMachineQuestions: operation({
    ...ownersOnly,
    summary: "List the questions of a shell on another machine",
    details: "Closed ones too. Only that machine is asked, with the key that is kept for it.",
    params: z.object({
      ...ref,
      remoteSession: SessionId.describe("id of the session there"),
      shell: ShellId.describe("id of the shell there"),
    }),
    result: z.array(Question),
    effect: "read",
    http: { method: "GET", path: "machines/:via/:machine/questions" },
  }),
  answerMachineQuestion: operation({
    ...ownersOnly,
    summary: "Answer a question of an agent on another machine",
    details:
      "As `answerQuestion`, with the key that is kept for that machine: its relay decides whether the key may answer, and records the answer.",
    params: z.object({
      ...ref,
      ...answerParts,
      remoteSession: SessionId.describe("id of the session there"),
    }),
    result: Question,
    effect: "change",
    sensitive: ["text", "answers"],
    http: { method: "POST", path: "machines/:via/:machine/answer" },
  }),
  giveMachineKey: operation({
    ...ownersOnly,
    summary: "Keep a key for another machine",
    details:
      "In the keychain, once the machine has accepted the key; without a keychain, in memory until the relay ends. A key that is refused is not kept.",
    params: z.object({
      ...ref,
      key: ApiKeyText.describe("API key of that machine"),
      remoteSession: SessionId.optional().describe("id of a session there that the key is to open"),
    }),
    result: z.object({}),
    effect: "change",
    sensitive: ["key"],
    http: { method: "PUT", path: "machines/:via/:machine/key" },
  }),
  forgetMachineKey: operation({
    ...ownersOnly,
    summary: "Delete the key that is kept for another machine",
    details:
      "What the app has open with the key ends. The other machine still accepts the key until it is revoked there.",
    params: z.object(ref),
    result: z.object({}),
    effect: "change",
    http: { method: "DELETE", path: "machines/:via/:machine/key" },
  }),
} as const;
