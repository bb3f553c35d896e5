import { expect, test } from "vitest";
import { startServeLab } from "../../../support/start-serve.ts";
import { until } from "../../../support/until.ts";

test("`serve --invite` prints a link that lets one browser in; without it, no link goes into a file or pipe; the first start says what Patchbay is", async () => {
  await using lab = await startServeLab();
  const relay = await lab.serve(["--invite"]);
  const link = await until("the link", () => /http:\S+#pbi_\S+/.exec(relay.said())?.[0]);
  const [page = "", invite = ""] = link.split("#");
  expect(page).toBe(`${relay.url}/s/${relay.session}`);
  const enter = () =>
    fetch(`${page}/enter`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: relay.url },
      body: JSON.stringify({ invite, name: "Bea" }),
    });
  const entered = await enter();
  expect(await entered.json()).toMatchObject({ result: { name: "Bea", role: "writer" } });
  expect((await enter()).status).toBe(403);
  await relay.kill();

  expect(relay.said()).toContain("Welcome to Patchbay");
  expect(relay.said()).toMatch(/Connect the command line: add to .*\n +export PATH=/);

  const quiet = await lab.serve([]);
  await until("the next steps", () => quiet.said().includes("invite"));
  expect(quiet.said()).not.toContain("#pbi_");
  expect(quiet.said()).not.toContain("Welcome to Patchbay");
});
