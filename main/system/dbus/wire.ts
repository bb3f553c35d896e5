/** A value with its own D-Bus signature, for places of type `v`. */
interface Variant {
  readonly signature: string;
  readonly value: unknown;
}

/** The specification allows 32 arrays and 32 structures inside each other. */
const MAX_DEPTH = 64;
const ALIGNMENT: Readonly<Record<string, number>> = {
  y: 1,
  b: 4,
  n: 2,
  q: 2,
  i: 4,
  u: 4,
  x: 8,
  t: 8,
  d: 8,
  s: 4,
  o: 4,
  g: 1,
  a: 4,
  "(": 8,
  "{": 8,
  v: 1,
  h: 4,
};

/** Bytes or a signature that are not valid D-Bus. */
export class WireError extends Error {}

/** Marshals D-Bus values, little-endian (D-Bus specification, "Marshaling (Wire Format)"). */
export class WireWriter {
  #bytes = Buffer.alloc(256);
  #length = 0;

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Writes one value for each complete type of the signature. */
  writeAll(signature: string, values: readonly unknown[]): void {
    const types = typesIn(signature);
    if (types.length !== values.length) throw new WireError(`"${signature}" does not fit ${values.length} values`);
    types.forEach((type, at) => {
      this.write(type, values[at]);
    });
  }

  write(type: string, value: unknown): void {
    this.align(ALIGNMENT[type[0] ?? ""] ?? 1);
    switch (type[0]) {
      case "y":
        this.#number(1, (at) => this.#bytes.writeUInt8(Number(value), at));
        break;
      case "b":
        this.#number(4, (at) => this.#bytes.writeUInt32LE(value === true ? 1 : 0, at));
        break;
      case "i":
        this.#number(4, (at) => this.#bytes.writeInt32LE(Number(value), at));
        break;
      case "u":
        this.#number(4, (at) => this.#bytes.writeUInt32LE(Number(value), at));
        break;
      case "s":
      case "o":
        this.#text(String(value), 4);
        break;
      case "g":
        this.#text(String(value), 1);
        break;
      case "a":
        this.#array(type.slice(1), value);
        break;
      case "(":
        this.writeAll(type.slice(1, -1), Array.isArray(value) ? value : []);
        break;
      case "v":
        this.#variant(value);
        break;
      default:
        throw new WireError(`"${type}" is not written here`);
    }
  }

  align(to: number): void {
    const padding = (to - (this.#length % to)) % to;
    this.#room(padding);
    this.#bytes.fill(0, this.#length, this.#length + padding);
    this.#length += padding;
  }

  append(bytes: Buffer): void {
    this.#room(bytes.length);
    bytes.copy(this.#bytes, this.#length);
    this.#length += bytes.length;
  }

  #array(element: string, value: unknown): void {
    this.#number(4, () => undefined);
    const sizeAt = this.#length - 4;
    this.align(ALIGNMENT[element[0] ?? ""] ?? 1);
    const start = this.#length;
    if (element.startsWith("{")) {
      const [key = "", item = ""] = typesIn(element.slice(1, -1));
      for (const [name, one] of Object.entries(value ?? {})) {
        this.align(8);
        this.write(key, name);
        this.write(item, one);
      }
    } else for (const one of Array.isArray(value) ? value : []) this.write(element, one);
    this.#bytes.writeUInt32LE(this.#length - start, sizeAt);
  }

  #variant(value: unknown): void {
    if (!isVariant(value)) throw new WireError("a variant names its signature");
    this.write("g", value.signature);
    this.write(value.signature, value.value);
  }

  /** A string of D-Bus has no NUL inside, and ends with one. */
  #text(text: string, sizeOfLength: 1 | 4): void {
    const bytes = Buffer.from(text.replaceAll("\0", ""), "utf8");
    this.#number(sizeOfLength, (at) => this.#bytes.writeUIntLE(bytes.length, at, sizeOfLength));
    this.append(bytes);
    this.append(Buffer.from([0]));
  }

