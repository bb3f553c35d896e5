import { existsSync, readFileSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DownloadError } from "../../../../tools/setup/download-error.mjs";
import { untarOne } from "../../../../tools/setup/untar.mjs";
import { unzip } from "../../../../tools/setup/unzip.mjs";
import { temporaryFolder } from "../temporary-folder.ts";

interface Entry {
  name: string;
  content: Buffer;
  mode?: number;
  stored?: boolean;
}

/** A zip archive by PKWARE's APPNOTE, with what the reader needs of it. */
function zipOf(entries: readonly Entry[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, mode = 0o100644, stored = false } of entries) {
    const packed = stored ? content : deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(stored ? 0 : 8, 10);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(content.length, 24);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt16LE(mode, 40);
    central.writeUInt32LE(offset, 42);
    const file = Buffer.concat([local, Buffer.from(name), packed]);
    files.push(file);
    directory.push(central, Buffer.from(name));
    offset += file.length;
  }
  const records = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(records.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, records, end]);
}

function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, content }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    header.write("ustar", 257);
    // POSIX: the sum of the header's bytes, its own eight taken as spaces.
    const sum = header.reduce((total, byte) => total + byte, 8 * 0x20);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

async function unzipped(archive: Buffer, rename?: (name: string) => string | undefined): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(path.join(folder, "archive.zip"), archive);
  await unzip(path.join(folder, "archive.zip"), path.join(folder, "out"), rename);
  return path.join(folder, "out");
}

const program: Entry = { name: "app/bin/run", content: Buffer.from("#!/bin/sh\n"), mode: 0o100755 };
const text: Entry = { name: "app/read me.txt", content: Buffer.from("hällo ".repeat(1000)), stored: true };

test.skipIf(process.platform === "win32")(
  "files come out with their content and executable bits, links as links",
  async () => {
    const link = { name: "app/link", content: Buffer.from("bin/run"), mode: 0o120777 };
    const out = await unzipped(zipOf([{ name: "app/", content: Buffer.alloc(0) }, program, text, link]));
    expect(readFileSync(path.join(out, "app/read me.txt"))).toEqual(text.content);
    expect(statSync(path.join(out, "app/bin/run")).mode & 0o111).toBe(0o111);
    expect(readFileSync(path.join(out, "app/link"))).toEqual(program.content);
  },
);

test("entries are renamed or left out as asked", async () => {
  const out = await unzipped(zipOf([program, text]), (name) => (name === program.name ? "electron" : undefined));
  expect(existsSync(path.join(out, "electron"))).toBe(true);
  expect(existsSync(path.join(out, "app"))).toBe(false);
});

test("a name that leads out of the folder is refused", async () => {
  await expect(unzipped(zipOf([{ name: "../outside", content: Buffer.from("x") }]))).rejects.toThrow(DownloadError);
});

test("an archive cut off anywhere is refused, never half taken for whole", async () => {
  const whole = zipOf([program, text]);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
      const folder = temporaryFolder();
      const file = path.join(folder, "cut.zip");
      await writeFile(file, whole.subarray(0, length));
      await expect(unzip(file, path.join(folder, "out"))).rejects.toThrow();
    }),
    { numRuns: 30 },
  );
});

test("one file is taken out of a package, whatever surrounds it", async () => {
  const folder = temporaryFolder();
  const big: Entry = { name: "package/big.zip", content: Buffer.alloc(3_000_001, 9) };
  const archive = path.join(folder, "package.tgz");
  await writeFile(archive, tarOf([text, { name: "package/empty", content: Buffer.alloc(0) }, big, program]));
  await untarOne(archive, "package/big.zip", path.join(folder, "out"));
  expect(readFileSync(path.join(folder, "out")).equals(big.content)).toBe(true);
  await expect(untarOne(archive, "package/none", path.join(folder, "out"))).rejects.toThrow(DownloadError);
});

test("a package cut off is an error", async () => {
  const folder = temporaryFolder();
  const archive = path.join(folder, "package.tgz");
  const whole = tarOf([text]);
  await writeFile(archive, whole.subarray(0, whole.length - 20));
  await expect(untarOne(archive, text.name, path.join(folder, "out"))).rejects.toThrow();
});
