/** Whether a byte goes on with a character that another byte began. */
export function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** How many bytes the character has that this byte begins; 1 for what begins none. */
export function characterLength(lead: number): number {
  if (lead >= 0xf0 && lead < 0xf8) return 4;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xc2 && lead < 0xe0 ? 2 : 1;
}
