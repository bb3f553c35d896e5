import { expect, test } from "vitest";
import { shellHostCommand } from "../../../../main/entry/shell-host-command.ts";

const versions = { ...process.versions };
const electron = { ...versions, electron: "33.2.1" };
const program = "/opt/program";

test("under Node and in a checkout's Electron the module is run as Node's", () => {
  expect(shellHostCommand("/app/dist", { versions, execPath: program, env: {} })).toEqual({
    file: program,
    args: ["/app/dist/shell-host/shell-host.js"],
  });
  const inElectron = { versions: electron, execPath: program, env: {}, defaultApp: true };
  expect(shellHostCommand("/app/dist", inElectron)).toMatchObject({ env: { ELECTRON_RUN_AS_NODE: "1" } });
});

test("a package runs itself by a word, an AppImage by its own file", () => {
  const packaged = shellHostCommand("/app/dist", { versions: electron, execPath: program, env: {} });
  expect(packaged).toMatchObject({ file: program, args: expect.arrayContaining(["--shell-host"]) });
  expect(packaged.env).toBeUndefined();
  const env = { APPIMAGE: "/home/me/patchbay.AppImage" };
  expect(shellHostCommand("/app/dist", { versions: electron, execPath: program, env }).file).toBe(env.APPIMAGE);
});
