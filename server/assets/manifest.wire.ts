import { z } from "zod";

const bundleFileSchema = z.object({
  name: z.string().describe("The file’s name, for example `paygrant.js`"),
  path: z.string().describe("Path below `CDN_URL`, with a hash of the content. The content at this path never changes"),
  alias: z.string().describe("Path below `CDN_URL` of the newest version of the file"),
  type: z.string().describe("Content type"),
  bytes: z.int().describe("Size without compression"),
  gzip_bytes: z.int().describe("Number of bytes that a caller receives if it accepts gzip"),
  br_bytes: z.int().describe("Number of bytes that a caller receives if it accepts Brotli"),
  integrity: z.string().describe("For the `integrity` attribute (Subresource Integrity): SHA-384 of the content"),
});

/** The list of all files of the asset bundle (docs/spec/assets.md, Files). */
export const manifestSchema = z.object({
  version: z.string().describe("Version of Paygrant that the bundle belongs to"),
  files: z.array(bundleFileSchema),
});

export type BundleFile = z.infer<typeof bundleFileSchema>;
export type Manifest = z.infer<typeof manifestSchema>;

export const manifestExample: Manifest = {
  version: "0.1.0",
  files: [
    {
      name: "paygrant.js",
      path: "assets/paygrant.5d41402abc4b2a76.js",
      alias: "v1/paygrant.js",
      type: "text/javascript; charset=utf-8",
      bytes: 5120,
      gzip_bytes: 2310,
      br_bytes: 2048,
      integrity: "sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb",
    },
  ],
};
