import { VerificationError } from "../../errors/errors.ts";
import { type Bytes, concat } from "../../wire/bytes.ts";

/** The size of 64 million entries of 2 bits. The limit keeps a small compressed list from filling the memory. */
const maxBytes = 16_777_216;

const tooLarge = () => new VerificationError("invalid_status_list", "The status list is too large.");

/** @param format `gzip` (RFC 1952), or `deflate`: ZLIB (RFC 1950). */
export const inflate = async (bytes: Bytes, format: "gzip" | "deflate"): Promise<Bytes> => {
  const parts: Uint8Array[] = [];
  let total = 0;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      total += chunk.value.length;
      if (total > maxBytes) throw tooLarge();
      parts.push(chunk.value);
    }
  } catch (cause) {
    if (cause instanceof VerificationError) throw cause;
    throw new VerificationError("invalid_status_list", "The status list can't be decompressed.", { cause });
  }
  return concat(...parts);
};
