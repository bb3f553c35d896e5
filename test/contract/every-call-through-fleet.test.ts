// @module-tag slow
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OperationName, operationNames, operations } from "../../core/operations/index.ts";
import { pathParams } from "../../core/operations/operation.ts";
import { type FleetLab, startFleetLab } from "../support/fleet-lab.ts";
import { startTestRelay, type TestRelay } from "../support/test-relay.ts";
import { CALLED, compareThroughFleet } from "./compare-through-fleet.ts";
import { credentialFor, exampleFor, exampleRequest } from "./example-operations.ts";

let lab: FleetLab;

compareThroughFleet(async () => {
  lab = await startFleetLab(CALLED, {}, { members: ["box"] });
  const { url, credentialsOf } = lab.broker;
  return {
    joining: { url, credentialsFile: credentialsOf("box") },
    called: lab.relay,
    [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
  };
});

describe("every operation without a session is of the relay that is called, in a fleet as outside of one", () => {
  let alone: TestRelay;
  beforeAll(async () => {
    alone = await startTestRelay();
  });
  afterAll(() => alone?.[Symbol.asyncDispose]());

  // They are about the fleet itself.
  const others = new Set<OperationName>(["getFleet", "joinFleet", "leaveFleet"]);
  test.each(
    operationNames.filter((name) => !pathParams(operations[name].http.path).includes("session") && !others.has(name)),
  )("%s", async (name) => {
    const call = async (relay: TestRelay, key: string) => {
      const request = exampleRequest(name, exampleFor(name));
      const headers = operations[name].bearer === undefined ? { "X-Service-Token": key } : credentialFor(name, relay);
      const { method, path, ...options } = request;
      const { status, headers: given } = await relay.request(method, path, { ...options, headers });
      return [status, given.get("x-service-error"), given.get("x-service-relay")];
    };
    const laptop = lab.relay("laptop");
    expect(await call(laptop, laptop.key)).toEqual(await call(alone, alone.key));
  });
});

test("a key of another relay calls no operation without a session", async () => {
  const headers = { "X-Service-Token": lab.relay("laptop").key };
  for (const path of ["/v1/keys", "/v1/audit", "/v1/fleet"]) {
    expect((await lab.relay("desk").request("GET", path, { headers })).status).toBe(401);
  }
});
