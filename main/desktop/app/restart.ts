import { app } from "electron";

/** Ends the app and starts it again with the same words. The caller has seen to it that the shells outlive it. */
export function restart(env: NodeJS.ProcessEnv = process.env): void {
  // What runs is a file inside of the AppImage, which is gone once the app has ended.
  const { APPIMAGE: image } = env;
  if (image === undefined) app.relaunch();
  else app.relaunch({ execPath: image, args: process.argv.slice(1) });
  app.quit();
}
