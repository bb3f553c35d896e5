/** A decision that only the user can take. */
export interface Question {
  readonly title: string;
  readonly body: string;
  /** Lines shown as they are, in the terminal's font. */
  readonly quote?: readonly string[];
  /** Buttons after Cancel, the usual one last. */
  readonly answers: readonly { readonly id: string; readonly label: string; readonly danger?: true }[];
}

export interface OpenQuestion extends Question {
  settle(answer: string | undefined): void;
}
