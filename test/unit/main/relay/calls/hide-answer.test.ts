import { expect, test } from "vitest";
import { RemoteError } from "../../../../../core/protocol/errors.ts";
import { QUOTED_OUTPUT } from "../../../../../core/protocol/shell-host.ts";
import { keyPermit } from "../../../../../main/relay/access/permits/permit.ts";
import { hidingSecrets } from "../../../../../main/relay/calls/hide-answer.ts";

const TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const HIDDEN = `ghp_${"•".repeat(36)}`;
const key = { user: "ann", scheme: "api", scopes: [], key: "k1" } as const;
const hiding = keyPermit({ ...key, restrictions: { secrets: "hide" } });

test("the answer of a call has no secrets for a key from which they are hidden, and every other is left as it is", async () => {
  const answer = { lines: [TOKEN], state: { shown: `is ${TOKEN}` } };
  expect(await hidingSecrets(hiding, () => answer)).toEqual({ lines: [HIDDEN], state: { shown: `is ${HIDDEN}` } });
  expect(answer.lines).toEqual([TOKEN]);
  expect(hidingSecrets(keyPermit({ ...key, restrictions: { readOnly: true } }), () => answer)).toBe(answer);
  expect(hidingSecrets(undefined, () => answer)).toBe(answer);
});

test("a refusal quotes no output and no secret", async () => {
  const refuse = (message: string) => async () => {
    throw new RemoteError("wait_timeout", message);
  };
  const quoting = hidingSecrets(hiding, refuse(`It printed 9 bytes${QUOTED_OUTPUT}${TOKEN.slice(12)}`));
  await expect(quoting).rejects.toMatchObject({ code: "wait_timeout", message: "It printed 9 bytes." });
  await expect(hidingSecrets(hiding, refuse(`No ${TOKEN}.`))).rejects.toMatchObject({ message: `No ${HIDDEN}.` });
  const defect = new Error("a defect");
  await expect(hidingSecrets(hiding, () => Promise.reject(defect))).rejects.toBe(defect);
});
