export { type CodeToExchange, exchangeCode } from "./agents/exchange-code.ts";
export {
  exchangeForMandateToken,
  type MandateToken,
  type MandateTokenRequest,
} from "./agents/exchange-for-mandate-token.ts";
export { type CredentialRequest, fetchCredential } from "./agents/fetch-credential.ts";
export type { Grant } from "./agents/grant.ts";
export type { GrantedMandate, MandateRequest, Payee, PayerPresence, PeriodicLimit } from "./agents/mandate.ts";
export { type PresentationRequest, presentMandate } from "./agents/present-mandate.ts";
export { type MandateTokenUse, type ProvenMandateToken, proveMandateToken } from "./agents/prove-mandate-token.ts";
export { type PushedRequest, pushMandateRequest, type RequestedMandates } from "./agents/push-mandate-request.ts";
export { type GrantToRefresh, refresh } from "./agents/refresh.ts";
export { type Revocation, revoke } from "./agents/revoke.ts";
export type { Client } from "./clients/client.ts";
export { discover, type Server } from "./clients/discover.ts";
export { type ClientToImport, importClient } from "./clients/import-client.ts";
export { type RegisteredClient, type Registration, registerClient } from "./clients/register-client.ts";
export type { ProblemCode, RequestCode, VerificationCode } from "./errors/codes.ts";
export {
  type FieldProblem,
  isPaygrantError,
  type PaygrantError,
  type ProblemDetails,
  ProblemError,
  type Reason,
  RequestError,
  VerificationError,
} from "./errors/errors.ts";
export type { CallOptions, Fetch, FetchInit } from "./http/call-options.ts";
export type { KeyPair } from "./keys/key-pair.ts";
export { charge, type PaymentToCharge } from "./merchants/charge.ts";
export { type ChargeAct, type ChargeToRefund, capture, refund, voidCharge as void } from "./merchants/charge-acts.ts";
export { clientCredentials, type Session } from "./merchants/client-credentials.ts";
export { type ChargeFilter, listCharges } from "./merchants/list-charges.ts";
export type { Charge, ChargeStatus, Decline, MandateUse, Refund, RefundReason, Verdict } from "./merchants/objects.ts";
export { type PaymentToVerify, verifyMandate } from "./merchants/verify-mandate.ts";
export { type ReceivedWebhook, verifyWebhook, type WebhookEvent } from "./merchants/verify-webhook.ts";
export type { KeyBinding } from "./verifiers/key-binding.ts";
export { type LogInclusion, type VerifiedInclusion, verifyLogInclusion } from "./verifiers/log/verify-log-inclusion.ts";
export {
  type CredentialToVerify,
  type VerifiedCredential,
  verifyMandateCredential,
} from "./verifiers/verify-mandate-credential.ts";
export {
  type Participant,
  type ParticipantToVerify,
  type VerifiedParticipant,
  verifyParticipant,
} from "./verifiers/verify-participant.ts";
export { type ReceiptToVerify, type VerifiedReceipt, verifyReceipt } from "./verifiers/verify-receipt.ts";
