import { RemoteError } from "../../../../core/protocol/errors.ts";
import type { SecretsWish } from "../../../../core/protocol/history-export.ts";
import type { Permit } from "./permit.ts";

/** Returns whether secrets are hidden from a caller. Throws `scope_forbids` if a restricted one asks to keep them. */
export function hidesSecrets(wish: SecretsWish | undefined, permit: Permit | undefined): boolean {
  if (wish !== "keep") return true;
  if (permit === undefined) return false;
  throw new RemoteError("scope_forbids", "Secrets are shown to a key that has no restrictions: leave `secrets` out.");
}
