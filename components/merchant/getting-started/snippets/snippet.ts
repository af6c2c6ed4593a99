export const snippetSteps = ["setup", "token", "agent", "verify", "charge", "webhook"] as const;
export type SnippetStep = (typeof snippetSteps)[number];

/** `file`: the name under which the reader saves the code; null: commands for a terminal. */
type Snippet = { file: string; command: string; code: string } | { file: null; code: string };
export type Snippets = Readonly<Record<SnippetStep, Snippet>>;

/** The issuer, and the ids of the reader's app, its key and the merchant. */
export type SnippetValues = { issuer: string; clientId: string; merchantId: string; kid: string };

/** Inserts the values into the code. @throws Error for an unknown placeholder, or a value that isn't safe in code. */
export const fillSnippet = (code: string, { issuer, clientId, merchantId, kid }: SnippetValues): string => {
  const isHttp = issuer.startsWith("http:");
  const values: Readonly<Record<string, string>> = {
    issuer,
    client_id: clientId,
    merchant_id: merchantId,
    kid,
    // openid-client refuses http addresses by default.
    openid_client_options: isHttp
      ? '{ algorithm: "oauth2", execute: [client.allowInsecureRequests] }'
      : '{ algorithm: "oauth2" }',
  };
  return code.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for ${name}`);
    if (name !== "openid_client_options" && /["'\\`$\s]/.test(value)) throw new Error(`${name} isn't safe in code`);
    return value;
  });
};
