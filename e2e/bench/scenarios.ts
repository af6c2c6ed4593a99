import { type Actors, parFields, postSignedForm } from "./actors.ts";
import type { Job, RequestTemplate, Signer } from "./load/job.ts";
import { merchantResource, merchantScope } from "./servers/peer-wire.ts";

export type Contender = "paygrant" | "oidc-provider" | "baseline";

/** The name for `--only`. */
export const endpointKeys = [
  "token",
  "par",
  "introspect",
  "verify-mandate",
  "charge",
  "hot-spot",
  "status-list",
  "jwks",
] as const;
export type EndpointKey = (typeof endpointKeys)[number];

export type Scenario = {
  key: EndpointKey;
  title: string;
  /** null: the maximum */
  ratePerSecond: number | null;
  /** undefined: the default number */
  connections?: number;
  expected: Job["expected"];
  /** the contenders; each run creates new templates, because tokens expire and an in-memory store loses them */
  templates: Partial<Record<Contender, Template>>;
  /** whether statements are counted */
  usesDatabase: boolean;
};

export type World = {
  actors: Actors;
  issuer: string;
  peer: { issuer: string; signer: Signer };
  limit: { signer: Signer };
};

/**
 * Concurrent requests to these endpoints share statements and wait for them. With 64 connections a tenth of the machine
 * was idle; with 128 it was idle only during short stalls. The peer’s rate is the same.
 */
export const signedConnections = 256;
/** These requests wait for nothing, so more connections would lengthen the queue and hardly increase the rate. */
export const publishedConnections = 16;

const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const get = (path: string) => async (): Promise<RequestTemplate> => ({
  method: "GET",
  path,
  headers: {},
  body: { kind: "none" },
});
const form =
  (path: string, signer: Signer, fields: Readonly<Record<string, string>>) => async (): Promise<RequestTemplate> => ({
    method: "POST",
    path,
    headers: {},
    body: { kind: "signed_form", fields, signer },
  });

const clientCredentials = { grant_type: "client_credentials", scope: merchantScope };

const fetchToken = async (address: string, signer: Signer, more: Record<string, string>): Promise<string> =>
  String(
    (await postSignedForm(address, { signer, fields: { ...clientCredentials, ...more }, status: 200 }))["access_token"],
  );

type Template = () => Promise<RequestTemplate>;

/** The requests to our server. What a request needs, such as a token, is created with each template. */
export const makeTemplates = ({ actors, issuer }: Pick<World, "actors" | "issuer">): Record<EndpointKey, Template> => {
  const merchantToken = () => fetchToken(`${issuer}/oauth/token`, actors.merchant, {});
  const byMerchant =
    (path: string, values: readonly object[], isIdempotent: boolean): Template =>
    async () => ({
      method: "POST",
      path,
      body: { kind: "json", values },
      isIdempotent,
      headers: { authorization: `Bearer ${await merchantToken()}` },
    });
  const uses = actors.mandateIds.map((id) => ({
    mandate_id: id,
    amount: 100,
    currency: "EUR",
    payer_presence: "off_session",
  }));
  return {
    token: form("/oauth/token", actors.merchant, clientCredentials),
    par: form("/oauth/par", actors.agent, parFields(actors.merchantId, codeChallenge)),
    introspect: async () => form("/oauth/introspect", actors.merchant, { token: await merchantToken() })(),
    "verify-mandate": byMerchant("/merchant_test/verify-mandate", uses, false),
    charge: byMerchant("/merchant_test/charge", uses, true),
    "hot-spot": byMerchant("/merchant_test/charge", uses.slice(0, 1), true),
    "status-list": get("/oauth/status-list"),
    jwks: get("/.well-known/jwks.json"),
  };
};

/** A successful answer of each endpoint. */
export const successes: Readonly<Record<EndpointKey, Job["expected"]>> = {
  token: { status: 200, shape: "token" },
  par: { status: 201, shape: "pushed_request" },
  introspect: { status: 200, shape: "introspection" },
  "verify-mandate": { status: 200, shape: "verdict" },
  charge: { status: 201, shape: "charge" },
  "hot-spot": { status: 201, shape: "charge" },
  "status-list": { status: 200, shape: "status_list" },
  jwks: { status: 200, shape: "jwks" },
};

type Templates = Omit<Scenario["templates"], "paygrant">;
type ScenarioOptions = Partial<Pick<Scenario, "ratePerSecond" | "connections">> & {
  others?: Templates;
};

/** All measurements, in the table's order. */
export const makeScenarios = (world: World): Scenario[] => {
  const { actors, peer, limit } = world;
  const own = makeTemplates(world);
  const scenario = (
    key: EndpointKey,
    title: string,
    { others, ratePerSecond = null, ...more }: ScenarioOptions = {},
  ): Scenario => ({
    key,
    title,
    ratePerSecond,
    templates: { paygrant: own[key], ...others },
    expected: successes[key],
    ...more,
    usesDatabase: ratePerSecond === null && key !== "jwks" && key !== "status-list",
  });
  const signed = (key: EndpointKey, title: string, others: Templates) =>
    scenario(key, title, { others, connections: signedConnections });
  return [
    signed("token", "POST /oauth/token", {
      "oidc-provider": form("/token", peer.signer, { ...clientCredentials, resource: merchantResource(peer.issuer) }),
      baseline: form("/token", limit.signer, clientCredentials),
    }),
    signed("par", "POST /oauth/par", {
      "oidc-provider": form("/request", peer.signer, {
        ...parFields(actors.merchantId, codeChallenge),
        resource: merchantResource(peer.issuer),
      }),
    }),
    signed("introspect", "POST /oauth/introspect", {
      "oidc-provider": async () =>
        form("/token/introspection", peer.signer, {
          token: await fetchToken(`${peer.issuer}/token`, peer.signer, {}),
        })(),
      baseline: form("/oauth/introspect", limit.signer, { token: "any" }),
    }),
    scenario("verify-mandate", "POST /merchant_test/verify-mandate"),
    scenario("verify-mandate", "  the same at 500/s", { ratePerSecond: 500 }),
    scenario("charge", "POST /merchant_test/charge"),
    scenario("charge", "  the same at 100/s", { ratePerSecond: 100 }),
    scenario("hot-spot", "  the same, all of one mandate"),
    scenario("status-list", "GET /oauth/status-list", { connections: publishedConnections }),
    scenario("status-list", "  the same at 20,000/s", { ratePerSecond: 20_000 }),
    scenario("jwks", "GET /.well-known/jwks.json", {
      others: { "oidc-provider": get("/jwks") },
      connections: publishedConnections,
    }),
  ];
};
