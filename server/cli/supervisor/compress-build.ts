import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants } from "node:zlib";

const compress = promisify(brotliCompress);

/** Compresses the build's scripts and style sheets once, with the best quality, for `withBrotli`. */
export const compressBuild = async (root: string): Promise<void> => {
  const [from, to] = [path.join(root, ".next/static"), path.join(root, ".next/compressed/static")];
  await rm(to, { recursive: true, force: true });
  const names = await readdir(from, { recursive: true });
  await Promise.all(names.filter((name) => /\.(?:js|css)$/.test(name)).map((name) => compressFile(from, to, name)));
};

const compressFile = async (from: string, to: string, name: string): Promise<void> => {
  const bytes = await readFile(path.join(from, name));
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
  const target = path.join(to, `${name}.br`);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, await compress(bytes, { params }));
};
