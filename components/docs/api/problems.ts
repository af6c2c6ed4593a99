import type { CredentialReasonCode } from "#server/credentials/rules/credential-rule.ts";
import type { ReasonCode } from "#server/mandates/rules/limits.ts";
import type { MandateState, RefusedTransition } from "#server/mandates/rules/transitions.ts";
import { accountProblems } from "../problems/account-problems.ts";
import { billingProblems } from "../problems/billing-problems.ts";
import { operatorProblems } from "../problems/operator-problems.ts";

/** One sentence for each code (the last part of a problem's `type`): what it means and what to do. */
type Meanings<Code extends string = string> = Readonly<Record<Code, string>>;

const requests: Meanings = {
  invalid_request: "The request is malformed. Correct the fields in `errors`, then send it again.",
  body_too_large: "The body is too large. Most operations accept 64 KiB; `detail` has the limit. Send a smaller body.",
  headers_too_large: "The headers are larger than 48 KiB. Send fewer or shorter headers.",
  request_timeout: "The request timed out before it was complete. Send it again.",
  unsupported_media_type:
    "The content type isn’t supported, or the body is compressed. `detail` has the supported type.",
  not_acceptable: "None of the types in Accept is available. Request one of the types listed in `detail`.",
  range_not_satisfiable: "The range starts after the end of the file. Content-Range has the size of the file.",
  not_found: "This path doesn’t exist. Check the path and the method.",
  method_not_allowed: "This path doesn’t support the method. The Allow header lists the supported methods.",
  cross_origin: "The request came from a page of another site. Send it from Paygrant’s own page.",
  too_many_requests: "Too many requests. Wait for the time in Retry-After, then try again.",
  too_many_waiting:
    "Too many payments under this mandate are waiting for the payer's approval. Wait for the time in Retry-After, then try again.",
  too_many_announced: "The mandate already has 20 announced charges. Charge or cancel one, then announce the next.",
  too_many_attempts: "Too many attempts. Wait for the time in Retry-After, then try again.",
  temporarily_unavailable: "The service is temporarily unavailable. Wait for the time in Retry-After, then try again.",
  production_unreachable: "The sandbox can’t load production’s key list. Try again in a moment.",
  server_error: "Something went wrong on our side. Try again. If the error persists, report the X-Request-Id.",
};

const tokens: Meanings = {
  invalid_token: "The access token is missing, expired, revoked or for another resource. Get a new one.",
  insufficient_scope: "The access token doesn’t have the required scope. Request a token with this scope.",
  insufficient_user_authentication:
    "The payer’s sign-in is too old. Start a new authorization request with max_age from WWW-Authenticate.",
  invalid_dpop_proof: "The DPoP proof is missing or doesn’t match the request. Create a new proof for each request.",
  use_dpop_nonce: "The DPoP proof needs the nonce from the DPoP-Nonce header. Send the request again with it.",
  invalid_scope: "A scope is unknown or not available for this kind of client. Request other scopes.",
};

const charges: Meanings = {
  refused_by_mandate:
    "The payer’s mandate doesn’t allow this payment. Nothing was charged. The member `reasons` says why.",
  mandate_not_found:
    "This caller has no mandate with this ID. Check the ID, and which client the mandate was granted to.",
  merchant_suspended:
    "The merchant is suspended, so new charges are refused. Existing charges can still be captured, voided and refunded.",
  billing_overdue:
    "The merchant has an unpaid invoice, so new charges are refused. Existing charges can still be captured, voided and refunded. An owner or admin must pay the invoice in the dashboard, under Billing.",
  billing_plan_ended:
    "The merchant’s plan has ended, so new charges are refused until Paygrant assigns a new plan. Existing charges can still be captured, voided and refunded.",
  processor_not_connected:
    "The merchant’s account at the processor doesn’t accept charges. An owner or admin must complete it in the dashboard, under Settings, Processor.",
  charge_not_found: "The merchant has no charge with this ID. Check the ID.",
  refund_not_found: "The merchant, or this charge, has no refund with this ID. Check the ID.",
  dispute_not_found: "The merchant has no dispute with this ID. Check the ID.",
  charge_not_authorized:
    "The charge can’t be captured or voided in its current state. Read the charge to see its state.",
  charge_in_use: "Another action on this charge is in progress. Try again in a moment.",
  notice_not_found: "The merchant has no charge notice with this ID. Check the ID.",
  notice_charged:
    "The charge of this notice was already made, so the notice can’t be canceled. To return the money, refund the charge.",
  charge_not_refundable: "The charge can’t be refunded in its current state. Read the charge to see its state.",
  exceeds_captured: "Refunds can’t exceed the captured amount. Send a smaller amount, or no amount to refund the rest.",
  exceeds_authorized:
    "The amount exceeds the authorized amount. Send a smaller amount, or no amount to capture everything.",
  idempotency_key_reused: "This Idempotency-Key was used with another body. Use a new key for a new request.",
  idempotency_key_in_use:
    "A request with this Idempotency-Key is in progress, or its outcome is unknown. Send it again in a moment.",
  invalid_webhook_signature:
    "The webhook’s signature is missing, invalid or too old. Sign the exact body that is sent.",
  processor_not_configured: "Stripe isn’t set up on this server. Contact Paygrant.",
  processor_unavailable: "The payment processor is unavailable. Nothing was submitted, so it is safe to try again.",
};

