// CRC-32 as zlib has it: for the digests of documents, and for noticing that a file was changed on its way. It is no proof against somebody who
// means to change it, and needs no secure context, as SHA-256 would.

const TABLE = Int32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Returns the CRC-32 register after more bytes; `sum` is the register before them, -1 at the beginning. */
export function updateCrc(sum: number, bytes: Uint8Array): number {
  let crc = sum;
  for (let at = 0; at < bytes.length; at++) crc = (TABLE[(crc ^ (bytes[at] as number)) & 255] as number) ^ (crc >>> 8);
  return crc;
}

/** Returns the CRC-32 of a finished register as eight hex digits. */
export function formatCrcAsHex(sum: number): string {
  return (~sum >>> 0).toString(16).padStart(8, "0");
}

/** Returns the CRC-32 of bytes as eight hex digits. */
export function crc32(bytes: Uint8Array): string {
  return formatCrcAsHex(updateCrc(-1, bytes));
}
