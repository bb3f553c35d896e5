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
};
