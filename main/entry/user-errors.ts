import { AddressError } from "../relay/http/listen.ts";
import { FleetError } from "../relay/net/fleet-peer.ts";
import { StoreError } from "../relay/store/open-store.ts";
import { CertificateError } from "../relay/tls/certificate.ts";
import { SocketFolderError } from "../system/folders.ts";
import { UsageError } from "./options/options.ts";

const userErrors = [UsageError, StoreError, AddressError, CertificateError, FleetError, SocketFolderError] as const;

/** Whether this is a start error whose message is a sentence for the user. */
export function isUserError(error: unknown): error is Error {
  return userErrors.some((kind) => error instanceof kind);
}
