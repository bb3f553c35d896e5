import { BlockList, isIP } from "node:net";
import { UsageError } from "./usage-error.ts";

/** Where the relay listens: on a loopback address, and for other machines only when requested. */
export interface ListenAddresses {
  /** Loopback address of the listener for this machine. */
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly outside: RemoteAddress | undefined;
}

/** The listener for other machines, which speaks TLS. */
interface RemoteAddress {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The user's own certificate; undefined: Patchbay creates and stores one. */
  readonly files: { readonly cert: string; readonly key: string } | undefined;
}

interface ListenOptions {
  readonly listen: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** `--port`; undefined when not given. */
  readonly port: number | undefined;
}

/**
 * Combines `--listen`, `--port` and the certificate's options. A loopback address replaces the default one. Any other
 * adds a listener for other machines, on the port after the first (or a free one, like the first). Throws a UsageError.
 */
export function parseListenOptions({ listen, cert, key, port }: ListenOptions, usualPort: number): ListenAddresses {
  const here = { host: "127.0.0.1", port: port ?? usualPort, outside: undefined };
  const files = filesOf(cert, key);
  if (listen === undefined) return files === undefined ? here : refuse(needsAddress);
  const address = addressOf(listen);
  if (isLoopback(address.host)) {
    if (files !== undefined) refuse(needsAddress);
    if (port !== undefined && address.port !== undefined && port !== address.port) {
      refuse(`--listen: its port ${address.port} and --port ${port} contradict each other: give one of them.`);
    }
    const host = address.host === "localhost" ? "127.0.0.1" : address.host;
    return { host, port: address.port ?? here.port, outside: undefined };
  }
  const outsidePort = address.port ?? (here.port === 0 ? 0 : here.port + 1);
  if (outsidePort > 65_535) refuse("--listen: give the port for other machines too, as ADDRESS:PORT.");
  return { ...here, outside: { host: address.host, port: outsidePort, files } };
}

const needsAddress = "--tls-cert and --tls-key are for other machines: say --listen ADDRESS, such as 0.0.0.0, too.";

function filesOf(cert: string | undefined, key: string | undefined): RemoteAddress["files"] {
  if (cert !== undefined && key !== undefined) return { cert, key };
  if (cert === undefined && key === undefined) return undefined;
  return refuse("--tls-cert and --tls-key go together: a certificate is of no use without its key.");
}

/** `HOST`, `HOST:PORT` or, for IPv6, `ADDRESS` and `[ADDRESS]:PORT`. */
function addressOf(text: string): { host: string; port: number | undefined } {
  if (isIP(text) !== 0 && !text.includes("%")) return { host: text, port: undefined };
  const [, bracketed, name, digits] = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed === undefined ? name?.toLowerCase() : bracketed;
  const port = digits === undefined ? undefined : Number(digits);
  const fits = bracketed === undefined ? isHostName(host ?? "") : isIP(bracketed) === 6;
  if (host !== undefined && fits && (port ?? 0) <= 65_535) return { host, port };
  return refuse(
    `--listen: expected an address of this machine, such as 0.0.0.0 (all of them), 192.0.2.7:8443 or [::]:8443, got ${JSON.stringify(text)}.`,
  );
}

function isHostName(name: string): boolean {
  if (isIP(name) === 4) return true;
  const labels = name.split(".");
  const last = labels.at(-1) ?? "";
  // A last label of digits alone would be parsed as an address in an obsolete notation.
  return (
    name.length <= 253 &&
    !/^\d+$/.test(last) &&
    labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  );
}

function isLoopback(host: string): boolean {
  if (host === "localhost") return true;
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8);
  loopback.addAddress("::1", "ipv6");
  const family = isIP(host);
  return family !== 0 && loopback.check(host, family === 6 ? "ipv6" : "ipv4");
}

function refuse(message: string): never {
  throw new UsageError(message);
}
