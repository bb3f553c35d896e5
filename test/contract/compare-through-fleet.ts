import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type MethodName, methodNames, specs } from "../../core/commands/specs.ts";
import { type OperationName, operationNames, operations } from "../../core/operations/index.ts";
import { type OperationSpec, pathParams } from "../../core/operations/operation.ts";
import { Fleet, readFleetSetting } from "../../main/relay/fleet/fleet.ts";
import { PASSING_HEADERS } from "../support/fleet-lab.ts";
import type { Answer, RequestOptions, TestRelay } from "../support/test-relay.ts";
import { until } from "../support/until.ts";
import { isRead, isUntargeted, untilEqual, withoutChance } from "./equal-answers.ts";
import { credentialFor, exampleFor, exampleRequest } from "./example-operations.ts";
import { exampleParams } from "./example-params.ts";
import { type PreparedSession, prepareFor, prepareSession } from "./prepare-session.ts";

/** Two relays through which a session of a third one, `box`, is called. */
export const CALLED = ["laptop", "desk"] as const;
type CalledName = (typeof CALLED)[number];

export type CalledRelay = Pick<TestRelay, "request">;

/** The fleet in which direct and foreign answers are compared. */
export interface ComparedFleet extends AsyncDisposable {
  /** What the relay `box`, which is in this process, joins with. */
  readonly joining: { readonly url: string; readonly credentialsFile: string };
  called(name: CalledName): CalledRelay;
}

/**
 * Declares the tests that every command and every operation of a session has the direct answer through a foreign relay.
 *
 * @param start starts the fleet, before the first test
 */
