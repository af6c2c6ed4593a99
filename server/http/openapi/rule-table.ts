import { formRules, parameterRules, queryRules } from "../../contract/body/form-rules.ts";
import type { RuleGroup } from "../../kernel/rule.ts";
import {
  detailsEndRules,
  detailsFieldRules,
  detailsIdentifierRules,
  detailsItemRules,
  detailsListRules,
  detailsLocationRules,
  detailsPayeeRules,
  replacingDetailsRules,
} from "../../mandates/details/details-rules.ts";
import {
  assertionClaimsRules,
  assertionHeaderRules,
  assertionKeyRules,
  assertionUseRules,
  knownClientRules,
  presentedRules,
} from "../../oauth/rules/clients/client-assertion.ts";
import {
  blockedKeyRules,
  clientKeyRules,
  importedKeyRules,
  keyIdRules,
  keyIdsRules,
  keySetRules,
  productionKeyRules,
  productionListRules,
} from "../../oauth/rules/clients/client-jwks.ts";
import { jwksUriLoadRules, outboundAddressRules } from "../../oauth/rules/clients/jwks-uri.ts";
import { metadataMemberRules } from "../../oauth/rules/clients/metadata-members.ts";
import { readableMetadataRules } from "../../oauth/rules/clients/readable-metadata.ts";
import { redirectUriRules } from "../../oauth/rules/clients/redirect-uri.ts";
import {
  metadataBodyRules,
  registrationRules,
  serverMemberRules,
} from "../../oauth/rules/clients/registration-rules.ts";
import {
  initialTokenRules,
  initialTokenSchemeRules,
  initialTokenSentRules,
  registrationTokenRules,
  registrationTokenSentRules,
  replacedRegistrationRules,
} from "../../oauth/rules/clients/registration-tokens.ts";
import {
  statementKeyRules,
  statementParticipantRules,
  statementRules,
  verifiedStatementRules,
} from "../../oauth/rules/clients/software-statement.ts";
import {
  pushedRequestRules,
  pushingClientRules,
  replacedGrantRules,
} from "../../oauth/rules/requests/authorization-request.ts";
import { authorizeClientRules, authorizePairRules, openedRequestRules } from "../../oauth/rules/requests/authorize.ts";
import { detailsRules } from "../../oauth/rules/requests/pushed-details.ts";
import { scopeFormRules, scopeRequestRules } from "../../oauth/rules/scopes.ts";
import {
  liveTokenRules,
  presentedTokenRules,
  tokenKeyRules,
  tokenProofRules,
} from "../../oauth/rules/tokens/access-token.ts";
import { codeAgeRules, codeRequestRules, codeRules, codeUseRules, grantRules } from "../../oauth/rules/tokens/code.ts";
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
} from "../../oauth/rules/tokens/dpop.ts";
import {
  importedProofKeyRules,
  proofKeyFormRules,
  proofKeyRules,
  proofKeyTextRules,
} from "../../oauth/rules/tokens/proof-key.ts";
import {
  refreshAgeRules,
  refreshRequestRules,
  refreshScopeRules,
  refreshTokenRules,
  refreshUseRules,
} from "../../oauth/rules/tokens/refresh.ts";
import { revokedTokenRules, revokedTypeRules } from "../../oauth/rules/tokens/revocation.ts";
import {
  exchangeRequestRules,
  exchangeSubjectRules,
  exchangeTargetRules,
  exchangeTermsRules,
} from "../../oauth/rules/tokens/token-exchange.ts";
import {
  clientCredentialsRules,
  grantResourceRules,
  grantTypeOfClientRules,
  grantTypeRules,
} from "../../oauth/rules/tokens/token-request.ts";

/** Groups that belong to one topic. */
type Chapter = { title: string; groups: readonly RuleGroup<unknown>[] };

/**
 * The table of all rules (docs/spec/oauth.md, Rule table), by topic. The rules of a group are checked in the listed
 * order. The order of the groups depends on the operation.
 */
export const ruleChapters: readonly Chapter[] = [
  { title: "Every request", groups: [queryRules, formRules, parameterRules] },
  {
    title: "Client authentication",
    groups: [
      presentedRules,
      knownClientRules,
      assertionHeaderRules,
      assertionClaimsRules,
      assertionKeyRules,
      assertionUseRules,
    ],
  },
  {
    title: "Registration",
    groups: [
      initialTokenSentRules,
      initialTokenSchemeRules,
      initialTokenRules,
      registrationTokenSentRules,
      registrationTokenRules,
      replacedRegistrationRules,
      statementRules,
      statementKeyRules,
      statementParticipantRules,
      verifiedStatementRules,
    ],
  },
  {
    title: "Client metadata",
    groups: [
      metadataBodyRules,
      serverMemberRules,
      metadataMemberRules,
      registrationRules,
      redirectUriRules,
      readableMetadataRules,
      outboundAddressRules,
    ],
  },
  {
    title: "Client keys",
    groups: [
      jwksUriLoadRules,
      keySetRules,
      clientKeyRules,
      keyIdRules,
      keyIdsRules,
      importedKeyRules,
      blockedKeyRules,
      productionListRules,
      productionKeyRules,
    ],
  },
  {
    title: "Pushed request",
    groups: [pushingClientRules, pushedRequestRules, detailsRules, replacedGrantRules, pushedKeyRules],
  },
  {
    title: "Mandate",
    groups: [
      detailsListRules,
      detailsItemRules,
      detailsFieldRules,
      detailsIdentifierRules,
      replacingDetailsRules,
      detailsEndRules,
      detailsLocationRules,
      detailsPayeeRules,
    ],
  },
  { title: "Authorization request", groups: [authorizePairRules, authorizeClientRules, openedRequestRules] },
  {
    title: "Token request",
    groups: [grantTypeRules, grantTypeOfClientRules, grantResourceRules, clientCredentialsRules],
  },
  { title: "Scope", groups: [scopeFormRules, scopeRequestRules] },
  { title: "Code", groups: [codeRequestRules, codeRules, codeKeyRules, codeAgeRules, codeUseRules] },
  {
    title: "Refresh and grant",
    groups: [refreshRequestRules, refreshTokenRules, refreshAgeRules, refreshScopeRules, refreshUseRules, grantRules],
  },
  {
    title: "Token exchange",
    groups: [exchangeRequestRules, exchangeSubjectRules, exchangeTermsRules, exchangeTargetRules],
  },
  {
    title: "DPoP proof",
    groups: [
      proofOfClientRules,
      proofFormRules,
      proofHeaderRules,
      proofKeyFormRules,
      proofKeyRules,
      importedProofKeyRules,
      proofKeyTextRules,
      proofSignatureRules,
      proofClaimsRules,
      proofNonceRules,
      proofUseRules,
    ],
  },
  { title: "Access token", groups: [presentedTokenRules, tokenProofRules, tokenKeyRules, liveTokenRules] },
  { title: "Revocation", groups: [revokedTokenRules, revokedTypeRules] },
];

export const ruleGroups: readonly RuleGroup<unknown>[] = ruleChapters.flatMap(({ groups }) => groups);
