import { type Address, type ReservedAddress, reserveAddress } from "./listen.ts";

/** Addresses of a relay that this process listens on already. */
export interface ReservedAddresses {
  readonly own: ReservedAddress;
  readonly outside: ReservedAddress | undefined;
  /** Stops listening on those that no relay serves. */
  release(): void;
}

/** Listens on the addresses of a relay before there is one. Rejects with a PortTakenError or another AddressError. */
export async function reserveAddresses({
  port,
  host = "127.0.0.1",
  outside,
}: Address & { readonly outside?: Address | undefined }): Promise<ReservedAddresses> {
  const own = await reserveAddress({ port, host });
  try {
    const other = outside === undefined ? undefined : await reserveAddress(outside, { outside: true });
    return {
      own,
      outside: other,
      release() {
        own.release();
        other?.release();
      },
    };
  } catch (error) {
    own.release();
    throw error;
  }
}
