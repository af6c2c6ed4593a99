import { describe, expect, test } from "vitest";
import { logoProblem, maxLogoBytes, readLogo } from "./logo-image.ts";
import { makePng, pngChunk } from "./png.fixture.ts";

const jpegSegment = (marker: number, data: Buffer) => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([Buffer.from([0xff, marker]), length, data]);
};
const frame = (width: number, height: number) => {
  const data = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  data.writeUInt16BE(height, 1);
  data.writeUInt16BE(width, 3);
  return jpegSegment(0xc0, data);
};
const scan = Buffer.concat([
  jpegSegment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
  Buffer.from([1, 2, 0xff, 0, 0xff, 0xd0, 3]),
]);
const makeJpeg = (...segments: Buffer[]) =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, scan, Buffer.from([0xff, 0xd9])]);

const webpChunk = (type: string, data: Buffer) => {
  const head = Buffer.from(`${type}0000`, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};
const makeWebp = (...chunks: Buffer[]) => webpChunk("RIFF", Buffer.concat([Buffer.from("WEBP"), ...chunks]));
const lossless = (width: number, height: number) => {
  const data = Buffer.alloc(6, 0x2f);
  data.writeUInt32LE((width - 1) | ((height - 1) << 14), 1);
  return webpChunk("VP8L", data);
};
const lossy = (width: number, height: number) => {
  const data = Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0]);
  data.writeUInt16LE(width, 6);
  data.writeUInt16LE(height, 8);
  return webpChunk("VP8 ", data);
};
const extended = (flags: number, width: number, height: number) => {
  const data = Buffer.alloc(10);
  data[0] = flags;
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk("VP8X", data);
};

const secret = Buffer.from("51.5007 N, 0.1246 W");

describe("a logo is read from its content (docs/spec/portal.md, Settings)", () => {
  test.each([
    ["PNG", makePng(64, 48), "image/png"],
    ["JPEG", makeJpeg(jpegSegment(0xe0, Buffer.from("JFIF\0")), frame(64, 48)), "image/jpeg"],
    ["lossy WebP", makeWebp(lossy(64, 48)), "image/webp"],
    ["lossless WebP", makeWebp(lossless(64, 48)), "image/webp"],
    ["extended WebP", makeWebp(extended(0x10, 64, 48), lossless(64, 48)), "image/webp"],
  ])("reads the type and size of a %s", (_, bytes, mediaType) => {
    expect(readLogo(bytes)).toMatchObject({ mediaType, width: 64, height: 48, content: bytes });
  });

  test.each([
    ["PNG", makePng(64, 48, pngChunk("tEXt", secret)), makePng(64, 48)],
    ["animated PNG", makePng(64, 48, pngChunk("acTL", Buffer.alloc(8))), makePng(64, 48)],
    ["JPEG", makeJpeg(jpegSegment(0xe1, secret), frame(64, 48), jpegSegment(0xfe, secret)), makeJpeg(frame(64, 48))],
    ["progressive JPEG", makeJpeg(frame(64, 48), scan, jpegSegment(0xe1, secret)), makeJpeg(frame(64, 48), scan)],
    [
      "WebP",
      makeWebp(extended(0b1100, 64, 48), lossless(64, 48), webpChunk("EXIF", secret), webpChunk("XMP ", secret)),
      makeWebp(extended(0, 64, 48), lossless(64, 48)),
    ],
  ])("%s: metadata is removed", (_, bytes, cleaned) => {
    expect(readLogo(bytes)?.content).toEqual(cleaned);
  });

  test.each([
    ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["GIF", Buffer.from("GIF89a")],
    ["HTML", Buffer.from("<html><script>alert(1)</script></html>")],
    ["nothing", Buffer.alloc(0)],
    ["a PNG with other bytes after it", Buffer.concat([makePng(64, 64), Buffer.from("<script>")])],
    ["a PNG with a wrong checksum", makePng(64, 64).with(20, 1)],
    ["a PNG that ends early", makePng(64, 64).subarray(0, -1)],
    ["a PNG without a picture", makePng(64, 64, null)],
    ["a JPEG with other bytes after it", Buffer.concat([makeJpeg(frame(64, 64)), Buffer.from("<script>")])],
    ["a JPEG with another JPEG after it", Buffer.concat([makeJpeg(frame(64, 64)), makeJpeg(frame(64, 64))])],
    ["a JPEG that ends early", makeJpeg(frame(64, 64)).subarray(0, -2)],
    ["a JPEG without a size", makeJpeg()],
    ["a WebP with other bytes after it", Buffer.concat([makeWebp(lossless(64, 64)), Buffer.from("<script>")])],
    ["an animated WebP", makeWebp(extended(0b10, 64, 64), lossless(64, 64))],
    ["a WebP with two sizes", makeWebp(extended(0, 64, 64), lossless(4000, 4000))],
  ])("refuses %s", (_, bytes) => {
    expect(logoProblem(readLogo(Buffer.from(bytes)), bytes.length)).not.toBeNull();
  });

  test.each([
    [48, 48, true],
    [512, 512, true],
    [47, 512, false],
    [513, 512, false],
    [2 ** 31, 2 ** 31, false],
  ])("%d × %d pixels are accepted: %s", (width, height, isAccepted) => {
    const bytes = makePng(width, height);
    expect(logoProblem(readLogo(bytes), bytes.length) === null).toBe(isAccepted);
  });

  test("refuses a picture that is too large", () => {
    const bytes = makePng(64, 64, pngChunk("IDAT", Buffer.alloc(maxLogoBytes)));
    expect(logoProblem(readLogo(bytes), bytes.length)).toContain("too large");
  });
});
