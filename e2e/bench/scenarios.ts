import { type Actors, postForm, pushFields } from "./actors.ts";
import type { Job, RequestTemplate, Shape, Signer } from "./load/job.ts";
import { merchantResource, merchantScope } from "./servers/peer-wire.ts";

export type Contender = "paygrant" | "oidc-provider" | "crypto limit";

/** What `--only` names. */
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
  ratePerSecond: number | null;
  expected: Job["expected"];
  /** who answers it, each with a template made anew for each run: tokens expire, and an in-memory store forgets */
  templates: Partial<Record<Contender, () => Promise<RequestTemplate>>>;
  /** whether statements are counted */
  usesDatabase: boolean;
};

export type World = {
  actors: Actors;
  issuer: string;
  peer: { issuer: string; signer: Signer };
  limit: { signer: Signer };
};

const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const get = (path: string) => async (): Promise<RequestTemplate> => ({
  ...{ method: "GET", path, headers: {}, body: { kind: "none" } },
});
const form =
  (path: string, signer: Signer, fields: Readonly<Record<string, string>>) => async (): Promise<RequestTemplate> => ({
    ...{ method: "POST", path, headers: {}, body: { kind: "signed_form", fields, signer } },
  });

const clientCredentials = { grant_type: "client_credentials", scope: merchantScope };

const fetchToken = async (address: string, signer: Signer, more: Record<string, string>): Promise<string> =>
  String((await postForm(address, { signer, fields: { ...clientCredentials, ...more }, status: 200 }))["access_token"]);

/** Everything that is measured, in the table's order. */
export const makeScenarios = (world: World): Scenario[] => {
  const { actors, issuer, peer, limit } = world;
  const merchantToken = () => fetchToken(`${issuer}/oauth/token`, actors.merchant, {});
  const byMerchant =
    (path: string, values: readonly object[], isIdempotent: boolean) => async (): Promise<RequestTemplate> => ({
      ...{ method: "POST", path, body: { kind: "json", values }, isIdempotent },
      headers: { authorization: `Bearer ${await merchantToken()}` },
    });
  const uses = actors.mandateIds.map((id) => ({
    ...{ mandate_id: id, amount: 100, currency: "EUR", payer_presence: "off_session" },
  }));
  const verify = { paygrant: byMerchant("/merchant_test/verify-mandate", uses, false) };
  const charge = { paygrant: byMerchant("/merchant_test/charge", uses, true) };
  const statusList = { paygrant: get("/oauth/status-list") };
  const hotSpot = { paygrant: byMerchant("/merchant_test/charge", uses.slice(0, 1), true) };
  return [
    scenario("token", "POST /oauth/token", [200, "token"], {
      paygrant: form("/oauth/token", actors.merchant, clientCredentials),
      "oidc-provider": form("/token", peer.signer, { ...clientCredentials, resource: merchantResource(peer.issuer) }),
      "crypto limit": form("/token", limit.signer, clientCredentials),
    }),
    scenario("par", "POST /oauth/par", [201, "pushed_request"], {
      paygrant: form("/oauth/par", actors.agent, pushFields(actors.merchantId, codeChallenge)),
      "oidc-provider": form("/request", peer.signer, {
        ...pushFields(actors.merchantId, codeChallenge),
        resource: merchantResource(peer.issuer),
      }),
    }),
    scenario("introspect", "POST /oauth/introspect", [200, "introspection"], {
      paygrant: async () => form("/oauth/introspect", actors.merchant, { token: await merchantToken() })(),
      "oidc-provider": async () =>
        form("/token/introspection", peer.signer, {
          token: await fetchToken(`${peer.issuer}/token`, peer.signer, {}),
        })(),
      "crypto limit": form("/oauth/introspect", limit.signer, { token: "any" }),
    }),
    scenario("verify-mandate", "POST /merchant_test/verify-mandate", [200, "verdict"], verify),
    scenario("verify-mandate", "  the same at 500/s", [200, "verdict"], verify, 500),
    scenario("charge", "POST /merchant_test/charge", [201, "charge"], charge),
    scenario("charge", "  the same at 100/s", [201, "charge"], charge, 100),
    scenario("hot-spot", "  the same, all of one mandate", [201, "charge"], hotSpot),
    scenario("status-list", "GET /oauth/status-list", [200, "status_list"], statusList),
    scenario("status-list", "  the same at 20,000/s", [200, "status_list"], statusList, 20_000),
    scenario("jwks", "GET /.well-known/jwks.json", [200, "jwks"], {
      paygrant: get("/.well-known/jwks.json"),
      "oidc-provider": get("/jwks"),
    }),
  ];
};

const scenario = (
  key: EndpointKey,
  title: string,
  [status, shape]: readonly [number, Shape],
  templates: Scenario["templates"],
  ratePerSecond: number | null = null,
): Scenario => ({
  ...{ key, title, ratePerSecond, templates, expected: { status, shape } },
  usesDatabase: ratePerSecond === null && key !== "jwks" && key !== "status-list",
});
