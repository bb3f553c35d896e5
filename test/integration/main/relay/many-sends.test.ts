// @module-tag slow
import { test } from "vitest";
import { sendToStandIns } from "../../../support/stand-in-prompts.ts";

test(
  "60 prompts among resizes, dialogs, busy turns, typing and ends of agents: every receipt agrees with the transcript",
  {
    timeout: 300_000,
  },
  () => sendToStandIns(60),
);
