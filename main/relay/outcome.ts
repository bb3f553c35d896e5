import type { RemoteError } from "../../core/protocol/errors.ts";
import type { ClientId } from "../../core/protocol/ids.ts";
import type { RoutedAnswer } from "./route-command.ts";

interface Refused {
  readonly error: RemoteError;
  /** Who was asked, if anybody was. */
  readonly client: ClientId | undefined;
}

/** What came of a command. */
export type Outcome = RoutedAnswer | Refused;