const webhooks: Meanings = {
  budget_alert_exists: "Another budget alert has this threshold. Enter another amount or percentage.",
  too_many_budget_alerts: "A merchant has at most 20 budget alerts. Delete one first.",
  too_many_endpoints: "A merchant can have at most ten webhook endpoints. Delete one first.",
  endpoint_off: "The webhook endpoint is switched off. Switch it on, then send the event again.",
};

/** Codes of status 402: the charge was recorded, and no money moved. */
const payments: Meanings = {
  card_declined: "The processor declined the payment. `decline_code` says why, and `advice` says what to do.",
  processor_refused:
    "The processor refused the request and did nothing. `decline_code` says why. Read the charge to see its state.",
  declined_by_payer: "The payer declined the payment. Ask the payer before you try again.",
  not_submitted: "The payment never reached the processor. It is safe to try again with a new charge.",
  voided: "The charge was voided before any money moved. Create a new charge if needed.",
  expired: "The charge expired before any money moved. Create a new charge if needed.",
};

const reasons: Meanings<ReasonCode> = {
  mandate_pending: "The payer hasn’t approved the mandate yet. Wait for the decision.",
  mandate_suspended: "The mandate is suspended or has no payment method. The payer can change this in the wallet.",
  mandate_revoked: "The mandate was revoked or declined. Ask the payer for a new one.",
  mandate_expired: "The mandate has expired. Ask the payer for a new one.",
  mandate_consumed: "The mandate’s total limit is used up. Ask the payer for a new mandate.",
  amount_exceeds_per_payment: "The amount exceeds the limit for one payment. Charge less.",
  period_limit_exceeded: "The amount exceeds the limit for this period. Charge less or wait for the next period.",
  total_limit_exceeded: "The amount exceeds the total limit. Charge less or ask the payer for a new mandate.",
  count_limit_exceeded:
    "The limit on the number of payments, per period or in total, is used up. Wait for the next period, or ask for a new mandate.",
  currency_mismatch: "The mandate has another currency. Charge in that currency.",
  payee_not_allowed: "The mandate doesn’t allow this merchant. Ask the payer for a mandate that names it.",
  category_not_allowed: "The mandate doesn’t allow this merchant category. Ask the payer for a mandate that allows it.",
  outside_validity_window: "The mandate isn’t valid yet. Charge after its start.",
  presence_not_allowed: "The mandate doesn’t allow this payer_presence. Ask the payer for a mandate that allows it.",
  action_not_allowed: "The mandate doesn’t allow this action. Ask the payer for a mandate that allows it.",
};

/** Reasons that concern the presented credential, not the mandate. */
const credentialReasons: Meanings<CredentialReasonCode> = {
  invalid_signature: "A signature is invalid, or the presentation is malformed. Ask the agent to present it again.",
  untrusted_issuer: "The credential has another issuer. Ask the agent for a credential from this server.",
  credential_expired: "The credential or its proof has expired. Ask the agent for a new one.",
  credential_superseded:
    "The mandate changed after the credential was issued. The agent must fetch and present the new credential.",
  wrong_environment:
    "The credential is from the other environment. Sandbox and production accept only credentials that they issued.",
  audience_mismatch: "The presentation is for another merchant or request. Ask the agent for one with your audience.",
  nonce_mismatch:
    "The presentation doesn’t have your nonce, or the nonce has expired. Give the agent a new nonce to sign.",
  presentation_mismatch:
    "The presentation was signed for a smaller amount, another currency or other contents. Ask for a matching one.",
  replayed: "The presentation was already used for a charge. The agent must sign a new one for each charge.",
  key_binding_missing:
    "There is no proof that the presenter holds the key. Ask the agent for a key binding or a DPoP proof.",
};

type ChangeRefusal = Exclude<RefusedTransition, "not_allowed"> | `mandate_${Exclude<MandateState, ReasonState>}`;
type ReasonState = "pending" | "suspended" | "revoked" | "expired" | "consumed";

