import { test } from "vitest";
import { sendAmongDisturbances } from "../support/many-prompts.ts";

test(
  "1,000 prompts among resizes, dialogs, busy turns, typing and ends of agents: every receipt agrees with the transcript",
  {
    timeout: 1_800_000,
  },
  () => sendAmongDisturbances(1000),
);
