import { randomInt } from "node:crypto";

/** Letters that are not confused with each other and spell no words: the base-20 alphabet of RFC 8628 §6.1. */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;

/** Returns a random code for a person to read and compare, without its hyphen: one of 20^8, valid for minutes. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** Formats a code for people: `WDJB-MJHT`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** Normalises a typed code: case, hyphens and spaces do not count (RFC 8628 §6.1). */
export function normaliseUserCode(typed: string): string {
  return typed.toUpperCase().replace(/[^A-Z]/g, "");
}