const changes: Meanings<ChangeRefusal> & Meanings = {
  mandate_active: "The mandate is active, so it can’t be resumed.",
  mandate_rejected: "The payer declined the mandate. Ask for a new one.",
  already_suspended: "The mandate is already suspended. No action is needed.",
  not_suspended_by_you: "Someone else suspended the mandate. Only they can resume it.",
  not_narrower:
    "A mandate can only be narrowed. Send smaller limits for the fields in `errors`, or an earlier end that is still in the future.",
  unknown_limit: "The mandate doesn’t have this limit. Read the mandate again.",
  malformed_limit:
    "A value isn’t a valid amount in the mandate’s currency, or isn’t a valid date. Correct the field in `errors`.",
};

const sandbox: Meanings = {
  operator_required:
    "Only operators, and programs on the machine of an embedded database, can move the clock. Sign in as an operator.",
  clock_not_forward:
    "The sandbox’s clock only moves forward. Send a time after the one that GET /sandbox/clock returns.",
  clock_too_far: "The sandbox’s clock can be at most ten years ahead. Send an earlier time.",
  clock_in_use: "Another request is moving the sandbox’s clock. Try again when it has finished.",
  clock_work_unfinished: "The sandbox’s clock was moved, but some due work isn’t done. It is retried automatically.",
};

const directory: Meanings = {
  participant_not_found:
    "The participant wasn’t found. Search with GET /directory/v1/participants?q=, which accepts client ids.",
  key_not_found:
    "No participant has or had this key. Send the base64url SHA-256 thumbprint of the public key (RFC 7638).",
  tile_not_found: "The published tree doesn’t have this tile. Read /directory/log/checkpoint for its size.",
  not_own_participant: "The entry belongs to another participant. Use a client of that participant.",
  participant_suspended: "The participant is suspended. Its entry can’t be changed until the suspension ends.",
  participant_withdrawn:
    "The participant is withdrawn. To list it again, send PUT without the member `withdrawn`. Then repeat the request.",
  participant_not_verified: "The participant has no verified domain. Claim and verify a domain first.",
  precondition_required: "The If-Match header is missing. Read the entry and send its ETag with the change.",
  precondition_failed:
    "The data changed after you read it, or after you got the preview, so your change was refused. Read the data again or get a new preview, then repeat your change with the new tag.",
  too_many_domains: "A participant can have at most twenty domains. Remove one first.",
  domain_not_claimed: "The participant hasn’t claimed this domain. Claim it first.",
  domain_not_proved: "The proof from the claim wasn’t found on the domain. `detail` says what is missing.",
  federation_entity_taken: "Another participant has registered this federation entity.",
  federation_entity_not_found: "The participant has no federation entity.",
  federation_configuration_invalid:
    "The entity’s configuration can’t be fetched, or isn’t valid. `detail` says what is wrong.",
  too_many_statements: "A participant can have at most twenty valid software statements. Revoke one first.",
  too_many_tokens: "A participant can have at most twenty active initial access tokens. Revoke one first.",
};

const pages: Meanings = {
  account_deletion_pending:
    "The payer’s account will be deleted. The payer must first choose “Keep my account” on the wallet’s Privacy page.",
  request_unknown: "The authorization request is unknown, expired or already completed. Start again in the app.",
  request_not_pushed:
    "Authorization requests must be pushed (RFC 9126). Send the parameters to POST /oauth/par, then open /oauth/authorize with the returned request_uri.",
  consent_gone: "The authorization request has expired or is already completed. Start again in the app.",
  consent_stale: "The consent page is outdated. Reload it and decide again.",
  payment_method_required: "A mandate needs a payment method. Choose one.",
  sign_up_invalid: "Fields of the sign-up form are invalid. Correct the fields in `errors`, then send it again.",
  sign_up_gone: "No sign-up is in progress in this browser, or it has expired. Sign up again.",
  sign_up_not_ready: "This step of the sign-up isn’t available now. Reload the page to continue.",
  code_wrong: "The code is wrong. Check the e-mail, then enter the code again.",
  code_expired: "The code has expired, or a wrong code was entered too many times. Request a new one.",
  too_many_codes: "Too many codes were requested for this address. Wait 15 minutes, then sign up again.",
  link_expired: "The link has expired. Request a new code where you signed up.",
  address_taken: "This address already has an account. Sign in.",
  recovery_code_refused:
    "The recovery code is wrong or was already used, or it belongs to another account. Check it and try again.",
  reset_link_gone: "The link expired or was used, or the password or e-mail address changed. Request a new one.",
  password_too_short: "The password is too short. Use at least 12 characters.",
  password_too_long: "The password is too long. Use at most 128 characters.",
  password_has_email: "The password contains the e-mail address. Choose another one.",
  password_common: "This is one of the most common passwords. Choose another one.",
  email_invalid: "The new e-mail address is malformed. Correct it.",
  email_unchanged: "This is the current e-mail address. Enter a new one.",
  email_code_wrong: "The code is wrong. Check the newest e-mail, then try again.",
  email_change_gone: "The change of the e-mail address expired or is complete. Start again.",
  email_taken: "Another account uses this address now. Choose another one.",
  last_passkey: "This passkey is the only way to sign in. Set a password or add another passkey first.",
  no_password: "The account has no password.",
  passkey_needed: "Without a passkey, the password can’t be removed. Add a passkey first.",
  name_invalid: "The name is empty or longer than 80 characters. Correct it.",
  time_zone_unknown: "The time zone is unknown. Use an IANA name, such as Europe/Berlin.",
  currency_unknown: "The currency is unknown. Use an ISO 4217 code, such as EUR.",
  sign_in_refused: "E-mail and password don’t match an account. Check both, then try again.",
  proof_too_old:
    "The last sign-in or confirmation is older than 5 minutes. Confirm with passkey or password, then try again.",
  password_refused: "The password is wrong. Check it and try again.",
  passkey_refused:
    "The passkey isn’t registered for this account, or its signature is invalid. Try another passkey or the password.",
  passkey_challenge_gone: "The passkey challenge has expired or was already used. Start again.",
  passkey_not_made: "The browser didn’t create a valid passkey. Try another device or password manager.",
  passkey_known: "This passkey is already registered. Use another one.",
  passkey_not_found: "This passkey wasn’t found. It may have been removed.",
  too_many_passkeys: "An account can have at most ten passkeys. Remove one first.",
  no_passkey: "The account has no passkey. Confirm with the password.",
  approval_unknown:
    "The connection to the database was lost while the approval was saved. Read the payment to see whether it was approved.",
  approval_approved: "The payment was already approved and can’t be declined. See Activity.",
  approval_declined: "The payment was already declined. Nothing was charged.",
  approval_expired: "The approval expired after 15 minutes. Nothing was charged.",
  approval_withdrawn: "Before approval, the payment was canceled or its mandate was revoked. Nothing was charged.",
  payment_method_removed: "The payment method of this payment was removed. Decline the payment.",
  mandate_not_active: "The mandate is suspended or has ended. If it is suspended, resume it, then approve the payment.",
  session_not_found: "This session wasn’t found. It may have ended.",
};

