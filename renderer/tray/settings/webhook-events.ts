import { eventPatternsOf } from "../../../core/protocol/webhooks.ts";
import { words } from "../words/index.ts";

/** The events that the form offers, in their order. */
export const offeredEvents = ["question.opened", "agent.idle", "agent.error", "budget.*", "shell.exited"] as const;

/** Describes a list of events; those that the form does not offer by their patterns. */
export function describeEvents(list: string): string {
  return eventPatternsOf(list)
    .map((pattern) => {
      const known = offeredEvents.find((offered) => offered === pattern);
      return known === undefined ? pattern : words.webhooks.eventNames[known];
    })
    .join(" · ");
}
