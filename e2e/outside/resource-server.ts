import { createServer, type IncomingMessage } from "node:http";
import {
  calculateJwkThumbprint,
  createRemoteJWKSet,
  EmbeddedJWK,
  errors,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from "jose";

/**
 * A separate resource server that imports nothing from the service. It gets only BASE_URL and reads metadata and keys
 * like any third party. With jose, it checks tokens (RFC 9068 §4) and proofs (RFC 9449 §4.3 and §7). It acts as several
 * resources. The beginning of a request's path selects the resource. It prints its own URL, and responds with the
 * accepted claims or the reason for a refusal.
 */
const issuer = process.env["BASE_URL"] ?? "";

class Refusal extends Error {
  readonly code: string;
  constructor(code: string, why: string) {
    super(why);
    this.code = code;
  }
}

const readJson = async (url: string): Promise<Record<string, unknown>> => {
  const response = await fetch(url, { headers: { accept: "application/json" }, redirect: "error" });
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
};

/** The well-known part goes between host and path (RFC 8414 §3.1, RFC 9728 §3.1). */
const wellKnown = (identifier: string, name: string): string => {
  const { origin, pathname } = new URL(identifier);
  return `${origin}/.well-known/${name}${pathname === "/" ? "" : pathname}`;
};

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

type Resource = { identifier: string; proofAlgorithms: string[]; keys: JWTVerifyGetKey };

const readResources = async (): Promise<Resource[]> => {
  const server = await readJson(wellKnown(issuer, "oauth-authorization-server"));
  if (server["issuer"] !== issuer) throw new Error("RFC 8414 §3.3: another issuer");
  const keys = createRemoteJWKSet(new URL(String(server["jwks_uri"])));
  return Promise.all(
    texts(server["protected_resources"]).map(async (identifier) => {
      const resource = await readJson(wellKnown(identifier, "oauth-protected-resource"));
      if (resource["resource"] !== identifier) throw new Error("RFC 9728 §3.3: another resource");
      if (!texts(resource["authorization_servers"]).includes(issuer)) throw new Error("RFC 9728 §4: another server");
      return { identifier, proofAlgorithms: texts(resource["dpop_signing_alg_values_supported"]), keys };
    }),
  );
};

/** RFC 9068 §4. */
const checkToken = async (token: string, resource: Resource): Promise<JWTPayload> => {
  const { payload } = await jwtVerify(token, resource.keys, {
    issuer,
    audience: resource.identifier,
    typ: "at+jwt",
    algorithms: ["ES256", "PS256", "EdDSA", "Ed25519"],
    requiredClaims: ["exp", "sub", "client_id", "iat", "jti"],
  });
  return payload;
};

const usedProofs = new Set<string>();

/** RFC 9449 §4.3 and §7.1. */
const checkProof = async (
  request: IncomingMessage,
  resource: Resource,
  { url, token, jkt }: { url: string; token: string; jkt: string },
) => {
  const proofs = request.headersDistinct["dpop"] ?? [];
  if (proofs.length !== 1) throw new Refusal("invalid_dpop_proof", "expected one proof");
  const { payload, protectedHeader } = await jwtVerify(proofs[0] ?? "", EmbeddedJWK, {
    typ: "dpop+jwt",
    algorithms: resource.proofAlgorithms,
    maxTokenAge: 60,
    clockTolerance: 5,
    requiredClaims: ["jti", "htm", "htu", "iat", "ath"],
  });
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token));
  if (payload["htm"] !== request.method) throw new Refusal("invalid_dpop_proof", "htm");
  if (String(payload["htu"]).split(/[?#]/)[0] !== url) throw new Refusal("invalid_dpop_proof", "htu");
  if (payload["ath"] !== Buffer.from(digest).toString("base64url")) throw new Refusal("invalid_dpop_proof", "ath");
  if (!protectedHeader.jwk || (await calculateJwkThumbprint(protectedHeader.jwk)) !== jkt) {
    throw new Refusal("invalid_token", "bound to another key");
  }
  if (usedProofs.has(`${jkt} ${payload.jti}`)) throw new Refusal("invalid_dpop_proof", "used before");
  usedProofs.add(`${jkt} ${payload.jti}`);
};

const check = async (request: IncomingMessage, url: string, resource: Resource): Promise<JWTPayload> => {
  const [, scheme = "", token = ""] = /^(\S+) +(\S+)$/.exec(request.headers.authorization ?? "") ?? [];
  const payload = await checkToken(token, resource).catch((error: unknown) => {
    throw new Refusal("invalid_token", error instanceof errors.JOSEError ? error.code : "not a token");
  });
  const jkt = (payload["cnf"] as { jkt?: string } | undefined)?.jkt;
  // RFC 9449 §7.2: accepting a bound token under the Bearer scheme would make its binding worthless.
  if (scheme.toLowerCase() !== (jkt ? "dpop" : "bearer")) throw new Refusal("invalid_token", "scheme");
  if (jkt) {
    await checkProof(request, resource, { url, token, jkt }).catch((error: unknown) => {
      throw error instanceof errors.JOSEError ? new Refusal("invalid_dpop_proof", error.code) : error;
    });
  }
  return payload;
};

const resources = await readResources();
const server = createServer({ maxHeaderSize: 65_536 }, async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", address());
  const isBelow = ({ identifier }: Resource) =>
    `${pathname}/`.startsWith(`${new URL(identifier).pathname}/`.replace("//", "/"));
  // The resource with the longest matching path is used.
  const [resource] = resources.filter(isBelow).sort((left, right) => right.identifier.length - left.identifier.length);
  const answer = (status: number, body: object, headers = {}) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  try {
    if (!resource) return answer(404, {});
    return answer(200, {
      resource: resource.identifier,
      claims: await check(request, `${address()}${pathname}`, resource),
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const challenge = { "www-authenticate": `DPoP error="${error.code}", Bearer error="${error.code}"` };
    return answer(401, { error: error.code, why: error.message }, challenge);
  }
});

const address = (): string => {
  const bound = server.address();
  return `http://127.0.0.1:${typeof bound === "object" && bound ? bound.port : 0}`;
};
server.listen(0, "127.0.0.1", () => process.stdout.write(`${address()}\n`));
// The input ends when the process that started this one has ended.
process.stdin.on("end", () => process.exit(0)).resume();
