import type { Log } from "../../system/log.ts";
import type { Certificate, CertificateSource } from "../tls/certificate.ts";
import { describeRemoteAccess, type RemoteAccess } from "../tls/remote-access.ts";
import { type ListenAddress, type ReservedAddress, type RunningServer, reserveAddress } from "./listen.ts";

/** How often the certificate is looked at again: a made one is renewed in time, the user's own read anew. */
const LOOK_EVERY_MS = 12 * 3600_000;

/** Where other machines may come in. */
export interface RemoteListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: CertificateSource;
  /** Where that address is listened on already. */
  readonly reserved?: ReservedAddress | undefined;
}

export interface RemoteListener {
  readonly access: RemoteAccess;
  /** The address that it listens on. */
  readonly host: string;
  /** The certificate that new connections get. */
  readonly certificate: Certificate;
  /** Looks at the certificate again, and serves with the new one if it has changed. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

interface RemoteListenerServices {
  /** Starts to serve the relay at an address. */
  readonly serve: (door: ListenAddress) => Promise<RunningServer>;
  readonly basePath: string;
  readonly log: Log;
}

/**
 * Serves other machines over TLS, besides this one. Rejects with a CertificateError, a PortTakenError or another
 * AddressError.
 */
export async function openRemoteListener(
  { serve, basePath, log }: RemoteListenerServices,
  door: RemoteListenerOptions,
): Promise<RemoteListener> {
  const { host } = door;
  let certificate = await door.certificate();
  const address = door.reserved ?? (await reserveAddress(door, { outside: true }));
  const listening = await serve({ address, certificate });
  const described = () => describeRemoteAccess({ host, port: listening.port, basePath }, certificate);
  let outside = described();
  const refresh = async () => {
    try {
      const next = await door.certificate();
      if (next.cert === certificate.cert && next.key === certificate.key) return;
      listening.renew(next);
      certificate = next;
      outside = described();
      log.warn("The certificate was renewed.", { fingerprint: outside.fingerprint });
    } catch (error) {
      log.error("the certificate could not be renewed: the relay goes on with the one it has", { error });
    }
  };
  const timer = setInterval(() => void refresh(), LOOK_EVERY_MS);
  timer.unref();
  return {
    host,
    get access() {
      return outside;
    },
    get certificate() {
      return certificate;
    },
    refresh,
    close() {
      clearInterval(timer);
      return listening.close();
    },
  };
}
