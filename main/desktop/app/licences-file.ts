import path from "node:path";
import { app } from "electron";

/** The file with the licences of everything in the package; in a checkout Patchbay's own. */
export function licencesFile(appFolder: string): string {
  return app.isPackaged ? path.join(process.resourcesPath, "licenses.txt") : path.join(appFolder, "LICENSE");
}
