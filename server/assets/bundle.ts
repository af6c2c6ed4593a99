import { readFile } from "node:fs/promises";
import path from "node:path";
import { sha256Base64url } from "../kernel/crypto/hash.ts";
import { type BundleFile, type Manifest, manifestSchema } from "./manifest.wire.ts";

/** A file in the encodings that the build prepared. An encoding that doesn't make the file smaller is null. */
export type StoredFile = {
  type: string;
  /** differs for each content */
  tag: string;
  plain: Uint8Array;
  gzip: Uint8Array | null;
  br: Uint8Array | null;
};

export type Bundle = {
  manifest: Manifest;
  /** the bytes of `manifest.json` */
  stored: StoredFile;
  /** by the name: `paygrant.js`, `schemas/participant.json` */
  byAlias: ReadonlyMap<string, StoredFile>;
  /** by the path below `assets`: `paygrant.5d41402abc4b2a76.js` */
  byPath: ReadonlyMap<string, StoredFile>;
};

/** Where the build puts the bundle, below the project folder. */
export const bundleFolder = "public/cdn";

/** Reads the whole bundle into memory, so that no path of a request reaches the file system. */
export const readBundle = async (directory: string): Promise<Bundle> => {
  const read = async (name: string): Promise<Uint8Array> => new Uint8Array(await readFile(path.join(directory, name)));
  const plain = await read("manifest.json.identity");
  const manifest = manifestSchema.parse(JSON.parse(new TextDecoder().decode(plain)));
  const readStored = async (file: BundleFile): Promise<StoredFile> => ({
    type: file.type,
    tag: file.integrity.slice("sha384-".length, 30),
    plain: await read(`${file.path}.identity`),
    gzip: file.gzip_bytes < file.bytes ? await read(`${file.path}.gzip`) : null,
    br: file.br_bytes < file.bytes ? await read(`${file.path}.br`) : null,
  });
  const files = await Promise.all(manifest.files.map(async (file) => ({ file, stored: await readStored(file) })));
  return {
    manifest,
    stored: {
      type: "application/json",
      tag: sha256Base64url(plain).slice(0, 22),
      plain,
      gzip: await read("manifest.json.gzip"),
      br: await read("manifest.json.br"),
    },
    byAlias: new Map(files.map(({ file, stored }) => [file.alias.slice("v1/".length), stored])),
    byPath: new Map(files.map(({ file, stored }) => [file.path.slice("assets/".length), stored])),
  };
};

let current: Promise<Bundle> | undefined;

/** The bundle of this build, read once per process. Processes run in the project folder. */
export const currentBundle = (): Promise<Bundle> => {
  current ??= readBundle(path.resolve(bundleFolder)).catch((error: unknown) => {
    current = undefined;
    throw error;
  });
  return current;
};
