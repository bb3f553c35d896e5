import { describe, expect, test } from "vitest";
import { checkKey, findKey } from "../../../client/find-key.ts";

describe("the key to send", () => {
  const shell = { SERVICE_SHELL_ID: "3", SERVICE_URL: "http://127.0.0.1:1" };

  test("is the one that is given, else the environment's, else that of the shell around", async () => {
    const env = { SERVICE_TOKEN: "pb_env" };
    expect(await findKey({ token: "pb_x", env, account: undefined })).toEqual({ token: "pb_x", from: "--token" });
    expect(await findKey({ token: undefined, env, account: undefined })).toEqual({
      token: "pb_env",
      from: "SERVICE_TOKEN",
    });
  });

  test("is none of the keychain in a shell that lost its own", async () => {
    const env = { ...shell, SERVICE_TOKEN: "" };
    await expect(findKey({ token: undefined, env, account: "a" })).rejects.toMatchObject({
      reason: "no_key",
      message:
        "This runs in shell 3, without its SERVICE_TOKEN: the keychain's key is only used outside of shells. Open a new shell, or give a key with --token.",
    });
  });

  test("that there is not is told with what makes one", async () => {
    await expect(findKey({ token: undefined, env: {}, account: undefined })).rejects.toMatchObject({
      reason: "no_key",
      message: expect.stringMatching(/^No API key: `service login` gets one and keeps it in the keychain; or set /),
    });
  });

  test.each(["", "pb x", "pb\u0007", "pbä"])("is not %j", (token) => {
    expect(() => checkKey(token, "--token")).toThrow(
      "--token: this is not an API key; `patchbay keys create` prints one.",
    );
  });
});
