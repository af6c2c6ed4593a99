import { clientPackagePath } from "../../../docs/client-package.ts";
import type { Snippets } from "./snippet.ts";

/** Node with the client package (packages/client). Placeholders are filled by `fillSnippet`. */
export const paygrantSnippets: Snippets = {
  setup: {
    file: null,
    code: `mkdir paygrant-start && cd paygrant-start
npm init -y
npm install {{issuer}}${clientPackagePath}`,
  },
  token: {
    file: "get-token.mjs",
    command: "node get-token.mjs",
    code: `import { readFile } from "node:fs/promises";
import * as paygrant from "@paygrant/client";

const server = await paygrant.discover("{{issuer}}");
const shop = await paygrant.importClient(server, {
  clientId: "{{client_id}}",
  merchantId: "{{merchant_id}}",
  privateJwk: JSON.parse(await readFile("private-key.jwk.json", "utf8")),
});

// The package signs a new JWT for each token request, and renews the token when necessary.
export const session = await paygrant.clientCredentials(shop);
console.log("Token for", session.scope, "valid until", session.expiresAt.toISOString());
`,
  },
  agent: {
    file: "agent.mjs",
    command: "node agent.mjs",
    code: `import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import * as paygrant from "@paygrant/client";

const redirectUri = "http://127.0.0.1:8400/callback";

// 1. Registers a test agent with a new key (RFC 7591). In the sandbox, this needs no permission.
const server = await paygrant.discover("{{issuer}}");
const agent = await paygrant.registerClient(server, { clientName: "My test agent", redirectUris: [redirectUri] });

// 2. Pushes a request for a mandate (RFC 9126, RFC 9396).
const request = await paygrant.pushMandateRequest(agent, {
  redirectUri,
  authorizationDetails: [
    {
      actions: ["verify", "charge"],
      currency: "EUR",
      maxAmountPerPayment: 5000,
      maxTotalAmount: 20000,
      payees: [{ id: "{{merchant_id}}" }],
    },
  ],
});
console.log("Open this link, sign in or sign up as the payer, and approve:");
console.log(request.authorizationUrl);

// 3. Waits for the browser to come back with a code, and exchanges the code.
const callbackUrl = await new Promise((resolve) => {
  const receiver = createServer((incoming, response) => {
    const url = new URL(incoming.url, redirectUri);
    if (url.pathname !== "/callback") return response.writeHead(404).end();
    response.writeHead(200, { connection: "close" }).end("Done. Return to the terminal.");
    receiver.close();
    resolve(url);
  }).listen(8400, "127.0.0.1");
});
const grant = await paygrant.exchangeCode(agent, { callbackUrl, request });
const mandateId = grant.mandates[0].identifier;
await writeFile("mandate-id.txt", mandateId);
console.log("Mandate", mandateId);
`,
  },
  verify: {
    file: "verify.mjs",
    command: "node verify.mjs",
    code: `import { readFile } from "node:fs/promises";
import * as paygrant from "@paygrant/client";
import { session } from "./get-token.mjs";

const verdict = await paygrant.verifyMandate(session, {
  mandateId: (await readFile("mandate-id.txt", "utf8")).trim(),
  amount: 1250,
  currency: "EUR",
  payerPresence: "in_session",
});
console.log({ valid: verdict.valid, reasons: verdict.reasons });
`,
  },
  charge: {
    file: "charge.mjs",
    command: "node charge.mjs",
    code: `import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import * as paygrant from "@paygrant/client";
import { session } from "./get-token.mjs";

const charge = await paygrant.charge(session, {
  mandateId: (await readFile("mandate-id.txt", "utf8")).trim(),
  amount: 1250,
  currency: "EUR",
  payerPresence: "in_session",
  reference: "Order 1",
  // One key for each payment: a repeated request returns the same charge.
  idempotencyKey: randomUUID(),
});
console.log({ id: charge.id, status: charge.status });
`,
  },
  webhook: {
    file: "webhook.mjs",
    command: "WEBHOOK_SECRET='the secret of your endpoint' node webhook.mjs",
    code: `import { createServer } from "node:http";
import { verifyWebhook } from "@paygrant/client";

const secret = process.env.WEBHOOK_SECRET;

createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  try {
    // Verifies signature and timestamp. Use the body as received.
    const event = await verifyWebhook({ body, headers: request.headers, secret });
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
