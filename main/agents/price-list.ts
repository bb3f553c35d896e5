import { readRegularFile } from "../system/regular-files.ts";
import { writeAtomically } from "../system/write-atomically.ts";
import {
  MAX_LIST_BYTES,
  PRICE_LIST_KEYS,
  PriceListError,
  type SignedPrices,
  verifyPriceList,
} from "./signed-prices.ts";

/** The price list that is built in; a test holds this to the installed package. */
export const priceList = { list: "@pydantic/genai-prices", version: "0.1.8", date: "2026-09-23" } as const;

/** The list in use. `providers` is absent for the one that is built in. */
export interface CurrentPriceList extends Pick<SignedPrices, "list" | "version" | "date"> {
  readonly providers?: SignedPrices["providers"];
  /** Why an installed list is not used. */
  readonly problem?: string;
}

interface Options {
  /** Where an installed list is kept, as it was published; need not exist. */
  readonly file: string | undefined;
  readonly log: (message: string, fields?: object) => void;
  /** Public keys, one of which has to have signed a list: base64 of SPKI. */
  readonly keys?: readonly string[] | undefined;
}

/** The price lists of the relay: the one that is built in, and a newer one that the user has installed. */
export class PriceLists {
  readonly #file: string | undefined;
  readonly #log: Options["log"];
  readonly #keys: readonly string[];
  #current: CurrentPriceList | undefined;

  constructor({ file, log, keys = PRICE_LIST_KEYS }: Options) {
    this.#file = file;
    this.#log = log;
    this.#keys = keys;
  }

  /** Returns the list in use: the installed one, unless it is damaged or the one that is built in is newer. */
  current(): CurrentPriceList {
    this.#current ??= this.#read();
    return this.#current;
  }

  /**
   * Installs a list in the place of the present one. The file is whole after a crash, with the old list or the new one.
   * @throws PriceListError for a list that is not signed, not valid or older than the one in use
   */
  install(text: string): void {
    const given = verifyPriceList(text, this.#keys);
    const { date, version } = this.current();
    if (given.date < date || (given.date === date && given.version !== version)) {
      throw new PriceListError(`it is of ${given.date}, and the list in use of ${date}: only a newer one is installed`);
    }
    if (this.#file === undefined) throw new PriceListError("this relay keeps no price list");
    writeAtomically(this.#file, text);
    this.#current = given;
  }

  #read(): CurrentPriceList {
    const text = this.#file === undefined ? undefined : readIfAny(this.#file);
    if (text === undefined) return priceList;
    try {
      const installed = verifyPriceList(text, this.#keys);
      return installed.date > priceList.date ? installed : priceList;
    } catch (error) {
      if (!(error instanceof PriceListError)) throw error;
      this.#log("the installed price list is not used: the one that is built in is", {
        path: this.#file,
        reason: error.message,
      });
      return { ...priceList, problem: error.message };
    }
  }
}

/** Returns the text of a file; undefined where there is none. What cannot be read counts as damaged. */
function readIfAny(path: string): string | undefined {
  try {
    return readRegularFile(path, MAX_LIST_BYTES).toString("utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "";
  }
}
