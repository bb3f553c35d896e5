import { expect, test } from "vitest";
import { requestKey } from "../../../../cli/connect/request-key.ts";
import type { Io } from "../../../../cli/render/io.ts";
import { sendJson, startHostileRelay } from "../../../support/hostile-relay.ts";

const HOSTILE = "\u001b]52;c;cm0=\u0007";
const begun = { device_code: "d", user_code: "ABCD-EFGH", expires_in: 0.1, interval: 1 };
const given = { access_token: "pb_key", user: "ann" };

function ioOf(write: (text: string) => void): Io {
  return { args: [], env: {}, program: "service", stdout: { write, isTTY: false, columns: 80 }, stderr: { write } };
}

/** Logs in at a relay that answers so. Resolves to what reaches the terminal. */
async function login(answers: { readonly begun: object; readonly given: object }) {
  await using relay = await startHostileRelay();
  relay.answer = ({ url }, response) => sendJson(response, url?.endsWith("token") ? answers.given : answers.begun);
  const printed: string[] = [];
  const outcome = await requestKey(
    ioOf((text) => void printed.push(text)),
    relay.url,
    undefined,
  ).catch(String);
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

test("a relay is asked at most once a second, and not after the code's end, whatever it says", async () => {
  const asked = await Promise.all(
    [0, -5, 3600, 1e10].map(async (interval) => {
      await using relay = await startHostileRelay();
      relay.answer = ({ url }, response) => {
        if (url?.endsWith("token")) response.writeHead(400).end(JSON.stringify({ error: "authorization_pending" }));
        else sendJson(response, { ...begun, expires_in: 1.5, interval });
      };
      const outcome = await requestKey(
        ioOf(() => undefined),
        relay.url,
        undefined,
      ).catch(String);
      expect(outcome).toContain("No answer within");
      return relay.asked.filter(({ url }) => url?.endsWith("token")).length;
    }),
  );
  expect(asked).toEqual([2, 2, 1, 1]);
});

test("a relay that names a time without end is none", async () => {
  for (const name of ["interval", "expires_in"]) {
    await using relay = await startHostileRelay();
    relay.answer = (_request, response) =>
      response.end(JSON.stringify({ ...begun, [name]: 0 }).replace(`"${name}":0`, `"${name}":1e999`));
    await expect(
      requestKey(
        ioOf(() => undefined),
        relay.url,
        undefined,
      ),
    ).rejects.toThrow("not a Patchbay relay");
  }
});
