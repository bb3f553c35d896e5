import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { AsyncEntry } from "@napi-rs/keyring";
import { expect, test } from "vitest";
import { KEYCHAIN_SERVICE } from "../../core/protocol/relay-file.ts";
import { launchApp } from "../support/app.ts";
import { serviceWords } from "../support/packaged-program.ts";
import { until } from "../support/until.ts";

const [program, ...firstWords] = serviceWords();

test("the command line's key lies in the Secret Service, works, and is the same after a restart", async () => {
  await using app = await launchApp({ args: ["--hidden"] });
  const account = app.relay.keyAccount;
  if (account === undefined) throw new Error("the relay names no account in the keychain");
  const entry = new AsyncEntry(KEYCHAIN_SERVICE, account, { linux: { store: "secret-service" } });
  try {
    const key = await until("the key", () => entry.getPassword());
    const answer = await fetch(`${app.relay.url}/v1/sessions/${app.session}/remote/shells`, {
      headers: { "x-service-token": key },
    });
    expect(answer.status).toBe(200);
    // Without a token in its environment, the command line finds the same key there.
    const { SERVICE_TOKEN: _, ...env } = process.env;
    const service = [...firstWords, "func", "list-shells", "--data", app.data];
    expect(await promisify(execFile)(program, service, { env })).toMatchObject({ stdout: "[]\n", stderr: "" });
    await app.stop();
    await using again = await launchApp({ data: app.data, args: ["--hidden"] });
    expect(again.relay.keyAccount).toBe(account);
    expect(await entry.getPassword()).toBe(key);
  } finally {
    await entry.deleteCredential();
  }
});

test("without a session bus the app says so, works, and opens its window and its panel because there is no tray", {
  tags: "slow",
}, async () => {
  await using app = await launchApp({ args: ["--hidden"], env: { DBUS_SESSION_BUS_ADDRESS: "" } });
  await app.window();
  await until("the missing keychain", () => /keychain/i.test(app.output));
  await until("the missing tray", () => app.output.includes("There is no tray"));
  const panel = await app.page("/tray/");
  await panel.getByRole("button", { name: "How", exact: true }).press("Enter");
  const settings = await app.page("?settings");
  await settings.getByText("There is no tray: this session has no D-Bus session bus.").waitFor();
  expect((await app.fetch("remote/shells")).status).toBe(200);
});
