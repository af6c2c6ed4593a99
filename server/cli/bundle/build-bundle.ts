import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { bundleFolder } from "../../assets/bundle.ts";
import type { BundleFile, Manifest } from "../../assets/manifest.wire.ts";
import { StartError } from "../supervisor/steps.ts";
import { bundleScripts } from "./bundle-scripts.ts";
import { type BundleSource, readStaticSources } from "./bundle-sources.ts";
import { schemaSources } from "./schema-sources.ts";

type Encodings = { plain: Uint8Array; gzip: Uint8Array; br: Uint8Array };

const compressWithGzip = promisify(gzip);
const compressWithBrotli = promisify(brotliCompress);

const encode = async (plain: Uint8Array): Promise<Encodings> => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.byteLength };
  const [gzipped, br] = await Promise.all([
    compressWithGzip(plain, { level: 9 }),
    compressWithBrotli(plain, { params }),
  ]);
  return { plain, gzip: gzipped, br };
};

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
  ".json": "application/schema+json",
};

/**
 * Fonts and PNG files are already compressed. If compression saves less than a twentieth, the file is sent
 * uncompressed.
 */
const sizeOf = (compressed: Uint8Array, bytes: Uint8Array): number =>
  compressed.byteLength < 0.95 * bytes.byteLength ? compressed.byteLength : bytes.byteLength;

type BuiltFile = { file: BundleFile; encodings: Encodings };

const buildFile = async ({ name, bytes }: BundleSource): Promise<BuiltFile> => {
  const extension = path.extname(name);
  const type = types[extension];
  if (type === undefined) throw new Error(`${name} has no content type: add ${extension} to the list`);
  const encodings = await encode(bytes);
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  const file = {
    name,
    path: `assets/${name.slice(0, -extension.length)}.${hash}${extension}`,
    alias: `v1/${name}`,
    type,
    bytes: bytes.byteLength,
    gzip_bytes: sizeOf(encodings.gzip, bytes),
    br_bytes: sizeOf(encodings.br, bytes),
    integrity: `sha384-${createHash("sha384").update(bytes).digest("base64")}`,
  };
  return { file, encodings };
};

/** Budgets in bytes, with either compression (docs/spec/assets.md, Files). Every file has one. */
const budgets: readonly { names: RegExp; bytes: number }[] = [
  { names: /^paygrant\.m?js$/, bytes: 8_000 },
  { names: /^status-badge\.js$/, bytes: 2_000 },
  { names: /\.(?:svg|png|ico|txt)$/, bytes: 6_000 },
  { names: /\.woff2$/, bytes: 60_000 },
  { names: /^schemas\/[\w-]+\.json$/, bytes: 6_000 },
];

/** @throws StartError with each file above its budget. */
export const assertBudgets = (files: readonly Pick<BundleFile, "name" | "gzip_bytes" | "br_bytes">[]): void => {
  const above = files.flatMap(({ name, gzip_bytes: gzipped, br_bytes: br }) => {
    const budget = budgets.find(({ names }) => names.test(name))?.bytes ?? 0;
    const size = Math.max(gzipped, br);
    return size > budget ? [`${name} has ${size} bytes; its budget is ${budget}.`] : [];
  });
  if (above.length > 0) throw new StartError(`Files of the asset bundle are too large:\n${above.join("\n")}`);
};

/**
 * Writes a file in three encodings. The name of each written file differs from the name in the URL. Otherwise, Next
 * itself would serve the file from the folder `public`, and the route that negotiates the encoding would not run
 * (docs/spec/assets.md, Requests).
 */
const writeEncodings = async (target: string, { plain, gzip: gzipped, br }: Encodings): Promise<void> => {
  await mkdir(path.dirname(target), { recursive: true });
  await Promise.all([
    writeFile(`${target}.identity`, plain),
    writeFile(`${target}.gzip`, gzipped),
    writeFile(`${target}.br`, br),
  ]);
};

/**
 * Builds public/cdn: the manifest, and each file by its path in three encodings.
 * @throws StartError if a file is above its budget; the folder then stays unchanged.
 */
export const buildBundle = async (root: string, target = path.join(root, bundleFolder)): Promise<Manifest> => {
  const sources = (await Promise.all([readStaticSources(root), bundleScripts(root), schemaSources()])).flat();
  const built = await Promise.all(sources.map(buildFile));
  built.sort((left, right) => (left.file.name < right.file.name ? -1 : 1));
  const files = built.map(({ file }) => file);
  assertBudgets(files);
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as { version: string };
  const manifest: Manifest = { version, files };
  const fresh = `${target}.new`;
  await rm(fresh, { recursive: true, force: true });
  const listed = await encode(new TextEncoder().encode(JSON.stringify(manifest)));
  await writeEncodings(path.join(fresh, "manifest.json"), listed);
  await Promise.all(built.map(({ file, encodings }) => writeEncodings(path.join(fresh, file.path), encodings)));
  await rm(target, { recursive: true, force: true });
  await rename(fresh, target);
  return manifest;
};
