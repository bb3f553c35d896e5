import { KEY, type KeyboardInput, NEW_LINE } from "./keyboards.ts";
import { quantileOf } from "./median.ts";

const KEYS = 200;

/** Microseconds. */
export interface EchoTimes {
  readonly p50: number;
  readonly p99: number;
}

/** Measures the time from a key to its echo. Types the next key once this one is confirmed too. */
export async function measureEchoes({ output: heard, type }: KeyboardInput): Promise<EchoTimes> {
  await type(NEW_LINE);
  await heard.quiet();
  const times: number[] = [];
  for (let key = 0; key < KEYS; key += 1) {
    const echoed = heard.next();
    const startedAt = performance.now();
    const typed = type(KEY);
    await echoed;
    times.push((performance.now() - startedAt) * 1000);
    await typed;
  }
  return { p50: quantileOf(times, 0.5), p99: quantileOf(times, 0.99) };
}
