import { UsageError } from "./options.ts";
import { PortTakenError } from "./relay/http/listen.ts";
import { StoreError } from "./relay/store/open-store.ts";

/** Whether it is one of the errors of a bad start, whose message is a sentence for the user. */
export function isForTheUser(error: unknown): error is Error {
  return error instanceof UsageError || error instanceof StoreError || error instanceof PortTakenError;
}
