import { casesOf } from "../../../kernel/rule-cases.fixture.ts";
import {
  assertionClaimsRules,
  assertionHeaderRules,
  assertionKeyRules,
  assertionUseRules,
  knownClientRules,
  presentedRules,
} from "../clients/client-assertion.ts";

const now = 1_795_219_200;
const type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const form = { client_assertion_type: type, client_assertion: "a.b.c" };
const jws = { header: {}, payload: { sub: "cl_test_a" }, signingInput: "a.b", signature: Buffer.from("c") };

export const presentedCases = casesOf(
  presentedRules,
  { authorization: null, form, jws },
  {
    "no-authorization-header": { authorization: "Basic YTpi" },
    "no-client-secret": { form: { ...form, client_secret: "s" } },
    "assertion-type": { form: { ...form, client_assertion_type: `${type}x` } },
    "assertion-is-jwt": { jws: null },
    "client-id-is-subject": { form: { ...form, client_id: "cl_test_b" } },
  },
);

const header = { alg: "ES256", kid: "test" };

export const assertionHeaderCases = casesOf(
  assertionHeaderRules,
  { header, pinnedAlg: "ES256" },
  {
    "assertion-alg": { header: { ...header, alg: "RS256" } },
    "assertion-alg-registered": { header: { ...header, alg: "PS256" } },
    "assertion-typ": { header: { ...header, typ: "at+jwt" } },
    "assertion-names-no-key": { header: { ...header, jku: "https://keys.example/jwks" } },
    "assertion-crit": { header: { ...header, crit: ["exp"] } },
    "assertion-b64": { header: { ...header, b64: false } },
  },
);

/** Margin beyond a time limit, longer than a slow machine can delay a request. */
const past = 30;
const claims = { iss: "cl_test_a", sub: "cl_test_a", aud: "https://as.example", jti: "j", exp: now + 60, iat: now };

export const assertionClaimsCases = casesOf(
  assertionClaimsRules,
  { claims, clientId: "cl_test_a", audiences: ["https://as.example"], now },
  {
    "assertion-iss-sub": { claims: { ...claims, iss: "cl_test_b" } },
    "assertion-aud": { claims: { ...claims, aud: ["https://as.example"] } },
    "assertion-exp": { claims: { ...claims, exp: "soon" } },
    "assertion-not-expired": { claims: { ...claims, exp: now } },
    "assertion-lifetime": { claims: { ...claims, exp: now + 3600 + past } },
    "assertion-iat-nbf": { claims: { ...claims, nbf: "now" } },
    "assertion-not-before": { claims: { ...claims, iat: now + 60 + past } },
    "assertion-jti": { claims: { ...claims, jti: "" } },
    "assertion-jti-text": { claims: { ...claims, jti: "j\0" } },
  },
);

export const knownClientCases = casesOf(knownClientRules, { isKnown: true }, { "client-known": { isKnown: false } });

export const assertionKeyCases = casesOf(
  assertionKeyRules,
  { hasKey: true, isSigned: () => true, isBlocked: false },
  {
    "assertion-key": { hasKey: false },
    "assertion-signature": { isSigned: () => false },
    "assertion-key-not-blocked": { isBlocked: true },
  },
);

export const consumedCases = casesOf(
  assertionUseRules,
  { isFresh: true, client: { hasForeignKey: false } },
  {
    "assertion-single-use": { isFresh: false },
    "client-still-known": { client: null },
    "client-key-not-foreign": { client: { hasForeignKey: true } },
  },
);
