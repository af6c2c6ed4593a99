// A merchant's first calls to the sandbox, with a JWT library only: node docs/examples/first-calls.mjs [address]
import { randomUUID } from "node:crypto";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT } from "jose";

const issuer = process.argv[2] ?? "http://localhost:3001";

const call = async (path, init) => {
  const answer = await fetch(`${issuer}${path}`, init);
  const body = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status} ${path}: ${JSON.stringify(body)}`);
  return body;
};

// 1. A key pair. The private key stays with you.
const { publicKey, privateKey } = await generateKeyPair("ES256");
const jwk = await exportJWK(publicKey);
const kid = await calculateJwkThumbprint(jwk);

// 2. A client, registered with its public key (RFC 7591). It gets a test merchant.
const client = await call("/oauth/register", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({
    client_name: "First calls",
    grant_types: ["client_credentials"],
    scope: "charges.read mandates.verify",
    jwks: { keys: [{ ...jwk, kid, alg: "ES256", use: "sig" }] },
  }),
});
process.stdout.write(`client    ${client.client_id}\n`);

// 3. A token. The client authenticates with a JWT that its key signs (RFC 7523), a new one for each request.
const assertion = await new SignJWT({ jti: randomUUID() })
  .setProtectedHeader({ alg: "ES256", kid })
  .setIssuer(client.client_id)
  .setSubject(client.client_id)
  .setAudience(issuer)
  .setIssuedAt()
  .setExpirationTime("1m")
  .sign(privateKey);
const token = await call("/oauth/token", {
  method: "POST",
  body: new URLSearchParams({
    grant_type: "client_credentials",
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  }),
});
process.stdout.write(`token     ${token.token_type}, ${token.expires_in} s, ${token.scope}\n`);

// 4. An API call with the token. This mandate does not exist, so the answer is 404.
// To create a mandate, open http://localhost:3001/demo.
const verdict = await fetch(`${issuer}/merchant_test/verify-mandate`, {
  method: "POST",
  headers: { authorization: `Bearer ${token.access_token}`, "content-type": "application/json" },
  body: JSON.stringify({ mandate_id: "mdt_unknown", amount: 4900, currency: "EUR", payer_presence: "off_session" }),
});
process.stdout.write(`mandate   ${verdict.status}, ${(await verdict.json()).detail}\n`);
