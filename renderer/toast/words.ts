/** The texts of the toasts of sessions without a visible window. */
export const words = {
  title: "Messages",
  dismiss: "Dismiss",
  kinds: {
    info: "Info",
    success: "Done",
    error: "Error",
  },
};
