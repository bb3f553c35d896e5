import { startTestRelay, type TestRelay, type TestRelayOptions } from "../../../support/test-relay.ts";
import { paperShells } from "./small-session.ts";

/** The real relay in this process, over HTTP at a free port, with shells that are records only. */
export function startPaperRelay(options: TestRelayOptions = {}): Promise<TestRelay> {
  return startTestRelay({ shellHostFor: () => paperShells().host, ...options });
}
