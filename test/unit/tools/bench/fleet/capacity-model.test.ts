import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import {
  type Coefficients,
  leastSquares,
  ownersServed,
  predict,
  quantitiesOf,
} from "../../../../../tools/bench/fleet/capacity-model.ts";

test("the coefficients that made the values are found again", () => {
  const samples = [
    [1, 10, 40],
    [1, 100, 390],
    [1, 100, 30_000],
    [1, 300, 1_250],
  ].map((terms) => ({ terms, value: 20 + 0.5 * (terms[1] ?? 0) + 0.001 * (terms[2] ?? 0) }));
  const found = leastSquares(samples);
  expect(found.map((one) => Number(one.toFixed(6)))).toEqual([20, 0.5, 0.001]);
});

test("no coefficient is below 0: a term that only noise would make so is left out", () => {
  const samples = [
    { terms: [1, 10], value: 5.2 },
    { terms: [1, 20], value: 5 },
    { terms: [1, 30], value: 4.8 },
  ];
  expect(leastSquares(samples)).toEqual([expect.closeTo(5), 0]);
});

test("samples that do not tell two terms apart are refused", () => {
  const samples = [1, 2, 3].map((count) => ({ terms: [count, count], value: count }));
  expect(() => leastSquares(samples)).toThrow("do not tell the terms apart");
});

test("heartbeats and entries of the directory are delivered among the relays of one owner only", () => {
  expect(quantitiesOf({ owners: 1, relaysEach: 300, sessionsEach: 10 })).toMatchObject({
    relays: 300,
    deliveriesPerSecond: 9_000,
    entriesRead: 180_000,
  });
  expect(quantitiesOf({ owners: 100, relaysEach: 3, sessionsEach: 10 })).toMatchObject({
    relays: 300,
    deliveriesPerSecond: 90,
    entriesRead: 1_800,
  });
});

test("the figures that docs/fleet.md calculates follow from the coefficients that it names", () => {
  const rows = tableAfter("| relays and sessions |");
  expect(rows.length).toBeGreaterThan(3);
  const coefficients = documentedCoefficients();
  for (const [size = "", ...cells] of rows) {
    const [, owners, relaysEach] = /^([\d,]+) × (\d+)/.exec(size) ?? [];
    const told = predict({ owners: numberOf(owners), relaysEach: Number(relaysEach), sessionsEach: 10 }, coefficients);
    const { relays, subscriptions, deliveriesPerSecond, megabytes, idleCores, reconnectSeconds } = told;
    const calculated = [relays, subscriptions, deliveriesPerSecond, megabytes / 1024, idleCores, reconnectSeconds];
    expect([size, ...cells.map((cell) => numberOf(cell))]).toEqual([size, ...calculated.map(rounded)]);
  }
  const machine = { cores: 8, megabytes: 16 * 1024, idleCores: 4, restartSeconds: 30 };
  const limits = ownersServed(machine, { relaysEach: 3, sessionsEach: 10 }, coefficients);
  const owners = tableAfter("| limit of a broker |").map(([, served]) => numberOf(served));
  expect(owners).toEqual([limits.byMemory, limits.byHeartbeats, limits.byRestart].map(rounded));
});

function rounded(value: number): number {
  return Number(value.toPrecision(2));
}

function documentedCoefficients(): Coefficients {
  const told = new Map(tableAfter("| of a broker |").map(([name = "", value = ""]) => [name, numberOf(value)]));
  const numberFor = (name: string) => {
    const value = told.get(name);
    if (value === undefined) throw new Error(`docs/fleet.md names no "${name}"`);
    return value;
  };
  return {
    baseMegabytes: numberFor("memory, empty"),
    ownerKilobytes: numberFor("memory of an owner"),
    relayKilobytes: numberFor("memory of a relay"),
    subscriptionKilobytes: numberFor("memory of a subscription"),
    relayMicroseconds: numberFor("processor time of a relay, each second"),
    deliveryMicroseconds: numberFor("processor time of a heartbeat to one relay"),
    commandMicroseconds: numberFor("processor time of a command"),
    reconnectMilliseconds: numberFor("processor time of a reconnect"),
    entryMicroseconds: numberFor("processor time of an entry read at it"),
  };
}

/** Returns the cells of the rows of a table whose header begins so. */
function tableAfter(header: string): string[][] {
  const page = readFileSync(resolve(import.meta.dirname, "../../../../../docs/fleet.md"), "utf8");
  const [, after = ""] = page.split(`\n${header}`, 2);
  const [, , ...lines] = after.split("\n\n", 1)[0]?.split("\n") ?? [];
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function numberOf(cell = ""): number {
  return Number.parseFloat(cell.replaceAll(",", ""));
}
