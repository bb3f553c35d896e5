import { vi } from "vitest";

export interface Captured {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs something that prints to this process's own output, and catches what it prints. */
export async function captured(run: () => Promise<number>): Promise<Captured> {
  const [out, err]: [string[], string[]] = [[], []];
  const catcher = (lines: string[]) => (text: string | Uint8Array) => lines.push(String(text)) > 0;
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation(catcher(out)),
    vi.spyOn(process.stderr, "write").mockImplementation(catcher(err)),
  ];
  try {
    const code = await run();
    return { code, out: out.join(""), err: err.join("") };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
