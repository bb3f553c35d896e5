import { existsSync } from "node:fs";
import path from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The address of this session's bus as the environment names it, else the usual socket of the user's login; undefined
 * where the session has no bus.
 */
export function sessionBusAddress(env: Environment): string | undefined {
  const { DBUS_SESSION_BUS_ADDRESS: said, XDG_RUNTIME_DIR: runtime } = env;
  if (said !== undefined && said !== "") return said;
  if (runtime === undefined || !path.isAbsolute(runtime)) return undefined;
  const socket = path.join(runtime, "bus");
  return existsSync(socket) ? `unix:path=${socket}` : undefined;
}

/**
 * The Unix sockets of an address, in its order (D-Bus specification, "Server Addresses"), as `net.connect` takes them: an
 * abstract one begins with NUL. Transports other than Unix sockets are left out.
 */
export function socketsOf(address: string): string[] {
  return address.split(";").flatMap((one) => {
    if (!one.startsWith("unix:")) return [];
    const pairs = one
      .slice("unix:".length)
      .split(",")
      .map((pair): [string, string] => {
        const [key = "", ...value] = pair.split("=");
        return [key, unescaped(value.join("="))];
      });
    const { path: file, abstract } = Object.fromEntries(pairs);
    if (file !== undefined && file !== "") return [file];
    return abstract === undefined || abstract === "" ? [] : [`\0${abstract}`];
  });
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
