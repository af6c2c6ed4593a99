import { passkeyChallengeEndpoint } from "../accounts/endpoints/passkey-challenge.ts";
import { signInEndpoint } from "../accounts/endpoints/sign-in.ts";
import { signInByPasskeyEndpoint } from "../accounts/endpoints/sign-in-by-passkey.ts";
import { signOutEndpoint } from "../accounts/endpoints/sign-out.ts";
import { listUsageEventsEndpoint, readUsageEndpoint } from "../billing/endpoints/usage.ts";
import { recordUsageEventsEndpoint } from "../billing/endpoints/usage-events.ts";
import { captureChargeEndpoint, voidChargeEndpoint } from "../charges/endpoints/act-on-charge.ts";
import { chargeEndpoint } from "../charges/endpoints/charge.ts";
import { getDisputeEndpoint, listDisputesEndpoint } from "../charges/endpoints/disputes.ts";
import {
  getChargeEndpoint,
  listChargesEndpoint,
  listMandateChargesEndpoint,
} from "../charges/endpoints/list-charges.ts";
import { simulatorWebhookEndpoint, stripeWebhookEndpoint } from "../charges/endpoints/processor-webhook.ts";
import {
  createRefundEndpoint,
  getRefundEndpoint,
  getRefundOfChargeEndpoint,
  listRefundsEndpoint,
} from "../charges/endpoints/refunds.ts";
import { verifyMandateEndpoint } from "../charges/endpoints/verify-mandate.ts";
import { mandateCredentialEndpoint } from "../credentials/endpoints/mandate-credential.ts";
import { newestStatusListEndpoint, statusListEndpoint } from "../credentials/endpoints/status-list.ts";
import {
  createAgentTokenEndpoint,
  listAgentTokensEndpoint,
  revokeAgentTokenEndpoint,
} from "../directory/endpoints/agent-tokens.ts";
import { claimDomainEndpoint, giveUpDomainEndpoint, verifyDomainEndpoint } from "../directory/endpoints/domains.ts";
import { editParticipantEndpoint } from "../directory/endpoints/edit-participant.ts";
import {
  listParticipantsEndpoint,
  participantHistoryEndpoint,
  readParticipantEndpoint,
} from "../directory/endpoints/participants.ts";
import { authorizationDetailsTypesEndpoint } from "../oauth/endpoints/authorization-details-types.ts";
import { authorizeByFormEndpoint, authorizeEndpoint } from "../oauth/endpoints/authorize.ts";
import {
  deleteClientEndpoint,
  readRegistrationEndpoint,
  replaceRegistrationEndpoint,
} from "../oauth/endpoints/client-configuration.ts";
import { consentDecisionEndpoint } from "../oauth/endpoints/consent-decision.ts";
import { queryGrantEndpoint, revokeGrantEndpoint } from "../oauth/endpoints/grants.ts";
import { introspectEndpoint } from "../oauth/endpoints/introspect.ts";
import { parEndpoint } from "../oauth/endpoints/par.ts";
import { registerEndpoint } from "../oauth/endpoints/register.ts";
import { revokeEndpoint } from "../oauth/endpoints/revoke.ts";
import { tokenEndpoint } from "../oauth/endpoints/token.ts";
import {
  billingResourceMetadataEndpoint,
  clientKeyListEndpoint,
  credentialIssuerMetadataEndpoint,
  directoryResourceMetadataEndpoint,
  jwksEndpoint,
  merchantResourceMetadataEndpoint,
  resourceMetadataEndpoint,
  serverMetadataEndpoint,
} from "../oauth/endpoints/well-known.ts";
import { advanceClockEndpoint, readClockEndpoint } from "../sandbox/endpoints/clock.ts";
import {
  componentAtomEndpoint,
  componentRssEndpoint,
  statusAtomEndpoint,
  statusRssEndpoint,
} from "../status/endpoints/feeds.ts";
import { healthEndpoint, readinessEndpoint } from "../status/endpoints/health.ts";
import { intervalsCsvEndpoint } from "../status/endpoints/intervals.ts";
import { statuspageEndpoint } from "../status/endpoints/statuspage.ts";
import {
  askUnsubscribeEndpoint,
  changeSubscriptionEndpoint,
  confirmSubscriptionEndpoint,
  subscribeEndpoint,
  unsubscribeEndpoint,
} from "../status/endpoints/subscriptions.ts";
import { demoCallbackEndpoint } from "./demo-callback.ts";
import type { Endpoint } from "./endpoint.ts";

/** Every contract that a route file mounts; /openapi.json is made from it, and a test compares it with the route files. */
export const endpoints: readonly Endpoint[] = [
  parEndpoint,
  authorizeEndpoint,
  authorizeByFormEndpoint,
  tokenEndpoint,
  revokeEndpoint,
  introspectEndpoint,
  registerEndpoint,
  readRegistrationEndpoint,
  replaceRegistrationEndpoint,
  deleteClientEndpoint,
  queryGrantEndpoint,
  revokeGrantEndpoint,
  authorizationDetailsTypesEndpoint,
  serverMetadataEndpoint,
  resourceMetadataEndpoint,
  merchantResourceMetadataEndpoint,
  billingResourceMetadataEndpoint,
  directoryResourceMetadataEndpoint,
  credentialIssuerMetadataEndpoint,
  jwksEndpoint,
  clientKeyListEndpoint,
  newestStatusListEndpoint,
  statusListEndpoint,
  mandateCredentialEndpoint,
  listMandateChargesEndpoint,
  verifyMandateEndpoint,
  chargeEndpoint,
  listChargesEndpoint,
  getChargeEndpoint,
  captureChargeEndpoint,
  voidChargeEndpoint,
  simulatorWebhookEndpoint,
  stripeWebhookEndpoint,
  createRefundEndpoint,
  listRefundsEndpoint,
  getRefundOfChargeEndpoint,
  getRefundEndpoint,
  listDisputesEndpoint,
  getDisputeEndpoint,
  readUsageEndpoint,
  listUsageEventsEndpoint,
  recordUsageEventsEndpoint,
  listParticipantsEndpoint,
  readParticipantEndpoint,
  editParticipantEndpoint,
  participantHistoryEndpoint,
  claimDomainEndpoint,
  verifyDomainEndpoint,
  giveUpDomainEndpoint,
  createAgentTokenEndpoint,
  listAgentTokensEndpoint,
  revokeAgentTokenEndpoint,
  consentDecisionEndpoint,
  signInEndpoint,
  passkeyChallengeEndpoint,
  signInByPasskeyEndpoint,
  signOutEndpoint,
  demoCallbackEndpoint,
  readClockEndpoint,
  advanceClockEndpoint,
  healthEndpoint,
  readinessEndpoint,
  statusRssEndpoint,
  statusAtomEndpoint,
  componentRssEndpoint,
  componentAtomEndpoint,
  intervalsCsvEndpoint,
  statuspageEndpoint,
  subscribeEndpoint,
  confirmSubscriptionEndpoint,
  changeSubscriptionEndpoint,
  unsubscribeEndpoint,
  askUnsubscribeEndpoint,
];
