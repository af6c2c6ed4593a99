import { crc32, deflateSync } from "node:zlib";

export const pngChunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
};

/** A PNG with the given size in its header. @param extra a chunk before the picture; null: no picture at all */
export const makePng = (width: number, height: number, extra: Buffer | null = Buffer.alloc(0)): Buffer => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const picture = extra === null ? [] : [extra, pngChunk("IDAT", deflateSync(Buffer.from(`${width} × ${height}`)))];
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, pngChunk("IHDR", header), ...picture, pngChunk("IEND", Buffer.alloc(0))]);
};

/** A PNG that browsers can draw, of one color. */
export const makeRealPng = (side: number, [red, green, blue]: readonly [number, number, number]): Buffer => {
  const line = Buffer.concat([
    Buffer.from([0]),
    ...Array.from({ length: side }, () => Buffer.from([red, green, blue])),
  ]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: side }, () => line)));
  const header = makePng(side, side).subarray(0, 33);
  return Buffer.concat([header, pngChunk("IDAT", pixels), pngChunk("IEND", Buffer.alloc(0))]);
};