const credentials: Meanings = {
  unknown_mandate: "The access token doesn’t include this mandate. Check the ID and the token.",
  unknown_status_list: "This status list wasn’t found. Use the URL from the credential.",
  status_list_unavailable:
    "The status list isn’t available at the moment. Wait for the time in Retry-After, then try again.",
};

const status: Meanings = {
  component_not_found: "This component wasn’t found. /status/v1/summary lists all components.",
  already_subscribed: "This address is already subscribed. Each update has a link to manage the subscription.",
  webhook_not_reached:
    "The webhook didn’t respond to the test event with a status from 200 to 299. Correct the webhook, then try again.",
  confirmation_expired:
    "The confirmation link was already used or is older than 24 hours. Subscribe again to get a new one.",
  subscription_not_found: "This subscription wasn’t found. It may have ended.",
};

export const problemGroups: readonly { title: string; text: string; meanings: Meanings }[] = [
  { title: "Requests", text: "Any operation can return most of these.", meanings: requests },
  { title: "Access tokens", text: "The WWW-Authenticate header reports the same error.", meanings: tokens },
  { title: "Charges", text: "Returned by operations on charges, refunds and disputes.", meanings: charges },
  { title: "Failed payments", text: "Returned with status 402. Nothing was charged.", meanings: payments },
  {
    title: "Mandate reasons",
    text: "Returned in `reasons`, if a mandate doesn’t allow a payment or its state doesn’t allow a change.",
    meanings: reasons,
  },
  {
    title: "Credential reasons",
    text: "Returned in `reasons`, if a presentation or mandate token is not accepted.",
    meanings: credentialReasons,
  },
  {
    title: "Mandate changes",
    text: "Returned when a mandate is suspended, resumed, narrowed or revoked.",
    meanings: changes,
  },
  {
    title: "Webhooks and budget alerts",
    text: "Returned when webhook endpoints, deliveries and budget alerts are managed.",
    meanings: webhooks,
  },
  {
    title: "Credentials and status lists",
    text: "Returned by the credential and status list operations.",
    meanings: credentials,
  },
  { title: "Status page", text: "Returned by the status page.", meanings: status },
  { title: "Directory", text: "Returned by the directory.", meanings: directory },
  { title: "Billing", text: "Returned by the billing engine.", meanings: billingProblems },
  { title: "Sandbox clock", text: "Returned by POST /sandbox/clock.", meanings: sandbox },
  { title: "Consent and wallet", text: "Shown on consent pages and in the wallet.", meanings: pages },
  {
    title: "Accounts and merchants",
    text: "Shown in the wallet, the merchant dashboard and the operator console.",
    meanings: accountProblems,
  },
  { title: "Operator console", text: "Shown in the operator console.", meanings: operatorProblems },
];
