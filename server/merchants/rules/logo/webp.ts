import type { LogoImage } from "./image.ts";

type Size = { width: number; height: number };

/** RFC 9649 §2. @returns null if the bytes aren't exactly one still WebP picture. */
export const readWebp = (bytes: Buffer): LogoImage | null => {
  if (bytes.length < 20 || bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") {
    return null;
  }
  if (bytes.readUInt32LE(4) !== bytes.length - 8) return null;
  const chunks = readChunks(bytes.subarray(12));
  const [first] = chunks ?? [];
  const picture = chunks?.find(({ type }) => type === "VP8 " || type === "VP8L");
  if (!chunks || !first || !picture) return null;
  const size = picture.type === "VP8L" ? readLossless(picture.data) : readLossy(picture.data);
  if (first.type !== "VP8X") return chunks.length === 1 && size ? toImage(size, [picture.chunk]) : null;
  const canvas = readExtended(first.data);
  const isStill = canvas && size && canvas.width === size.width && canvas.height === size.height;
  if (!isStill) return null;
  const parts = chunks.filter(({ type }) => ["ICCP", "ALPH", picture.type].includes(type)).map(({ chunk }) => chunk);
  return toImage(size, [withoutMetadata(first.chunk), ...parts]);
};

const toImage = ({ width, height }: Size, parts: Buffer[]): LogoImage => {
  const body = Buffer.concat([Buffer.from("WEBP", "latin1"), ...parts]);
  const head = Buffer.alloc(8, "RIFF", "latin1");
  head.writeUInt32LE(body.length, 4);
  return { mediaType: "image/webp", width, height, content: Buffer.concat([head, body]) };
};

type Chunk = { type: string; data: Buffer; chunk: Buffer };

const readChunks = (bytes: Buffer): Chunk[] | null => {
  const chunks: Chunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (at + 8 > bytes.length) return null;
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length) return null;
    const type = bytes.toString("latin1", at, at + 4);
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length), chunk: bytes.subarray(at, end) });
    at = end;
  }
  return chunks;
};

/** RFC 6386 §9.1: the header of a key frame. */
const readLossy = (data: Buffer): Size | null => {
  const isKeyFrame = data.length >= 10 && data.readUIntBE(3, 3) === 0x9d012a && ((data[0] ?? 1) & 1) === 0;
  return isKeyFrame ? { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff } : null;
};

/** RFC 9649 §3.4. */
const readLossless = (data: Buffer): Size | null => {
  if (data.length < 5 || data[0] !== 0x2f) return null;
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
};

const flags = { animation: 0b0000_0010, metadata: 0b0000_1100 } as const;

/** RFC 9649 §2.7. */
const readExtended = (data: Buffer): Size | null =>
  data.length !== 10 || ((data[0] ?? 0) & flags.animation) !== 0
    ? null
    : { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };

/** The chunk without the flags for Exif and XMP. */
const withoutMetadata = (chunk: Buffer): Buffer => {
  const copy = Buffer.from(chunk);
  copy[8] = (copy[8] ?? 0) & ~flags.metadata;
  return copy;
};
