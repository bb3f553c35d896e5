import type { Role } from "../protocol/records.ts";
import type { OperationInput, OperationName, OperationResult } from "./index.ts";

/** A link that the user asks for in the panel. */
interface WantedLink extends Pick<OperationInput<"createInvite">, "ttl" | "uses" | "outside" | "address"> {
  /** Id of the session. */
  readonly id: OperationInput<"createInvite">["session"];
  /** `owner`: for a browser of the owner, whose time and number of uses are fixed. */
  readonly role: Role | "owner";
}

/** Creates a link that lets a browser into a session. @param call calls an operation of the relay */
export async function createLink(
  call: <N extends OperationName>(name: N, params: OperationInput<N>) => Promise<OperationResult<N>>,
  { id: session, role, ttl, uses, outside, address }: WantedLink,
): Promise<{ readonly url: string; readonly expiresAt: string }> {
  const { url, expiresAt } = await (role === "owner"
    ? call("createOwnerLink", { session, outside, address })
    : call("createInvite", { session, role, ttl, uses, outside, address }));
  return { url, expiresAt };
}
