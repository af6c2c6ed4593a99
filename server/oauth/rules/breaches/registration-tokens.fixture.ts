import { casesOf } from "../../../kernel/rule-cases.fixture.ts";
import {
  initialTokenRules,
  initialTokenSchemeRules,
  initialTokenSentRules,
  registrationTokenRules,
  registrationTokenSentRules,
  replacedRegistrationRules,
} from "../clients/registration-tokens.ts";
import { authorizeClientRules, authorizePairRules, openedRequestRules } from "../requests/authorize.ts";

const now = new Date(1_795_219_200_000);
const token = { expiresAt: new Date(now.getTime() + 1000), usesLeft: 1, revokedAt: null, isMakerActive: true };

export const initialTokenSentCases = casesOf(
  initialTokenSentRules,
  { isSandbox: false, authorization: "Bearer a" },
  { "initial-token-sent": { authorization: null } },
);

export const initialTokenSchemeCases = casesOf(
  initialTokenSchemeRules,
  { scheme: "bearer" },
  { "initial-token-bearer": { scheme: "dpop" } },
);

export const initialTokenCases = casesOf(
  initialTokenRules,
  { token, now },
  {
    "initial-token-known": { token: null },
    "initial-token-not-expired": { token: { ...token, expiresAt: now } },
    "initial-token-not-revoked": { token: { ...token, revokedAt: now } },
    "initial-token-maker": { token: { ...token, isMakerActive: false } },
    "initial-token-uses": { token: { ...token, usesLeft: 0 } },
  },
);

export const registrationTokenSentCases = casesOf(
  registrationTokenSentRules,
  { authorization: "Bearer a" },
  { "registration-token-sent": { authorization: null } },
);

export const registrationTokenCases = casesOf(
  registrationTokenRules,
  { isOfClient: true },
  { "registration-token-of-client": { isOfClient: false } },
);

export const replacedRegistrationCases = casesOf(
  replacedRegistrationRules,
  { isUnchanged: true },
  { "registration-unchanged": { isUnchanged: false } },
);

export const authorizePairCases = casesOf(
  authorizePairRules,
  { clientId: "cl_test_a", requestUri: "urn:ietf:params:oauth:request_uri:a" },
  {
    "authorize-request-uri-pushed": { requestUri: "https://client.example/request.jwt" },
    "authorize-client-id-sent": { clientId: undefined },
  },
);

export const authorizeClientCases = casesOf(
  authorizeClientRules,
  { client: { hasForeignKey: false } },
  {
    "authorize-client-known": { client: null },
    "authorize-client-key-not-foreign": { client: { hasForeignKey: true } },
  },
);

export const openedRequestCases = casesOf(
  openedRequestRules,
  { isOpen: true },
  { "authorize-request-open": { isOpen: false } },
);
