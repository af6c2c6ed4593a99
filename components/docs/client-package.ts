/** Where a server offers the client package (docs/spec/client.md, Package). */
export const clientPackagePath = "/packages/paygrant-client-0.1.0.tgz";
