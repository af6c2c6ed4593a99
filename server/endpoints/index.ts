import type { Endpoint } from "../contract/endpoint.ts";
import { chooseLanguageEndpoint } from "./accounts/choose-language.ts";
import { confirmEmailChangeEndpoint } from "./accounts/confirm-email-change.ts";
import { chooseMailEndpoint, unsubscribeMailEndpoint, unsubscribeMailPageEndpoint } from "./accounts/mail-choice.ts";
import { passkeyChallengeEndpoint } from "./accounts/passkey-challenge.ts";
import { requestResetEndpoint } from "./accounts/request-reset.ts";
import { resetPasswordEndpoint } from "./accounts/reset-password.ts";
import { signInEndpoint } from "./accounts/sign-in.ts";
import { signInByPasskeyEndpoint } from "./accounts/sign-in-by-passkey.ts";
import { signInByRecoveryCodeEndpoint } from "./accounts/sign-in-by-recovery-code.ts";
import { signOutEndpoint } from "./accounts/sign-out.ts";
import { beginSignUpEndpoint } from "./accounts/sign-up/begin.ts";
import {
  finishSignUpByPasskeyEndpoint,
  finishSignUpByPasswordEndpoint,
  signUpChallengeEndpoint,
} from "./accounts/sign-up/credential.ts";
import { signUpStateEndpoint } from "./accounts/sign-up/state.ts";
import { confirmSignUpEndpoint, requestSignUpCodeEndpoint, verifySignUpEndpoint } from "./accounts/sign-up/verify.ts";
import {
  bundleAliasEndpoint,
  bundleFileEndpoint,
  schemaAliasEndpoint,
  schemaFileEndpoint,
} from "./assets/bundle-file.ts";
import { manifestEndpoint } from "./assets/manifest.ts";
import { statusBadgeDataEndpoint, statusBadgeEndpoint } from "./assets/status-badge.ts";
import { estimateEndpoint } from "./billing/estimate.ts";
import { getInvoiceEndpoint, listInvoiceLineEventsEndpoint, listInvoicesEndpoint } from "./billing/invoices.ts";
import { listCreditsEndpoint, listLedgerEndpoint } from "./billing/ledger.ts";
import { listPlansEndpoint } from "./billing/plans.ts";
import {
  changePlanEndpoint,
  getBillingSubscriptionEndpoint,
  previewPlanEndpoint,
  withdrawChangeEndpoint,
} from "./billing/subscription.ts";
import { listUsageEventsEndpoint, readUsageEndpoint } from "./billing/usage.ts";
import { recordUsageEventsEndpoint } from "./billing/usage-events.ts";
import { captureChargeEndpoint, voidChargeEndpoint } from "./charges/act-on-charge.ts";
import { chargeEndpoint } from "./charges/charge.ts";
import {
  announceChargeEndpoint,
  cancelNoticeEndpoint,
  getNoticeEndpoint,
  listNoticesEndpoint,
} from "./charges/charge-notices.ts";
import { getDisputeEndpoint, listDisputesEndpoint } from "./charges/disputes.ts";
import { getChargeEndpoint, listChargesEndpoint, listMandateChargesEndpoint } from "./charges/list-charges.ts";
import { simulatorWebhookEndpoint, stripeWebhookEndpoint } from "./charges/processor-webhook.ts";
import {
  createRefundEndpoint,
  getRefundEndpoint,
  getRefundOfChargeEndpoint,
  listRefundsEndpoint,
} from "./charges/refunds.ts";
import { verifyMandateEndpoint } from "./charges/verify-mandate.ts";
import { mandateCredentialEndpoint } from "./credentials/mandate-credential.ts";
import { newestStatusListEndpoint, statusListEndpoint } from "./credentials/status-list.ts";
import { buttonCallbackEndpoint } from "./demo/button-callback.ts";
import { demoCallbackEndpoint } from "./demo/demo-callback.ts";
import {
  createAgentTokenEndpoint,
  listAgentTokensEndpoint,
  revokeAgentTokenEndpoint,
} from "./directory/agent-tokens.ts";
import { listChangesEndpoint } from "./directory/changes.ts";
import { claimDomainEndpoint, giveUpDomainEndpoint, verifyDomainEndpoint } from "./directory/domains.ts";
import { editParticipantEndpoint } from "./directory/edit-participant.ts";
import { anchorConfigurationEndpoint, serverConfigurationEndpoint } from "./directory/federation/configurations.ts";
import {
  fetchSubordinateEndpoint,
  historicalKeysEndpoint,
  listSubordinatesEndpoint,
  resolveEntityEndpoint,
} from "./directory/federation/subordinates.ts";
import { registerFederationEntityEndpoint, removeFederationEntityEndpoint } from "./directory/federation-entity.ts";
import { directoryJwksEndpoint, findKeyEndpoint, participantJwksEndpoint } from "./directory/keys.ts";
import { consistencyProofEndpoint, inclusionProofEndpoint } from "./directory/log/proofs.ts";
import { logCheckpointEndpoint, logKeyEndpoint, logTileEndpoint } from "./directory/log/static.ts";
import { participantMetadataEndpoint } from "./directory/metadata.ts";
import { listParticipantsEndpoint, participantHistoryEndpoint } from "./directory/participants.ts";
import { readParticipantEndpoint } from "./directory/read-participant.ts";
import { chooseMerchantEndpoint } from "./merchants/choose-merchant.ts";
import { exportLedgerEndpoint } from "./merchants/export-ledger.ts";
import { exportPaymentsEndpoint } from "./merchants/export-payments.ts";
import { invoiceDocumentEndpoint } from "./merchants/invoice-document.ts";
import { merchantLogoEndpoint } from "./merchants/logo.ts";
import { merchantLogoPreviewEndpoint } from "./merchants/logo-preview.ts";
import { authorizationDetailsTypesEndpoint } from "./oauth/authorization-details-types.ts";
import { authorizeByFormEndpoint, authorizeEndpoint } from "./oauth/authorize.ts";
import {
  deleteClientEndpoint,
  readRegistrationEndpoint,
  replaceRegistrationEndpoint,
} from "./oauth/client-configuration.ts";
import { consentDecisionEndpoint } from "./oauth/consent-decision.ts";
import { consentPaymentMethodEndpoint } from "./oauth/consent-payment-method.ts";
import { queryGrantEndpoint, revokeGrantEndpoint } from "./oauth/grants.ts";
import { introspectEndpoint } from "./oauth/introspect.ts";
import { parEndpoint } from "./oauth/par.ts";
import { registerEndpoint } from "./oauth/register.ts";
import { revokeEndpoint } from "./oauth/revoke.ts";
import { tokenEndpoint } from "./oauth/token.ts";
import {
  billingResourceMetadataEndpoint,
  clientKeyListEndpoint,
  credentialIssuerMetadataEndpoint,
  directoryResourceMetadataEndpoint,
  jwksEndpoint,
  merchantResourceMetadataEndpoint,
  resourceMetadataEndpoint,
  serverMetadataEndpoint,
} from "./oauth/well-known.ts";
import {
  operatorInvitationAcceptanceEndpoint,
  operatorInvitationAccountEndpoint,
  operatorInvitationChallengeEndpoint,
} from "./operators/invitation.ts";
import { advanceClockEndpoint, readClockEndpoint } from "./sandbox/clock.ts";
import { componentAtomEndpoint, componentRssEndpoint, statusAtomEndpoint, statusRssEndpoint } from "./status/feeds.ts";
import { healthEndpoint, readinessEndpoint } from "./status/health.ts";
import { intervalsCsvEndpoint } from "./status/intervals.ts";
import { maintenanceCalendarEndpoint } from "./status/maintenance-calendar.ts";
import { statuspageEndpoints } from "./status/statuspage.ts";
import {
  changeSubscriptionEndpoint,
  confirmSubscriptionEndpoint,
  subscribeEndpoint,
  unsubscribeEndpoint,
  unsubscribePageEndpoint,
} from "./status/subscriptions.ts";
import { downloadDataExportEndpoint } from "./wallet/download-data-export.ts";
import { exportActivityEndpoint } from "./wallet/export-activity.ts";
import {
  chargeReceiptJsonEndpoint,
  chargeReceiptPdfEndpoint,
  mandateReceiptJsonEndpoint,
  mandateReceiptPdfEndpoint,
} from "./wallet/receipts.ts";

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
  announceChargeEndpoint,
  listNoticesEndpoint,
  getNoticeEndpoint,
  cancelNoticeEndpoint,
  listPlansEndpoint,
  readUsageEndpoint,
  listUsageEventsEndpoint,
  recordUsageEventsEndpoint,
  listInvoicesEndpoint,
  getInvoiceEndpoint,
  listInvoiceLineEventsEndpoint,
  listLedgerEndpoint,
  listCreditsEndpoint,
  estimateEndpoint,
  getBillingSubscriptionEndpoint,
  changePlanEndpoint,
  withdrawChangeEndpoint,
  previewPlanEndpoint,
  listParticipantsEndpoint,
  readParticipantEndpoint,
  editParticipantEndpoint,
  participantHistoryEndpoint,
  participantJwksEndpoint,
  participantMetadataEndpoint,
  findKeyEndpoint,
  directoryJwksEndpoint,
  serverConfigurationEndpoint,
  anchorConfigurationEndpoint,
  fetchSubordinateEndpoint,
  listSubordinatesEndpoint,
  resolveEntityEndpoint,
  historicalKeysEndpoint,
  listChangesEndpoint,
  logCheckpointEndpoint,
  logKeyEndpoint,
  logTileEndpoint,
  inclusionProofEndpoint,
  consistencyProofEndpoint,
  claimDomainEndpoint,
  verifyDomainEndpoint,
  giveUpDomainEndpoint,
  registerFederationEntityEndpoint,
  removeFederationEntityEndpoint,
  createAgentTokenEndpoint,
  listAgentTokensEndpoint,
  revokeAgentTokenEndpoint,
  manifestEndpoint,
  bundleAliasEndpoint,
  bundleFileEndpoint,
  schemaAliasEndpoint,
  schemaFileEndpoint,
  statusBadgeEndpoint,
  statusBadgeDataEndpoint,
  consentDecisionEndpoint,
  consentPaymentMethodEndpoint,
  signInEndpoint,
  passkeyChallengeEndpoint,
  signInByPasskeyEndpoint,
  signInByRecoveryCodeEndpoint,
  requestResetEndpoint,
  resetPasswordEndpoint,
  chooseMailEndpoint,
  unsubscribeMailEndpoint,
  unsubscribeMailPageEndpoint,
  confirmEmailChangeEndpoint,
  signOutEndpoint,
  downloadDataExportEndpoint,
  chooseLanguageEndpoint,
  beginSignUpEndpoint,
  verifySignUpEndpoint,
  requestSignUpCodeEndpoint,
  confirmSignUpEndpoint,
  signUpChallengeEndpoint,
  finishSignUpByPasskeyEndpoint,
  finishSignUpByPasswordEndpoint,
  signUpStateEndpoint,
  operatorInvitationChallengeEndpoint,
  operatorInvitationAccountEndpoint,
  operatorInvitationAcceptanceEndpoint,
  demoCallbackEndpoint,
  buttonCallbackEndpoint,
  readClockEndpoint,
  advanceClockEndpoint,
  healthEndpoint,
  readinessEndpoint,
  statusRssEndpoint,
  statusAtomEndpoint,
  componentRssEndpoint,
  componentAtomEndpoint,
  intervalsCsvEndpoint,
  maintenanceCalendarEndpoint,
  ...statuspageEndpoints,
  subscribeEndpoint,
  confirmSubscriptionEndpoint,
  changeSubscriptionEndpoint,
  unsubscribeEndpoint,
  unsubscribePageEndpoint,
  exportActivityEndpoint,
  chooseMerchantEndpoint,
  exportPaymentsEndpoint,
  exportLedgerEndpoint,
  invoiceDocumentEndpoint,
  merchantLogoEndpoint,
  merchantLogoPreviewEndpoint,
  chargeReceiptJsonEndpoint,
  chargeReceiptPdfEndpoint,
  mandateReceiptJsonEndpoint,
  mandateReceiptPdfEndpoint,
];
