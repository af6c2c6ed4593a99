import { createPrivateKey, type KeyObject, randomUUID, sign } from "node:crypto";
import type { Job, RequestTemplate, Signer } from "./job.ts";

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** RFC 7523 §3. Signed in advance, so that a run measures the server and not this process. */
const makeAssertionSource = (signer: Signer): (() => string) => {
  const key: KeyObject = createPrivateKey({ key: signer.privateJwk, format: "jwk" });
  const header = encode({ alg: "ES256", kid: signer.kid });
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: signer.clientId, sub: signer.clientId, aud: signer.audience, iat, exp: iat + 120 };
  return () => {
    const signed = `${header}.${encode({ ...claims, jti: randomUUID() })}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
  };
};

const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

type Content = { type: string; text: string };

const makeContentSource = (body: RequestTemplate["body"]): (() => Content | null) => {
  if (body.kind === "none") return () => null;
  if (body.kind === "json") {
    const texts = body.values.map((value) => JSON.stringify(value));
    let turn = 0;
    return () => ({ type: "application/json", text: texts[turn++ % texts.length] ?? "" });
  }
  const nextAssertion = makeAssertionSource(body.signer);
  // The assertion contains only base64url and dots, so nothing needs escaping.
  const { clientId } = body.signer;
  const prefix = new URLSearchParams({ ...body.fields, client_id: clientId, client_assertion_type: assertionType });
  return () => ({
    type: "application/x-www-form-urlencoded",
    text: `${prefix}&client_assertion=${nextAssertion()}`,
  });
};

/** The server must only answer and keep the connection open (RFC 9110 §9.3.7). */
export const noOperation = (port: number): Buffer =>
  Buffer.from(`OPTIONS * HTTP/1.1\r\nhost: localhost:${port}\r\n\r\n`);

/** @returns complete HTTP/1.1 requests as octets; a GET is one request, sent repeatedly. */
export const prepareRequests = ({ port, request, prepared }: Job): Buffer[] => {
  const nextContent = makeContentSource(request.body);
  const count = request.body.kind === "none" ? 1 : prepared;
  const fixed = [
    `${request.method} ${request.path} HTTP/1.1`,
    `host: localhost:${port}`,
    ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return Array.from({ length: count }, () => {
    const content = nextContent();
    const lines = [
      ...fixed,
      ...(request.isIdempotent ? [`idempotency-key: ${randomUUID()}`] : []),
      ...(content ? [`content-type: ${content.type}`, `content-length: ${Buffer.byteLength(content.text)}`] : []),
    ];
    return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${content?.text ?? ""}`);
  });
};
