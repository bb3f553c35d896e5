import type { RequestListener } from "node:http";
import type { Certificate, CertificateSource } from "../tls/certificate.ts";
import { describeOutside, type Outside } from "../tls/remote-access.ts";
import type { AppParts } from "./app.ts";
import { listen, type ReservedAddress, reserveAddress } from "./listen.ts";

/** How often the certificate is looked at again: a made one is renewed in time, the user's own read anew. */
const LOOK_EVERY_MS = 12 * 3600_000;

/** Where other machines may come in. */
export interface OutsideDoor {
  readonly host: string;
  readonly port: number;
  readonly certificate: CertificateSource;
  /** Where that address is listened on already. */
  readonly reserved?: ReservedAddress | undefined;
}

export interface OpenDoor {
  readonly outside: Outside;
  /** The address that it listens on. */
  readonly host: string;
  /** The certificate that new connections get. */
  readonly certificate: Certificate;
  /** Looks at the certificate again, and serves with the new one if it has changed. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves other machines over TLS, besides this one. Rejects with a CertificateError, a PortTakenError or another
 * AddressError.
 */
export async function openDoor(parts: AppParts, app: RequestListener, door: OutsideDoor): Promise<OpenDoor> {
  const { host, basePath } = { host: door.host, basePath: parts.basePath };
  let certificate = await door.certificate();
  const address = door.reserved ?? (await reserveAddress(door, { outside: true }));
  const listening = await listen(parts, app, { address, certificate });
  const described = () => describeOutside({ host, port: listening.port, basePath }, certificate);
  let outside = described();
  const refresh = async () => {
    try {
      const next = await door.certificate();
      if (next.cert === certificate.cert && next.key === certificate.key) return;
      listening.renew(next);
      certificate = next;
      outside = described();
      parts.log.warn("The certificate was renewed.", { fingerprint: outside.fingerprint });
    } catch (error) {
      parts.log.error("the certificate could not be renewed: the relay goes on with the one it has", { error });
    }
  };
  const timer = setInterval(() => void refresh(), LOOK_EVERY_MS);
  timer.unref();
  return {
    host,
    get outside() {
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
