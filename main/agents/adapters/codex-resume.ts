import type { ResumeForm } from "./adapter.ts";

/** The words that resume a thread of Codex, and which of its options are given again. */
export const codexResume: ResumeForm = {
  words: (sessionId) => ["resume", sessionId],
  flags: [
    "--approve-for-me",
    "--dangerously-bypass-approvals-and-sandbox",
    "--dangerously-bypass-hook-trust",
    "--full-auto",
    "--no-alt-screen",
    "--no-daemon",
    "--oss",
    "--search",
    "--strict-config",
    "--yolo",
  ],
  values: [
    "--add-dir",
    "--ask-for-approval",
    "-a",
    "--config",
    "-c",
    "--disable",
    "--enable",
    "--local-provider",
    "--model",
    "-m",
    "--profile",
    "-p",
    "--sandbox",
    "-s",
  ],
  // The folder is that of the shell.
  chooses: ["--all", "--cd", "-C", "--include-non-interactive", "--last"],
};
