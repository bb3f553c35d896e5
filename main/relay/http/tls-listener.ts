import type { Log } from "../../system/log.ts";
import type { Certificate, CertificateSource } from "../tls/certificate.ts";
import { describeRemoteAccess, type RemoteAccess } from "../tls/remote-access.ts";
import { type ListenAddress, type ReservedAddress, type RunningServer, reserveAddress } from "./listen.ts";

/** How often the certificate is read again: a self-signed one is renewed in time, the user's own may have changed. */
const REFRESH_EVERY_MS = 12 * 3600_000;

/** The address and certificate for other machines. */
export interface RemoteListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly certificate: CertificateSource;
  /** Set if the process listens on that address already. */
  readonly reserved?: ReservedAddress | undefined;
}

export interface RemoteListener {
  readonly access: RemoteAccess;
  /** The address that it listens on. */
  readonly host: string;
  /** The certificate that new connections get. */
  readonly certificate: Certificate;
  /** Reads the certificate again and uses it if it has changed. */
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
 * Serves other machines over TLS. Rejects with a CertificateError, a PortTakenError or another AddressError.
 */
export async function openRemoteListener(
  { serve, basePath, log }: RemoteListenerServices,
  options: RemoteListenerOptions,
): Promise<RemoteListener> {
  const { host } = options;
  let certificate = await options.certificate();
  const address = options.reserved ?? (await reserveAddress(options, { outside: true }));
  const listening = await serve({ address, certificate });
  const describeAccess = () => describeRemoteAccess({ host, port: listening.port, basePath }, certificate);
  let outside = describeAccess();
  const refresh = async () => {
    try {
      const next = await options.certificate();
      if (next.cert === certificate.cert && next.key === certificate.key) return;
      listening.renew(next);
      certificate = next;
      outside = describeAccess();
      log.warn("The certificate was renewed.", { fingerprint: outside.fingerprint });
    } catch (error) {
      log.error("the certificate could not be renewed: the relay goes on with the one it has", { error });
    }
  };
  const timer = setInterval(() => void refresh(), REFRESH_EVERY_MS);
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
