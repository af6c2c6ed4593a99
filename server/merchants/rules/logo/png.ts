import { crc32 } from "node:zlib";
import type { LogoImage } from "./image.ts";

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Chunks that decide what the picture looks like. All others are metadata, or an animation, and are removed. */
const kept = new Set(["IHDR", "PLTE", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "IDAT", "IEND"]);

/** PNG, third edition, §5 and §11. @returns null if the bytes aren't exactly one PNG picture. */
export const readPng = (bytes: Buffer): LogoImage | null => {
  if (!bytes.subarray(0, 8).equals(signature)) return null;
  const parts: Buffer[] = [signature];
  let type = "";
  let at = 8;
  while (type !== "IEND") {
    if (at + 12 > bytes.length) return null;
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    const chunk = bytes.subarray(at, end);
    if (crc32(new Uint8Array(chunk.subarray(4, -4))) !== chunk.readUInt32BE(chunk.length - 4)) return null;
    const isFirst = type === "";
    type = chunk.toString("latin1", 4, 8);
    if (isFirst !== (type === "IHDR")) return null;
    if (kept.has(type)) parts.push(chunk);
    at = end;
  }
  const [, header] = parts;
  if (at !== bytes.length || header?.length !== 25 || !parts.some((part) => part.toString("latin1", 4, 8) === "IDAT"))
    return null;
  const [width, height] = [header.readUInt32BE(8), header.readUInt32BE(12)];
  return { mediaType: "image/png", width, height, content: Buffer.concat(parts) };
};
