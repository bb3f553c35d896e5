/** With this word the app's program is not the app but the command line, with the words that follow. */
export const COMMAND_LINE = "--cli";

/** With this word it is the process that holds the shells of a relay. */
export const SHELL_HOST = "--shell-host";
