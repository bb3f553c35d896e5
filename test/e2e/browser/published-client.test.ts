import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packPublishedClient } from "../../support/published-client.ts";
import { startWebLab } from "./web-lab.ts";

/** A text: the page has to import the module itself. */
const program = `async (token) => {
  const { Patchbay } = await import(location.origin + "/own/index.js");
  const patchbay = new Patchbay({ url: location.origin, token });
  const shell = await patchbay.createShell();
  const ran = await shell.run("echo built-$((40+2))");
  const events = patchbay.events({ types: ["shell.exited"] });
  const next = events.next();
  setTimeout(() => patchbay.call("createShell", { exec: ["true"] }), 200);
  const { value } = await next;
  await events.return(undefined);
  const refused = await patchbay.call("closeShell", { id: 9999 }).catch((error) => error.code);
  return { ...ran, event: value?.type, refused };
}`;

test("the package @patchbay/client runs commands and reads events in a page of the relay's origin", {
  tags: "slow",
}, async () => {
  const { folder } = await packPublishedClient();
  try {
    await using lab = await startWebLab({ client: true });
    const { page } = await lab.browser();
    const { url } = lab.relay();
    // As a proxy in front of the relay serves a page of its own.
    await page.route(`${url}/own/**`, (route) => {
      const isModule = route.request().url().endsWith(".js");
      const body = isModule
        ? readFileSync(join(folder, "package", "index.js"), "utf8")
        : "<!doctype html><title>own</title>";
      return route.fulfill({ body, contentType: isModule ? "text/javascript" : "text/html" });
    });
    await page.goto(`${url}/own/`);
    const seen = await page.evaluate(`(${program})(${JSON.stringify(lab.key)})`);
    expect(seen).toEqual({ exitCode: 0, output: "built-42\r\n", event: "shell.exited", refused: "unknown_shell" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
