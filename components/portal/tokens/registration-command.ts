export type ClientKind = "agent" | "merchant";

const metadataOf: Readonly<Record<ClientKind, object>> = {
  agent: {
    client_name: "My agent",
    redirect_uris: ["https://agent.example/callback"],
    grant_types: ["authorization_code", "refresh_token", "client_credentials"],
  },
  merchant: { client_name: "My app", grant_types: ["client_credentials"] },
};

type Command = {
  /** the URL of POST /oauth/register */
  url: string;
  token: string;
  kind: ClientKind;
  scopes: readonly string[];
  /** null: the reader inserts a key */
  publicJwk: object | null;
};

/**
 * A shell command that registers a client with an initial access token (RFC 7591 §3.1). No value contains an
 * apostrophe.
 */
export const registrationCommand = ({ url, token, kind, scopes, publicJwk }: Command): string => {
  const key = publicJwk ?? `the public key of your ${kind === "agent" ? "agent" : "app"}, as a JWK`;
  const metadata = { ...metadataOf[kind], scope: scopes.join(" "), jwks: { keys: [key] } };
  return [
    `curl ${url} \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(metadata, null, 2)}'`,
  ].join("\n");
};
