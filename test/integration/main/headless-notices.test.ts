import { expect, test } from "vitest";
import { startServeLab } from "../../support/start-serve.ts";
import { until } from "../../support/until.ts";

test("a headless client prints a toast and a notification, and says that neither was shown", async () => {
  await using lab = await startServeLab();
  const relay = await lab.serve(["--client"]);
  const headers = { "X-Service-Token": await lab.makeKey(), "Content-Type": "application/json" };
  const call = async (method: string, params: object) => {
    const body = JSON.stringify({ method, params });
    const answer = await fetch(`${relay.url}/v1/sessions/${relay.session}/remote/command`, {
      method: "POST",
      headers,
      body,
    });
    return ((await answer.json()) as { result: unknown }).result;
  };
  expect(await call("notify", { title: "Build", body: "is done" })).toEqual({ shown: false, by: "log" });
  expect(await call("toast", { message: "Deployed", kind: "success" })).toEqual({ shown: false, by: "log" });
  // Its output comes through a pipe, perhaps after the answer.
  await until("both in its output", () => {
    return ["notification: Build: is done", "toast (success): Deployed"].every((line) => relay.said().includes(line));
  });
});
