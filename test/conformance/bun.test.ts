import { test } from "vitest";
import { expectReadmeWorks, makeClientProject } from "../support/published-client.ts";

test("every program of the client's README runs in Bun, from the packed file", async () => {
  using project = await makeClientProject(process.env.PATCHBAY_BUN);
  await expectReadmeWorks(project);
});
