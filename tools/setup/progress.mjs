const PLAIN_STEP = 0.25;
const MEGABYTE = 1_000_000;

/**
 * Shows how far a download is: one line that is rewritten on a terminal, a line for every quarter elsewhere.
 * @param {string} label
 * @param {{ isTTY?: boolean, write(text: string): unknown }} stream
 */
export function createProgress(label, stream = process.stderr) {
  let shown = "";
  let nextShare = 0;
  return {
    /** @param {number} received bytes @param {number} total bytes, 0 when unknown */
    update(received, total) {
      const share = total > 0 ? Math.min(received / total, 1) : 0;
      if (stream.isTTY) {
        const line = `${label}: ${amount(received, total)}`;
        if (line !== shown) stream.write(`\r${line}\x1b[K`);
        shown = line;
      } else if (total > 0 && share >= nextShare) {
        stream.write(`${label}: ${amount(received, total)}\n`);
        nextShare = (Math.floor(share / PLAIN_STEP) + 1) * PLAIN_STEP;
      }
    },
    end() {
      if (shown !== "") stream.write("\n");
    },
  };
}

/** @param {number} received @param {number} total */
function amount(received, total) {
  const megabytes = Math.round(received / MEGABYTE);
  return total > 0
    ? `${megabytes} of ${Math.round(total / MEGABYTE)} MB (${Math.floor((Math.min(received, total) / total) * 100)} %)`
    : `${megabytes} MB`;
}
