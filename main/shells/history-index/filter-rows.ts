import { z } from "zod";
import { RemoteError } from "../../../core/protocol/errors.ts";
import { SEARCHABLE } from "../../../core/protocol/searchable.ts";
import type { MasterKey } from "../history/segment.ts";
import { type IndexDatabase, SummedBytes, summed } from "./database.ts";
import { FILTER_BITS, TextFilter } from "./text-filter.ts";

/** Filters of a block: a search reads only the bits of the text that it looks for. */
const BLOCK = 1024;
/** Bytes that a block has for each bit of its filters. */
const LANE = BLOCK / 8;
/** Bits that are stored together: as many as fill a page of SQLite. */
const SLICE_LANES = 31;
const SLICES = Math.ceil(FILTER_BITS / SLICE_LANES);

/** Bytes that a block takes in the file, nearly all of them its bits. */
const BLOCK_BYTES = FILTER_BITS * LANE;

const OpenRow = z.object({ doc: z.int(), bits: SummedBytes });
const BlockRow = z.object({ id: z.int(), docs: SummedBytes });
type BlockRow = z.infer<typeof BlockRow>;
const BlockRange = z.object({ id: z.int(), set_id: z.int(), lowest: z.int(), highest: z.int() });
const BlockCount = z.object({ count: z.int() });
const SliceRow = z.object({ bits: SummedBytes });

/** Part of an index that is searched by itself. */
type FilterSet = number;

/** The documents of a block, by the first and the last of their numbers; between them may be those of other sets. */
interface DocRange {
  readonly set: FilterSet;
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Tables `open_filters`, `filter_blocks` and `filter_slices`: which documents of a set may hold a text, as Bloom filters. The
 * latest documents have a row each, since they are often replaced; older ones are in blocks of 1,024, stored by bits.
 */
export class FilterRows {
  readonly #database: IndexDatabase;
  readonly #filter: TextFilter;
  readonly #insert: ReturnType<IndexDatabase["prepare"]>;

  constructor(database: IndexDatabase, key: MasterKey) {
    this.#database = database;
    this.#filter = new TextFilter(key);
    this.#insert = database.prepare("INSERT INTO open_filters (set_id, doc, bits) VALUES (?, ?, ?)");
  }

  /** @param doc - a number above those of all other documents of the set */
  add(set: FilterSet, doc: number, text: string): void {
    this.#insert.run([set, doc, summed(this.#filter.filterOf(text))]);
  }

  remove(set: FilterSet, doc: number): void {
    const removed = this.#database.prepare("DELETE FROM open_filters WHERE set_id = ? AND doc = ?").run([set, doc]);
    if (removed.changes > 0) return;
    const row = this.#database
      .prepare(
        `UPDATE filter_blocks SET kept = kept - 1 WHERE set_id = ?1 AND lowest <= ?2 AND highest >= ?2
         RETURNING id, kept`,
      )
      .get([set, doc]);
    const block = z.object({ id: z.int(), kept: z.int() }).optional().parse(row);
    if (block === undefined || block.kept > 0) return;
    this.#removeBlock(block.id);
  }

  /** Returns the bytes that the blocks of the sets from one on take. */
  blockBytes(from: FilterSet): number {
    const row = this.#database.prepare("SELECT count(*) AS count FROM filter_blocks WHERE set_id >= ?").get([from]);
    return BlockCount.parse(row).count * BLOCK_BYTES;
  }

  /** Removes the block of the sets from one on whose documents are the oldest. Returns undefined if there is none. */
  removeOldest(from: FilterSet): DocRange | undefined {
    const row = this.#database
      .prepare("SELECT id, set_id, lowest, highest FROM filter_blocks WHERE set_id >= ? ORDER BY highest LIMIT 1")
      .get([from]);
    const block = BlockRange.optional().parse(row);
    if (block === undefined) return undefined;
    this.#removeBlock(block.id);
    return { set: block.set_id, lowest: block.lowest, highest: block.highest };
  }

  #removeBlock(id: number): void {
    this.#database.prepare("DELETE FROM filter_blocks WHERE id = ?").run([id]);
    this.#database.prepare("DELETE FROM filter_slices WHERE id >= ? AND id < ?").run([id * SLICES, (id + 1) * SLICES]);
  }

