import { test } from "vitest";
import { sendToStandIns } from "../support/stand-in-prompts.ts";

test(
  "1,000 prompts among resizes, dialogs, busy turns, typing and ends of agents: every receipt agrees with the transcript",
  {
    timeout: 1_800_000,
  },
  () => sendToStandIns(1000),
);
