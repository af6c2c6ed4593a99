/** The longest side of a stored logo, in pixels. Pages show the logo at most 48 CSS pixels large. */
const side = 256;
/** A longer picture would be too narrow after it is scaled down: a stored logo has at least 48 pixels on each side. */
const maxRatio = 5;
const maxFileBytes = 10_000_000;
/** The largest logo that fits into one request (server/merchants/rules/logo). */
const maxLogoBytes = 48_000;

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

/** Checks the content, not the name of the file. SVG isn't accepted, because it can contain scripts. */
const isPicture = (bytes: Uint8Array): boolean =>
  startsWith(bytes, "\x89PNG\r\n") ||
  startsWith(bytes, "\xff\xd8\xff") ||
  (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8));

/** A problem with the chosen file. The page shows its message. */
export class PictureProblem extends Error {}

/**
 * Draws a picture again, at most 256 pixels large and without its metadata.
 * @returns base64 of a PNG, or of another format if the PNG is too large.
 * @throws PictureProblem.
 */
export const shrinkPicture = async (file: File): Promise<string> => {
  if (file.size > maxFileBytes) throw new PictureProblem("Choose a file of at most 10 MB.");
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  if (!isPicture(head)) throw new PictureProblem("Choose a PNG, JPEG or WebP picture.");
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new PictureProblem("Your browser can’t read this picture. Choose another file.");
  });
  if (Math.max(bitmap.width, bitmap.height) > maxRatio * Math.min(bitmap.width, bitmap.height))
    throw new PictureProblem("Choose a picture whose longer side is at most five times its shorter side.");
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const pen = canvas.getContext("2d");
  if (!pen) throw new PictureProblem("Your browser can’t draw this picture. Try another browser.");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  for (const [type, quality] of [["image/png"], ["image/webp", 0.9], ["image/jpeg", 0.85]] as const) {
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality));
    if (blob && blob.size <= maxLogoBytes) return toBase64(blob);
  }
  throw new PictureProblem("This picture is too detailed for a logo. Choose a simpler one.");
};

const toBase64 = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
};