  /** Makes blocks of the oldest documents, once there are enough. */
  close(set: FilterSet): void {
    const oldest = this.#database.prepare(
      `SELECT doc, bits FROM open_filters WHERE set_id = ? ORDER BY doc LIMIT ${BLOCK}`,
    );
    const count = this.#database.prepare("SELECT count(*) AS count FROM open_filters WHERE set_id = ?");
    while (z.object({ count: z.int() }).parse(count.get([set])).count >= BLOCK * 2) {
      this.#closeBlock(set, OpenRow.array().parse(oldest.all([set])));
    }
  }

  /**
   * Lists the documents that may hold all of some texts, the latest first, and some that were removed.
   *
   * @throws RemoteError `invalid_params` if none of the texts is long enough
   */
  *candidates(set: FilterSet, texts: readonly string[]): Generator<number, void, void> {
    const bits = this.#filter.bitsOf(texts);
    if (bits.length === 0) throw new RemoteError("invalid_params", `params.query: expected ${SEARCHABLE}.`);
    const hasBits = (filter: Uint8Array) => bits.every((bit) => ((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0);
    const open = this.#database.prepare("SELECT doc, bits FROM open_filters WHERE set_id = ? ORDER BY doc DESC");
    const blocks = this.#database.prepare("SELECT id, docs FROM filter_blocks WHERE set_id = ? ORDER BY highest DESC");
    // Both at once: meanwhile documents may move from here to there.
    const [openRows, blockRows] = [OpenRow.array().parse(open.all([set])), BlockRow.array().parse(blocks.all([set]))];
    for (const row of openRows) if (hasBits(row.bits)) yield row.doc;
    const slices = this.#database.prepare("SELECT bits FROM filter_slices WHERE id = ?");
    const sliceOf = (id: number) => {
      const row = slices.get([id]);
      return row === undefined ? undefined : SliceRow.parse(row).bits;
    };
    for (const block of blockRows) yield* docsIn(block, bits, sliceOf);
  }

  #closeBlock(set: FilterSet, rows: readonly z.infer<typeof OpenRow>[]): void {
    const docs = Float64Array.from(rows, ({ doc }) => doc);
    const [lowest, highest] = [docs[0] ?? 0, docs.at(-1) ?? 0];
    const lanes = transposed(rows.map(({ bits }) => bits));
    const { lastInsertRowid } = this.#database
      .prepare("INSERT INTO filter_blocks (set_id, lowest, highest, kept, docs) VALUES (?, ?, ?, ?, ?)")
      .run([set, lowest, highest, docs.length, summed(new Uint8Array(docs.buffer))]);
    const insert = this.#database.prepare("INSERT INTO filter_slices (id, bits) VALUES (?, ?)");
    for (let slice = 0; slice < SLICES; slice++) {
      const bytes = lanes.subarray(slice * SLICE_LANES * LANE, (slice + 1) * SLICE_LANES * LANE);
      insert.run([Number(lastInsertRowid) * SLICES + slice, summed(bytes)]);
    }
    this.#database.prepare("DELETE FROM open_filters WHERE set_id = ? AND doc <= ?").run([set, highest]);
  }
}

/** Lists the documents of a block whose filters have all of these bits, the latest first. */
function docsIn(
  { id, docs }: BlockRow,
  bits: readonly number[],
  sliceOf: (id: number) => Uint8Array | undefined,
): number[] {
  const may = new Uint8Array(LANE).fill(0xff);
  for (const bit of bits) {
    const slice = sliceOf(id * SLICES + Math.floor(bit / SLICE_LANES));
    const from = (bit % SLICE_LANES) * LANE;
    let left = 0;
    for (let at = 0; at < LANE; at++) {
      const byte = (may[at] ?? 0) & (slice?.[from + at] ?? 0);
      may[at] = byte;
      left |= byte;
    }
    if (left === 0) return [];
  }
  const numbers = new DataView(docs.buffer, docs.byteOffset, docs.byteLength);
  return Array.from({ length: docs.byteLength / 8 }, (_, at) => at)
    .filter((at) => ((may[at >>> 3] ?? 0) & (1 << (at & 7))) !== 0)
    .map((at) => numbers.getFloat64(at * 8, true))
    .reverse();
}

/** Returns filters by bits: for each bit of a filter a lane with a bit of each filter. */
function transposed(filters: readonly Uint8Array[]): Buffer {
  const lanes = Buffer.alloc(FILTER_BITS * LANE);
  for (const [index, filter] of filters.entries()) {
    const at = index >>> 3;
    const mark = 1 << (index & 7);
    for (let byte = 0; byte < filter.length; byte++) {
      for (let rest = filter[byte] ?? 0; rest !== 0; rest &= rest - 1) {
        const lane = byte * 8 + 31 - Math.clz32(rest & -rest);
        const place = lane * LANE + at;
        lanes[place] = (lanes[place] ?? 0) | mark;
      }
    }
  }
  return lanes;
}
