/** How a prompt is entered into an agent's program, and how it is recognized in the agent's transcript. */
export interface PromptInput {
  /** Milliseconds between the drawn text and Enter: a program may take an Enter that follows at once for a part of the paste. */
  readonly settleMs: number;
  /**
   * Whether a screen shows this text, and nothing before it, in the agent's input. `before` is a screen from before the text
   * was written: an input that has scrolled away from its beginning counts only if it was empty then.
   */
  shows(screen: string, text: string, before?: string): boolean;
  /** Whether a user's message in the transcript is this text. */
  isRecorded(message: string, text: string): boolean;
}
