import { expect, test } from "vitest";
import { requestKey } from "../../../../cli/connect/request-key.ts";
import type { Io } from "../../../../cli/render/io.ts";
import { sendJson, startHostileRelay } from "../../../support/hostile-relay.ts";

const HOSTILE = "\u001b]52;c;cm0=\u0007";
const begun = { device_code: "d", user_code: "ABCD-EFGH", expires_in: 60, interval: 0.01 };
const given = { access_token: "pb_key", user: "ann" };

/** Logs in at a relay that answers so. Resolves to what reaches the terminal. */
async function login(answers: { readonly begun: object; readonly given: object }) {
  await using relay = await startHostileRelay();
  relay.answer = ({ url }, response) => sendJson(response, url?.endsWith("token") ? answers.given : answers.begun);
  const printed: string[] = [];
  const io: Io = {
    args: [],
    env: {},
    program: "service",
    stdout: { write: (text) => void printed.push(text), isTTY: false, columns: 80 },
    stderr: { write: (text) => void printed.push(text) },
  };
  const outcome = await requestKey(io, relay.url, undefined).catch((error: unknown) => String(error));
  return { printed: printed.join(""), outcome };
}

test("a key is asked for with the code that the relay gives", async () => {
  const { printed, outcome } = await login({ begun, given });
  expect(printed).toContain("Code: ABCD-EFGH");
  expect(outcome).toEqual(given);
});

test("a hostile relay's code, key and user's name do not reach the terminal as sequences", async () => {
  const code = await login({ begun: { ...begun, user_code: `A${HOSTILE}` }, given });
  expect([code.printed, code.outcome]).toEqual(["", expect.stringContaining("not a Patchbay relay")]);
  const key = await login({ begun, given: { ...given, access_token: `pb${HOSTILE}` } });
  expect(key.outcome).toEqual(expect.stringContaining("not a Patchbay relay"));
  const user = await login({ begun, given: { ...given, user: `ann${HOSTILE}` } });
  expect(user.outcome).toEqual({ ...given, user: "ann\\u001b]52;c;cm0=\\u0007" });
});
