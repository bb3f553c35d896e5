import { sentence } from "../../ui/sentence.ts";

/** The panel as a page in a browser. */
export const browser = {
  title: "The owner’s panel",
  about:
    "Open it with an API key of the relay’s owner, or open the owner’s link that serve prints in this browser first.",
  key: "API key",
  hint: "With all rights. It is kept until this tab is closed.",
  open: "Open the panel",
  unreachable: "The relay cannot be reached. Check the network and try again.",
  onlyInApp: "This can be done in the app only.",
  notCopied: "The browser did not allow copying.",
  outcomeUnknown: "The relay did not answer in time. It is not known whether this has arrived.",
};

/** While the relay has not answered yet, or does not answer. */
export const connection = {
  loading: "Asking the relay",
  title: "The relay does not answer",
  asOf: (time: string) => `What is shown is from ${time}.`,
  start: sentence("If the relay was stopped, start it on its machine with {command}."),
  retry: "Try again",
  trying: "Trying…",
};
