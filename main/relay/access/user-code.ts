import { randomInt } from "node:crypto";

/** Letters that nobody confuses and that spell no words: the base-20 alphabet of RFC 8628 §6.1. */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/** A code for a person to read and compare, without its hyphen. 20^8 of them; one is good for minutes only. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** As people see it: `WDJB-MJHT`. */
export function shownUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** What a person typed, as it is kept: case, hyphens and spaces do not count (RFC 8628 §6.1). */
export function userCodeFrom(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, "");
}
