import { expect, test } from "vitest";
import { Stops } from "../../../../../tools/bench/support/stops.mjs";

test("all ends are called, the latest first", async () => {
  const stops = new Stops();
  const ended: string[] = [];
  for (const name of ["folder", "relay", "client"]) stops.add(() => ended.push(name));
  await stops.all();
  expect(ended).toEqual(["client", "relay", "folder"]);
});

test("what was ended early is not ended again", async () => {
  const stops = new Stops();
  const ended: string[] = [];
  const end = stops.add(async () => ended.push("relay"));
  await end();
  await end();
  await stops.all();
  expect(ended).toEqual(["relay"]);
});

test("an end that fails does not keep the others running, and is told", async () => {
  const stops = new Stops();
  const ended: string[] = [];
  stops.add(() => ended.push("folder"));
  stops.add(() => Promise.reject(new Error("it does not end")));
  await expect(stops.all()).rejects.toThrow("it does not end");
  expect(ended).toEqual(["folder"]);
});

test("what is started after the end is ended at once", async () => {
  const stops = new Stops();
  await stops.all();
  const ended: string[] = [];
  stops.add(() => ended.push("late"));
  expect(ended).toEqual(["late"]);
});
