/** First argument that makes the app's program the command line, with the arguments that follow. */
export const COMMAND_LINE = "--cli";

/** First argument that makes it the shell host of a relay. */
export const SHELL_HOST = "--shell-host";
