import type { ClientRecord } from "./records.ts";

/** What a client without a screen calls its device. The relay calls no other client `desktop` with it. */
export const HEADLESS_DEVICE = "headless";

/** Reports whether a person may look at a client: the one of `serve --client` has no screen. */
export function hasScreen({ clientKind, device }: Pick<ClientRecord, "clientKind" | "device">): boolean {
  return clientKind !== "desktop" || device !== HEADLESS_DEVICE;
}
