type PublicJwk = { kty: "EC"; crv: "P-256"; x: string; y: string; kid: string; alg: "ES256"; use: "sig" };

export type ClientKey = { publicJwk: PublicJwk; privateJwk: PublicJwk & { d: string } };

/** Generates a key pair for private_key_jwt in this browser. The private key is never sent to the server. */
export const makeClientKey = async (): Promise<ClientKey> => {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
  const { x = "", y = "", d = "" } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  const publicJwk: PublicJwk = {
    kty: "EC",
    crv: "P-256",
    x,
    y,
    kid: await thumbprintOf(x, y),
    alg: "ES256",
    use: "sig",
  };
  return { publicJwk, privateJwk: { ...publicJwk, d } };
};

/** RFC 7638 §3: the required members, in the order of their names. */
const thumbprintOf = async (x: string, y: string): Promise<string> => {
  const members = new TextEncoder().encode(JSON.stringify({ crv: "P-256", kty: "EC", x, y }));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", members));
  return btoa(String.fromCharCode(...digest))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
};

/** PKCS #8, as OpenSSL reads it (RFC 7468 §10). */
export const toPem = async (privateJwk: JsonWebKey): Promise<string> => {
  const { kty, crv, x, y, d } = privateJwk as Record<"kty" | "crv" | "x" | "y" | "d", string>;
  const key = await crypto.subtle.importKey(
    "jwk",
    { kty, crv, x, y, d },
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign"],
  );
  const bytes = new Uint8Array(await crypto.subtle.exportKey("pkcs8", key));
  const lines = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g) ?? [];
  return ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n");
};
