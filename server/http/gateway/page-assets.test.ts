import { afterEach, expect, test } from "vitest";
import { assetPrefixOf, currentAssetPrefix, setAssetPrefix } from "./page-assets.ts";

const key = Symbol.for("next.server.manifests");

afterEach(() => {
  setAssetPrefix("");
  Reflect.deleteProperty(globalThis, key);
});

test.each([
  ["a host of its own", "https://cdn.example", "https://cdn.example"],
  ["a host of its own with a path", "https://cdn.example/a", "https://cdn.example/a"],
  ["another port", "https://pay.example:8443", "https://pay.example:8443"],
  ["the host of BASE_URL", "https://pay.example/files", ""],
])("CDN_URL with %s", (_name, cdnUrl, expected) => {
  expect(assetPrefixOf({ baseUrl: "https://pay.example", cdnUrl })).toBe(expected);
});

const entryOf = (chunk: string) => ({
  page: "/wallet/page",
  clientReferenceManifest: { clientModules: { button: { id: 1, chunks: [chunk] } }, moduleLoading: { prefix: "" } },
});

test("scripts of client components get the prefix, whenever Next adds a manifest", () => {
  setAssetPrefix("https://cdn.example");
  expect(currentAssetPrefix()).toBe("https://cdn.example");
  const manifests = new Map([["/first", entryOf("/_next/static/chunks/a.js")]]);
  const registry = { clientReferenceManifestsPerRoute: manifests };
  Object.assign(globalThis, { [key]: registry });
  expect(Reflect.get(globalThis, key)).toBe(registry);
  const second = entryOf("/_next/static/chunks/b.js");
  manifests.set("/second", second);
  expect(manifests.get("/first")).toEqual(entryOf("https://cdn.example/_next/static/chunks/a.js"));
  expect(manifests.get("/second")).toEqual(entryOf("https://cdn.example/_next/static/chunks/b.js"));

  const kept = manifests.get("/second")?.clientReferenceManifest;
  manifests.set("/second", second);
  expect(manifests.get("/second")?.clientReferenceManifest).toBe(kept);
});

test("without a prefix, the manifests aren't changed", () => {
  setAssetPrefix("");
  const entries = new Map([["/first", entryOf("/_next/static/chunks/a.js")]]);
  Object.assign(globalThis, { [key]: { clientReferenceManifestsPerRoute: entries } });
  expect(entries.get("/first")).toEqual(entryOf("/_next/static/chunks/a.js"));
});
