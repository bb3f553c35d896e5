import { type BusConnection, connectToBus } from "../../system/dbus/connection.ts";
import { trayIconProblem } from "../../system/desktop-services.ts";

/** Why the tray icon is not visible on this desktop, and what to do about it; undefined when it is. */
export async function trayProblem(
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  if (platform !== "linux") return undefined;
  let connection: BusConnection | undefined;
  try {
    const problem = await trayIconProblem(async () => {
      connection = await connectToBus(env);
      return connection;
    });
    return problem && `${problem.found} ${problem.advice}`;
  } finally {
    connection?.[Symbol.dispose]();
  }
}
