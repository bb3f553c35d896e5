import { app } from "electron";

/** Restarts the app with the same arguments. The caller has ensured that the shells outlive it. */
export function restart(env: NodeJS.ProcessEnv = process.env): void {
  // The running file is inside the AppImage's mount, which is gone once the app has ended.
  const { APPIMAGE: image } = env;
  if (image === undefined) app.relaunch();
  else app.relaunch({ execPath: image, args: process.argv.slice(1) });
  app.quit();
}