export function compareThroughFleet(start: () => Promise<ComparedFleet>, startMs?: number): void {
  let fleet: ComparedFleet;
  beforeAll(async () => {
    fleet = await start();
  }, startMs);
  afterAll(async () => {
    await fleet?.[Symbol.asyncDispose]();
  }, startMs);

  describe("every command that reads, through each foreign relay, has the direct answer", () => {
    let box: PreparedSession;
    beforeAll(async () => {
      box = await prepareSession();
      await join(fleet, box.relay);
    });
    afterAll(() => box?.[Symbol.asyncDispose]());

    test.each(methodNames.filter(isRead))("%s", async (method) => {
      const { relay, client } = box;
      const ask = (at: CalledRelay) => send(relay, { at, ...commandRequest(relay, method, client.id) });
      for (const name of CALLED) {
        const [direct, foreign] = await untilEqual(async () => [await ask(relay), await ask(fleet.called(name))]);
        expect(foreign).toEqual(direct);
        expect(direct.status).toBe(200);
      }
    });

    test.each(methodNames.filter((method) => specs[method].shortcut !== undefined))(
      "%s as a getter",
      async (method) => {
        const { relay } = box;
        const path = `/v1/sessions/${relay.session}/remote/${specs[method].shortcut}`;
        const ask = (at: CalledRelay) => send(relay, { at, method: "GET", path });
        const [direct, foreign] = await untilEqual(async () => [await ask(relay), await ask(fleet.called("laptop"))]);
        expect(foreign).toEqual(direct);
        expect(direct.status).toBe(200);
      },
    );
  });

  describe("every command that changes something does the same in two equal sessions, directly and through a foreign relay", () => {
    test.each(methodNames.filter((method) => !isRead(method)))("%s", async (method) => {
      const answers = await Promise.all(
        [false, true].map(async (isForeign) => {
          await using session = await prepareSession();
          const { relay, client } = session;
          if (isForeign) await join(fleet, relay);
          await prepareFor(method, session);
          const request = commandRequest(relay, method, isUntargeted(method) ? undefined : client.id);
          const answer = await send(relay, { at: isForeign ? fleet.called("laptop") : relay, ...request });
          expect(answer.status).toBe(200);
          return withoutChance(answer, relay);
        }),
      );
      expect(answers[1]).toEqual(answers[0]);
    });
  });

  describe("every operation of a session has an equal answer in two equal sessions", () => {
    let direct: PreparedSession;
    let box: PreparedSession;
    beforeAll(async () => {
      [direct, box] = await Promise.all([prepareSession(), prepareSession()]);
      await join(fleet, box.relay);
    });
    afterAll(async () => {
      await direct?.[Symbol.asyncDispose]();
      await box?.[Symbol.asyncDispose]();
    });

    test.each(operationNames.filter(isOfSession))("%s", async (name) => {
      const call = async ({ relay }: PreparedSession, at: CalledRelay) => {
        const request = exampleRequest(name, { ...exampleFor(name), session: relay.session });
        return withoutChance(await send(relay, { at, ...request, headers: credentialFor(name, relay) }), relay);
      };
      const expected = await call(direct, direct.relay);
      expect(await call(box, fleet.called("laptop"))).toEqual(expected);
      expect(expected.status).not.toBe(500);
    });
  });

  test("closeSession does the same in two equal sessions, and the sessions are gone for every relay", async () => {
    const answers = await Promise.all(
      [false, true].map(async (isForeign) => {
        await using session = await prepareSession();
        const { relay } = session;
        if (isForeign) await join(fleet, relay);
        const request = exampleRequest("closeSession", { session: relay.session, force: true });
        const closed = await send(relay, { at: isForeign ? fleet.called("laptop") : relay, ...request });
        expect(closed.status).toBe(200);
        expect(relay.relay.sessions.find(relay.session)).toBeUndefined();
        if (isForeign) {
          await until(
            "the session to be unknown",
            async () => !(await listAt(fleet.called("desk"), relay.key)).includes(relay.session),
          );
        }
        return withoutChance(closed, relay);
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });
}

function isOfSession(name: OperationName): boolean {
  const { http }: OperationSpec = operations[name];
  // It would close the session for the operations after it, and is compared by itself.
  return pathParams(http.path).includes("session") && name !== "closeSession";
}

function commandRequest({ session }: TestRelay, method: MethodName, client: number | undefined) {
  const target = client === undefined ? {} : { target_client_id: client };
  const body = { method, params: exampleParams[method], ...target };
  return { method: "POST", path: `/v1/sessions/${session}/remote/command`, body };
}

interface Compared {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Sends a request for a session of `owner` to a relay, and checks which relay says that it has answered. */
async function send(
  owner: TestRelay,
  { at, method, path, ...options }: RequestOptions & { at: CalledRelay; method: string; path: string },
): Promise<Compared> {
  const headers = { "X-Service-Token": owner.key, ...options.headers };
  const answer = await at.request(method, path, { ...options, headers });
  if (at !== owner) expect(answer.headers.get("x-service-relay")).toBe("box");
  expect(owner.errors).toEqual([]);
  return { status: answer.status, headers: headersOf(answer), body: bodyOf(answer) };
}

/** Headers of the connection and of the passing on, and the one that names the relay, are each relay's own. */
const OWN = [
  "connection",
  "keep-alive",
  "date",
  "transfer-encoding",
  "content-length",
  "x-service-relay",
  ...PASSING_HEADERS,
];

function headersOf({ headers }: Answer): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !OWN.includes(name)));
}

function bodyOf({ text }: Answer): unknown {
  return text.startsWith("{") ? JSON.parse(text) : text;
}

/** Joins a relay as `box`, and waits until the others know its session. */
async function join({ joining, called }: ComparedFleet, { relay, session, key }: TestRelay): Promise<void> {
  const quiet = () => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  relay.fleet = new Fleet({ ...readFleetSetting(joining), relay, log });
  for (const name of CALLED) {
    await until("the session to be known", async () => (await listAt(called(name), key)).includes(session));
  }
}

async function listAt(at: CalledRelay, key: string): Promise<string> {
  return (await at.request("GET", "/v1/sessions", { headers: { "X-Service-Token": key } })).text;
}
