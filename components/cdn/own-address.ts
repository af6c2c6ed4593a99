/** Addresses of the bundle's files: `{CDN_URL}/v1/paygrant.js` or `{CDN_URL}/assets/paygrant.{hash}.js`. */
const fileAddress = /^(?<cdnUrl>.+)\/(?:v1|assets)\/[^/]+$/;

/** @param script address of a script. @returns CDN_URL; null if the address isn't that of a file of the bundle. */
export const cdnUrlOf = (script: string | undefined): string | null =>
  fileAddress.exec(script ?? "")?.groups?.["cdnUrl"] ?? null;

/** @returns the issuer if the bundle is at its default address, `{issuer}/cdn`; otherwise null. */
export const issuerOf = (script: string | undefined): string | null =>
  /^(?<issuer>.+)\/cdn$/.exec(cdnUrlOf(script) ?? "")?.groups?.["issuer"] ?? null;
