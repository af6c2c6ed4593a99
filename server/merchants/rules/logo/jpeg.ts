import type { LogoImage } from "./image.ts";

const [startOfImage, endOfImage, startOfScan] = [0xd8, 0xd9, 0xda];
/** Application data that decides what the picture looks like: JFIF, color profile, Adobe. Exif is removed. */
const keptApplicationData = new Set([0xe0, 0xe2, 0xee]);
const isApplicationData = (marker: number) => marker >= 0xe0 && marker <= 0xef;
const comment = 0xfe;
/** A frame header: SOF0 to SOF15 except DHT, JPG and DAC, whose numbers are in the same range (T.81 table B.1). */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** ITU-T T.81, annex B. @returns null if the bytes aren't exactly one JPEG picture. */
export const readJpeg = (bytes: Buffer): LogoImage | null => {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return null;
  const parts = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | null = null;
  let hasScan = false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    const endOfSegment = at + 2 + bytes.readUInt16BE(at + 2);
    if (bytes[at] !== 0xff || marker === 0xff || marker === endOfImage || endOfSegment > bytes.length) return null;
    if (isFrame(marker)) size = readFrame(bytes.subarray(at, endOfSegment));
    if (marker === startOfScan) hasScan = true;
    const end = marker === startOfScan ? findMarker(bytes, endOfSegment) : endOfSegment;
    const isMetadata = marker === comment || (isApplicationData(marker) && !keptApplicationData.has(marker));
    if (!isMetadata) parts.push(bytes.subarray(at, end));
    at = end;
    if (hasScan && bytes[at] === 0xff && bytes[at + 1] === endOfImage) {
      if (size === null || at + 2 !== bytes.length) return null;
      return { mediaType: "image/jpeg", ...size, content: Buffer.concat([...parts, bytes.subarray(at)]) };
    }
  }
  return null;
};

/** Where the coded data of a scan that starts at `from` ends. Coded data contains FF00 and restart markers (B.1.1.5). */
const findMarker = (bytes: Buffer, from: number): number => {
  let at = bytes.indexOf(0xff, from);
  for (; at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    const isOfScan = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isOfScan) return at;
  }
  return bytes.length;
};

const readFrame = (segment: Buffer) =>
  segment.length < 10 ? null : { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
