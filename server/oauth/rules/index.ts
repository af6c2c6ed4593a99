import { liveTokenRules, presentedTokenRules, tokenKeyRules, tokenProofRules } from "./access-token.ts";
import { pushedRequestRules, pushingClientRules, replacedGrantRules } from "./authorization-request.ts";
import {
  assertionClaimsRules,
  assertionHeaderRules,
  assertionKeyRules,
  consumedRules,
  knownClientRules,
  presentedRules,
} from "./client-assertion.ts";
import { codeAgeRules, codeRequestRules, codeRules, codeUseRules, grantRules } from "./code.ts";
import {
  codeKeyRules,
  proofClaimsRules,
  proofFormRules,
  proofHeaderRules,
  proofNonceRules,
  proofOfClientRules,
  proofSignatureRules,
  proofUseRules,
  pushedKeyRules,
} from "./dpop.ts";
import { parameterRules, queryRules } from "./form.ts";
import { detailsRules } from "./pushed-details.ts";
import {
  refreshAgeRules,
  refreshRequestRules,
  refreshScopeRules,
  refreshTokenRules,
  refreshUseRules,
} from "./refresh.ts";
import { revokedTokenRules, revokedTypeRules } from "./revocation.ts";
import type { RuleGroup } from "./rule.ts";
import { askedScopesRules, scopeFormRules } from "./scopes.ts";
import {
  exchangeRequestRules,
  exchangeSubjectRules,
  exchangeTargetRules,
  exchangeTermsRules,
} from "./token-exchange.ts";
import { clientCredentialsRules, grantResourceRules, grantTypeOfClientRules, grantTypeRules } from "./token-request.ts";

/** The table of all rules (1-oauth, Rules, each with its source), in the order in which a request meets them. */
export const ruleGroups: readonly RuleGroup<unknown>[] = [
  queryRules,
  parameterRules,
  presentedRules,
  knownClientRules,
  assertionHeaderRules,
  assertionClaimsRules,
  assertionKeyRules,
  consumedRules,
  pushingClientRules,
  pushedRequestRules,
  detailsRules,
  replacedGrantRules,
  pushedKeyRules,
  grantTypeRules,
  grantTypeOfClientRules,
  grantResourceRules,
  clientCredentialsRules,
  scopeFormRules,
  askedScopesRules,
  codeRequestRules,
  codeRules,
  codeKeyRules,
  codeAgeRules,
  codeUseRules,
  refreshRequestRules,
  refreshTokenRules,
  refreshAgeRules,
  refreshScopeRules,
  refreshUseRules,
  grantRules,
  exchangeRequestRules,
  exchangeSubjectRules,
  exchangeTermsRules,
  exchangeTargetRules,
  proofOfClientRules,
  proofFormRules,
  proofHeaderRules,
  proofSignatureRules,
  proofClaimsRules,
  proofNonceRules,
  proofUseRules,
  presentedTokenRules,
  tokenProofRules,
  tokenKeyRules,
  liveTokenRules,
  revokedTokenRules,
  revokedTypeRules,
];
