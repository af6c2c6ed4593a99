import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { generateKeyPair, importJWK, jwtVerify, SignJWT } from "jose";
import { announceListening, merchantResource, merchantScope, readPeerOptions } from "./peer-wire.ts";

/**
 * The baseline of the benchmark: an HTTP server that verifies one ES256 assertion per request, and signs one ES256
 * token if the endpoint issues tokens. It does nothing else (no replay check, client lookup, liveness check or audit).
 */
const { port, issuer, clientId, clientJwk } = readPeerOptions();
const clientKey = await importJWK(clientJwk, "ES256");
const { privateKey } = await generateKeyPair("ES256");

const readText = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
};

const answer = async (incoming: IncomingMessage): Promise<string> => {
  const assertion = new URLSearchParams(await readText(incoming)).get("client_assertion") ?? "";
  await jwtVerify(assertion, clientKey, { issuer: clientId, audience: issuer, algorithms: ["ES256"] });
  if (incoming.url === "/oauth/introspect") return JSON.stringify({ active: true, client_id: clientId });
  const token = await new SignJWT({ client_id: clientId, scope: merchantScope, jti: randomUUID() })
    .setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "limit" })
    .setIssuer(issuer)
    .setSubject(clientId)
    .setAudience(merchantResource(issuer))
    .setIssuedAt()
    .setExpirationTime("10m")
    .sign(privateKey);
  return JSON.stringify({ access_token: token, token_type: "Bearer", expires_in: 600, scope: merchantScope });
};

createServer((incoming, outgoing) => {
  answer(incoming).then(
    (body) => outgoing.writeHead(200, { "content-type": "application/json" }).end(body),
    (error: unknown) => outgoing.writeHead(401).end(String(error)),
  );
}).listen(port, "127.0.0.1", announceListening);
