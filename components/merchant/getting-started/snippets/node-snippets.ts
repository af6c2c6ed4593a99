import type { Snippets } from "./snippet.ts";

/** Node with openid-client 6. Placeholders are filled by `fillSnippet`. */
export const nodeSnippets: Snippets = {
  setup: {
    file: null,
    code: String.raw`mkdir paygrant-start && cd paygrant-start
npm init -y
npm install openid-client standardwebhooks`,
  },
  token: {
    file: "get-token.mjs",
    command: "node get-token.mjs",
    code: String.raw`import { readFile } from "node:fs/promises";
import * as client from "openid-client";

const jwk = JSON.parse(await readFile("private-key.jwk.json", "utf8"));
const algorithm = { name: "ECDSA", namedCurve: "P-256" };
const key = await crypto.subtle.importKey("jwk", jwk, algorithm, false, ["sign"]);

// The app signs a new JWT for each token request. It has no client secret.
const config = await client.discovery(
  new URL("{{issuer}}"),
  "{{client_id}}",
  { token_endpoint_auth_method: "private_key_jwt" },
  client.PrivateKeyJwt({ key, kid: jwk.kid }),
  {{openid_client_options}},
);
const token = await client.clientCredentialsGrant(config);
console.log("Token for", token.scope, "valid for", token.expires_in, "seconds");

export const accessToken = token.access_token;
`,
  },
  agent: {
    file: "agent.mjs",
    command: "node agent.mjs",
    code: String.raw`import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import * as client from "openid-client";

const redirectUri = "http://127.0.0.1:8400/callback";

// 1. Registers a test agent with a new key (RFC 7591). In the sandbox, this needs no permission.
const algorithm = { name: "ECDSA", namedCurve: "P-256" };
const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
const jwk = { ...(await crypto.subtle.exportKey("jwk", keys.publicKey)), kid: "agent" };
const config = await client.dynamicClientRegistration(
  new URL("{{issuer}}"),
  {
    client_name: "My test agent",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [jwk] },
  },
  client.PrivateKeyJwt({ key: keys.privateKey, kid: "agent" }),
  {{openid_client_options}},
);

// 2. Pushes a request for a mandate (RFC 9126, RFC 9396). The agent's tokens are bound to its key (RFC 9449).
const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
const pkceCodeVerifier = client.randomPKCECodeVerifier();
const expectedState = client.randomState();
const consentLink = await client.buildAuthorizationUrlWithPAR(
  config,
  {
    redirect_uri: redirectUri,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    authorization_details: JSON.stringify([
      {
        type: "payment_mandate_v1",
        actions: ["verify", "charge"],
        currency: "EUR",
        max_amount_per_payment: 5000,
        max_total_amount: 20000,
        payees: [{ id: "{{merchant_id}}" }],
      },
    ]),
  },
  { DPoP },
);
console.log("Open this link, sign in or sign up as the payer, and approve:");
console.log(consentLink.href);

// 3. Waits for the browser to come back with a code, and exchanges the code.
const callback = await new Promise((resolve) => {
  const server = createServer((request, response) => {
    const url = new URL(request.url, redirectUri);
    if (url.pathname !== "/callback") return response.writeHead(404).end();
    response.writeHead(200, { connection: "close" }).end("Done. Return to the terminal.");
    server.close();
    resolve(url);
  }).listen(8400, "127.0.0.1");
});
const token = await client.authorizationCodeGrant(config, callback, { pkceCodeVerifier, expectedState }, undefined, {
  DPoP,
});
const mandateId = token.authorization_details[0].identifier;
await writeFile("mandate-id.txt", mandateId);
console.log("Mandate", mandateId);
`,
  },
  verify: {
    file: "verify.mjs",
    command: "node verify.mjs",
    code: String.raw`import { readFile } from "node:fs/promises";
import { accessToken } from "./get-token.mjs";

const response = await fetch("{{issuer}}/merchant_test/verify-mandate", {
  method: "POST",
  headers: { authorization: "Bearer " + accessToken, "content-type": "application/json" },
  body: JSON.stringify({
    mandate_id: (await readFile("mandate-id.txt", "utf8")).trim(),
    amount: 1250,
    currency: "EUR",
    payer_presence: "in_session",
  }),
});
console.log(response.status, await response.json());
`,
  },
  charge: {
    file: "charge.mjs",
    command: "node charge.mjs",
    code: String.raw`import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { accessToken } from "./get-token.mjs";

const response = await fetch("{{issuer}}/merchant_test/charge", {
  method: "POST",
  headers: {
    authorization: "Bearer " + accessToken,
    "content-type": "application/json",
    // One key for each payment: a repeated request returns the same charge.
    "idempotency-key": randomUUID(),
  },
  body: JSON.stringify({
    mandate_id: (await readFile("mandate-id.txt", "utf8")).trim(),
    amount: 1250,
    currency: "EUR",
    payer_presence: "in_session",
    reference: "Order 1",
  }),
});
console.log(response.status, await response.json());
`,
  },
  webhook: {
    file: "webhook.mjs",
    command: "WEBHOOK_SECRET='the secret of your endpoint' node webhook.mjs",
    code: String.raw`import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET);

createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  try {
    // Verifies signature and timestamp. Use the body as received.
    const event = webhook.verify(body, request.headers);
    console.log("Received", event.type);
    response.writeHead(204).end();
  } catch (error) {
    console.log("Refused", error.message);
    response.writeHead(400).end();
  }
}).listen(8401, "127.0.0.1", () => console.log("Listening on http://127.0.0.1:8401/webhooks"));
`,
  },
};
