import { type BusConnection, connectToBus } from "../../main/system/dbus/connection.ts";

/** Runs `ask` with the session bus; closes the connection that it opened. */
export async function withSessionBus<T>(
  env: Readonly<Record<string, string | undefined>>,
  ask: (connect: () => Promise<BusConnection>) => Promise<T>,
): Promise<T> {
  let connection: BusConnection | undefined;
  try {
    return await ask(async () => {
      connection = await connectToBus(env);
      return connection;
    });
  } finally {
    connection?.[Symbol.dispose]();
  }
}