  #number(size: number, put: (at: number) => void): void {
    this.#room(size);
    put(this.#length);
    this.#length += size;
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = Buffer.alloc(Math.max(this.#bytes.length * 2, this.#length + bytes));
    this.#bytes.copy(grown);
    this.#bytes = grown;
  }
}

/** Unmarshals D-Bus values. Every method throws a WireError for bytes that are not valid. */
export class WireReader {
  readonly #bytes: Buffer;
  readonly #little: boolean;
  at: number;

  constructor(bytes: Buffer, little: boolean, at = 0) {
    this.#bytes = bytes;
    this.#little = little;
    this.at = at;
  }

  /** Reads one value for each complete type of the signature. Dictionaries come as arrays of pairs, variants as their value. */
  readAll(signature: string, depth = 0): unknown[] {
    return typesIn(signature).map((type) => this.read(type, depth));
  }

  read(type: string, depth = 0): unknown {
    if (depth > MAX_DEPTH) throw new WireError("values are nested too deeply");
    this.align(ALIGNMENT[type[0] ?? ""] ?? 1);
    switch (type[0]) {
      case "y":
        return this.#take(1).readUInt8();
      case "b":
        return this.#uint32() === 1;
      case "n":
        return this.#little ? this.#take(2).readInt16LE() : this.#take(2).readInt16BE();
      case "q":
        return this.#little ? this.#take(2).readUInt16LE() : this.#take(2).readUInt16BE();
      case "i":
        return this.#little ? this.#take(4).readInt32LE() : this.#take(4).readInt32BE();
      case "u":
      case "h":
        return this.#uint32();
      case "x":
        return this.#little ? this.#take(8).readBigInt64LE() : this.#take(8).readBigInt64BE();
      case "t":
        return this.#little ? this.#take(8).readBigUInt64LE() : this.#take(8).readBigUInt64BE();
      case "d":
        return this.#little ? this.#take(8).readDoubleLE() : this.#take(8).readDoubleBE();
      case "s":
      case "o":
        return this.#text(this.#uint32());
      case "g":
        return this.#text(this.#take(1).readUInt8());
      case "a":
        return this.#array(type.slice(1), depth);
      case "(":
      case "{":
        return this.readAll(type.slice(1, -1), depth + 1);
      case "v":
        return this.#variant(depth);
      default:
        throw new WireError(`there is no type "${type}"`);
    }
  }

  align(to: number): void {
    this.#take((to - (this.at % to)) % to);
  }

  #array(element: string, depth: number): unknown[] {
    const size = this.#uint32();
    this.align(ALIGNMENT[element[0] ?? ""] ?? 1);
    const end = this.at + size;
    if (end > this.#bytes.length) throw new WireError("an array is longer than its message");
    const items: unknown[] = [];
    while (this.at < end) items.push(this.read(element, depth + 1));
    if (this.at !== end) throw new WireError("an array does not end where it says");
    return items;
  }

  #variant(depth: number): unknown {
    const signature = this.#text(this.#take(1).readUInt8());
    const [type, ...more] = typesIn(signature);
    if (type === undefined || more.length > 0) throw new WireError("a variant holds one value");
    return this.read(type, depth + 1);
  }

  #text(length: number): string {
    const bytes = this.#take(length);
    if (this.#take(1)[0] !== 0) throw new WireError("a string does not end where it says");
    return bytes.toString("utf8");
  }

  #uint32(): number {
    return this.#little ? this.#take(4).readUInt32LE() : this.#take(4).readUInt32BE();
  }

  #take(size: number): Buffer {
    if (size > this.#bytes.length - this.at) throw new WireError("the message ends too early");
    this.at += size;
    return this.#bytes.subarray(this.at - size, this.at);
  }
}

/** The complete types of a signature: `sa{sv}u` has the three `s`, `a{sv}` and `u`. */
export function typesIn(signature: string): string[] {
  const types: string[] = [];
  for (let at = 0; at < signature.length; ) {
    const end = endOfType(signature, at, 0);
    types.push(signature.slice(at, end));
    at = end;
  }
  return types;
}

function endOfType(signature: string, at: number, depth: number): number {
  const first = signature[at];
  if (depth > MAX_DEPTH) throw new WireError("a signature is nested too deeply");
  if (first === "a") return endOfType(signature, at + 1, depth + 1);
  if (first !== "(" && first !== "{") {
    if (first === undefined || !(first in ALIGNMENT)) throw new WireError(`"${signature}" is no signature`);
    return at + 1;
  }
  const close = first === "(" ? ")" : "}";
  let end = at + 1;
  while (signature[end] !== close) end = endOfType(signature, end, depth + 1);
  if (end === at + 1) throw new WireError(`"${signature}" has an empty structure`);
  return end + 1;
}

function isVariant(value: unknown): value is Variant {
  return typeof value === "object" && value !== null && "signature" in value && typeof value.signature === "string";
}
