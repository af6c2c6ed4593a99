type PublicJwk = { kty: "EC"; crv: "P-256"; x: string; y: string; kid: string; alg: "ES256"; use: "sig" };

export type ClientKey = { publicJwk: PublicJwk; privateJwk: PublicJwk & { d: string } };

/** Generates a key pair for private_key_jwt in this browser. The private key is only downloaded, never sent. */
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
