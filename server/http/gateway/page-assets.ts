import type { Config } from "../../deps/config.ts";

/** Where browsers load the scripts, styles and fonts of pages from; "" is the host of the page. */
let prefix = "";

/** next.config.mjs calls this. Next reads its settings when a process starts, so one build works with any CDN_URL. */
export const currentAssetPrefix = (): string => prefix;

/** @returns CDN_URL if it has a host of its own, else "". */
export const assetPrefixOf = ({ baseUrl, cdnUrl }: Pick<Config, "baseUrl" | "cdnUrl">): string =>
  new URL(cdnUrl).host === new URL(baseUrl).host ? "" : cdnUrl;

/** Call it before Next is loaded. */
export const setAssetPrefix = (address: string): void => {
  prefix = address;
  if (address !== "") prefixChunks(address);
};

type Manifest = { clientModules: Readonly<Record<string, { chunks: readonly string[] }>> };
type Entry = { page: string; clientReferenceManifest: Manifest };
type Registry = { clientReferenceManifestsPerRoute: Map<string, Entry> };

/** Next keeps its registry of manifests at this property of the global object. */
const registryKey = Symbol.for("next.server.manifests");

/**
 * Next's `assetPrefix` doesn't apply to the scripts of client components, whose paths are in manifests of the build.
 * So these paths get the prefix when Next adds a route's manifest to its registry, before each rendering.
 */
const prefixChunks = (address: string): void => {
  let registry: Registry | undefined;
  Object.defineProperty(globalThis, registryKey, {
    configurable: true,
    get: () => registry,
    set(value: Registry) {
      registry = value;
      prefixEntries(value.clientReferenceManifestsPerRoute, address);
    },
  });
};

const prefixEntries = (entries: Map<string, Entry>, address: string): void => {
  const known = new WeakMap<Manifest, Manifest>();
  const add = entries.set.bind(entries);
  entries.set = (route, { page, clientReferenceManifest: built }) => {
    const manifest = known.get(built) ?? withPrefix(built, address);
    known.set(built, manifest);
    add(route, { page, clientReferenceManifest: manifest });
    return entries;
  };
  for (const [route, entry] of [...entries]) entries.set(route, entry);
};

/** The manifest that Next loaded is frozen. */
const withPrefix = (built: Manifest, address: string): Manifest => ({
  ...built,
  clientModules: Object.fromEntries(
    Object.entries(built.clientModules).map(([name, entry]) => [
      name,
      { ...entry, chunks: entry.chunks.map((chunk) => `${address}${chunk}`) },
    ]),
  ),
});
