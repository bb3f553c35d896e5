import fc from "fast-check";

/** Pieces of terminal output, well formed and broken, among them everything that is easy to cut in two. */
const piece = fc.oneof(
  fc.string({ maxLength: 12 }).map((text) => Buffer.from(text)),
  fc.string({ unit: "binary", maxLength: 6 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(
    ...[
      "\u001b[31m",
      "\u001b[?2004h",
      "\u001b[?25;2004l",
      "\u001b]0;title ✳ ✓\u0007",
      "\u001b]133;C;patchbay=n\u001b\\",
      "\u009d2;c1 title\u009c",
      "\u009b?2004h",
      "\u001bP1$r0m\u001b\\",
      "\u001b]0;cut off\u0018",
      "\u001b]0;restarted\u001b[1m",
      "\u001b(B",
      "\u001b\u001b[K",
      "\u0007",
      "世界🎉é\r\n",
      "\u001b[",
      "\u001b]",
      "\u001b",
    ].map((text) => Buffer.from(text)),
    Buffer.from([0xc2]),
    Buffer.from([0xe2, 0x82]),
    Buffer.from([0xe2, 0x82, 0x1b, 0x5b, 0x6d]),
    Buffer.from([0xf0, 0x9f]),
  ),
);

/** Any terminal output. */
export const output = fc.array(piece, { maxLength: 30 }).map((pieces) => Buffer.concat(pieces));

/** Any terminal output, cut anywhere into pieces as a pseudo-terminal might deliver them. */
export const chunked = fc
  .tuple(output, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }))
  .map(([bytes, sizes]): Buffer[] => {
    const chunks: Buffer[] = [];
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      chunks.push(bytes.subarray(at, at + size));
      at += size;
    }
    return chunks;
  });
