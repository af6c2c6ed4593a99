import type { LogoImage } from "./image.ts";
import { readJpeg } from "./jpeg.ts";
import { readPng } from "./png.ts";
import { readWebp } from "./webp.ts";

/** A logo of this size fits, in base64, into one request. The page makes a larger picture smaller before sending it. */
export const maxLogoBytes = 48_000;
const sides = { least: 48, most: 512 } as const;

/** The type is read from the content. SVG isn't accepted: it can contain scripts. */
export const readLogo = (bytes: Buffer): LogoImage | null => readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);

/** Why a picture can't be a logo; null if it can. */
export const logoProblem = (image: LogoImage | null, bytes: number): string | null => {
  if (bytes > maxLogoBytes) return "The picture is too large. Choose a simpler one.";
  if (!image) return "Choose a picture in the format PNG, JPEG or WebP, without animation.";
  const { width, height } = image;
  if (Math.max(width, height) > sides.most) return `Choose a picture of at most ${sides.most} × ${sides.most} pixels.`;
  return Math.min(width, height) >= sides.least
    ? null
    : `Choose a picture of at least ${sides.least} × ${sides.least} pixels.`;
};
