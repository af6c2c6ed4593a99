import type { CredentialReasonCode } from "#server/credentials/rules/credential-rule.ts";
import type { ReasonCode } from "#server/mandates/rules/limits.ts";
import type { MandateState, RefusedTransition } from "#server/mandates/rules/transitions.ts";

/** Code of a problem (the last part of its `type`) to one sentence: what it means and what to do. */
type Meanings<Code extends string = string> = Readonly<Record<Code, string>>;

const requests: Meanings = {
  invalid_request: "The request is malformed; correct the fields that errors names, then send it again.",
  body_too_large: "The body is larger than the address takes, which is 64 KiB for most; send less, as detail says.",
  headers_too_large: "The headers are larger than 48 KiB; send fewer or shorter ones.",
  request_timeout: "The request did not come to its end in time; send it again, faster.",
  unsupported_media_type:
    "The body has another content type than this address reads, or is compressed; send it as detail says.",
  not_acceptable: "None of the types in Accept can be answered here; ask for one that detail names.",
  not_found: "Nothing answers at this address; check the path.",
  method_not_allowed: "The address answers other methods; use one that the Allow header names.",
  cross_origin: "The request came from a page of another site; send it from the page that it belongs to.",
  too_many_requests:
    "More was sent than RateLimit-Policy allows; wait as long as Retry-After says, then send it again.",
  too_many_waiting:
    "As many of your payments wait for this mandate’s payer as may at once; try again once one was answered or has lapsed, at Retry-After.",
  too_many_attempts: "Too much was tried in a short time; wait as long as Retry-After says, then try again.",
  temporarily_unavailable: "The service can’t work right now; repeat the request after the time in Retry-After.",
  production_unreachable: "The sandbox can’t read production’s keys right now; try again in a moment.",
  server_error: "Something failed on our side; try again, and tell us the X-Request-Id if it stays.",
};

const tokens: Meanings = {
  invalid_token: "The access token is missing, expired, revoked or meant for another use; get a new one.",
  insufficient_scope: "The access token lacks the scope for this; ask for one with it.",
  insufficient_user_authentication:
    "The payer proved who they are too long ago; ask them anew, with the max_age of WWW-Authenticate.",
  invalid_dpop_proof: "The DPoP proof is missing or doesn’t fit the request; make a new one for this very request.",
  use_dpop_nonce: "The DPoP proof needs the nonce of the DPoP-Nonce header; repeat the request with it.",
  invalid_scope: "A scope is unknown or isn’t for this kind of client; ask for others.",
};

const charges: Meanings = {
  refused_by_mandate: "The payer’s mandate doesn’t allow this payment; reasons says why, and nothing was charged.",
  mandate_not_found: "There is no such mandate for this caller; check the id and who it was granted to.",
  merchant_suspended:
    "The merchant may make no new charges for now; what it charged before can be captured, voided and refunded.",
  charge_not_found: "There is no such charge of this merchant; check the id.",
  refund_not_found: "There is no such refund of this merchant, or of this charge; check the id.",
  dispute_not_found: "There is no such dispute of this merchant; check the id.",
  charge_not_authorized:
    "Only what is authorized can be captured, and only that or what waits for the payer voided; read the charge.",
  charge_in_use: "Another capture or void of this charge is being worked on; try again in a moment.",
  charge_not_refundable: "There is nothing to give back as the charge stands; read it to see how that is.",
  exceeds_captured: "Refunds together can’t be above what was captured; send a smaller amount, or none for the rest.",
  exceeds_authorized: "More can’t be captured than was authorized; send a smaller amount, or none for all of it.",
  idempotency_key_reused: "The Idempotency-Key was used with another body; use a new key for a new charge.",
  idempotency_key_in_use: "A request with this Idempotency-Key is still being worked on; repeat it in a moment.",
  invalid_webhook_signature: "The webhook’s signature is missing, wrong or too old; sign the body as it is sent.",
  processor_unavailable: "The payment processor is out of reach and nothing was submitted; it is safe to try again.",
};

/** Also told by the operator's command. */
const webhooks: Meanings = {
  too_many_endpoints: "A merchant has at most ten webhook endpoints; delete one first.",
  endpoint_off: "The webhook endpoint is switched off; switch it on, then replay.",
};

/** Codes of 402: the payment was made up or sent, and no money moved. */
const payments: Meanings = {
  card_declined: "The processor declined the payment; decline_code says why, and advice what to do.",
  processor_refused: "The processor refused and did nothing; decline_code says why. Read the charge as it stands.",
  declined_by_payer: "The payer declined the payment; ask them before you try again.",
  not_submitted: "The payment never reached the processor; it is safe to try again with a new charge.",
  voided: "The charge was cancelled before any money moved; make a new one if it is still wanted.",
  expired: "The charge lapsed before any money moved; make a new one if it is still wanted.",
};

const reasons: Meanings<ReasonCode> = {
  mandate_pending: "The payer hasn’t approved the mandate yet; wait for the answer.",
  mandate_suspended: "The mandate is paused or has no payment method; the payer can resume it.",
  mandate_revoked: "The mandate was stopped or declined; ask the payer for a new one.",
  mandate_expired: "The mandate has reached its end; ask the payer for a new one.",
  mandate_consumed: "The mandate is used up; ask the payer for a new one.",
  amount_exceeds_per_payment: "The amount is above the limit for a single payment; charge less.",
  period_limit_exceeded: "The amount doesn’t fit what is left of the period; charge less or wait for the next one.",
  total_limit_exceeded: "The amount doesn’t fit what is left in total; charge less or ask for a new mandate.",
  count_limit_exceeded: "No more payments are allowed, in this period or in total; wait or ask for a new mandate.",
  currency_mismatch: "The mandate is in another currency; charge in that one.",
  payee_not_allowed: "The mandate names other merchants; ask the payer for one that names you.",
  category_not_allowed: "The mandate is for other kinds of merchants; ask the payer for one that fits.",
  outside_validity_window: "The mandate doesn’t run yet; charge once it has begun.",
  presence_not_allowed: "The mandate doesn’t allow payments with this payer_presence; ask the payer for one that does.",
  action_not_allowed: "The mandate doesn’t allow this act; ask the payer for one that does.",
};

/** Of what was presented to use a mandate, not of the mandate. */
const credentialReasons: Meanings<CredentialReasonCode> = {
  invalid_signature: "A signature doesn’t hold, or what was presented is malformed; ask the agent for it again.",
  untrusted_issuer: "It was issued by somebody else; ask the agent for one that was issued here.",
  credential_expired: "It has ended, or was signed too long ago; ask the agent for a fresh one.",
  credential_superseded: "The mandate has changed since; the agent fetches its new credential and presents that.",
  wrong_environment: "It is of the other environment: sandbox and production know nothing of each other.",
  audience_mismatch: "It was made for another merchant or another request; ask the agent for one that names yours.",
  nonce_mismatch: "It doesn’t carry your nonce, or a proof’s nonce is stale; hand the agent a fresh one to sign.",
  presentation_mismatch:
    "It was signed for a smaller amount, another currency or other contents; ask for a fitting one.",
  replayed: "A charge was made with it before; the agent signs a fresh one for each charge.",
  key_binding_missing: "Nothing shows that its holder presents it; ask the agent to sign a key binding or a proof.",
};

type Unmoved = Exclude<RefusedTransition, "not_allowed"> | `mandate_${Exclude<MandateState, ReasonState>}`;
type ReasonState = "pending" | "suspended" | "revoked" | "expired" | "consumed";

const changes: Meanings<Unmoved> & Meanings = {
  mandate_active: "The mandate is active, so there is nothing to resume.",
  mandate_rejected: "The payer declined the mandate; ask for a new one.",
  already_suspended: "The mandate is paused already; nothing needs to be done.",
  not_suspended_by_you: "Somebody else paused the mandate; only they can resume it.",
  not_narrower:
    "A mandate can only be made narrower; give less than errors names, or an end that is earlier and to come.",
  unknown_limit: "The mandate has no such limit; read it again.",
  malformed_limit:
    "A limit isn’t one amount in the mandate’s currency, or isn’t a date; correct the field that errors names.",
};

const sandbox: Meanings = {
  operator_required:
    "Only operators move the sandbox’s clock; sign in as one, or ask from the machine that it runs on.",
  clock_not_forward: "The sandbox’s clock only goes forward; name a time after the one that GET /sandbox/clock tells.",
  clock_too_far: "The sandbox’s clock can be ten years ahead at most; name an earlier time.",
  clock_in_use: "Somebody else is moving the sandbox’s clock; try again once that is done.",
  clock_work_unfinished:
    "The sandbox’s clock is where you put it, but something that expired waits for a processor; it is tried again by itself.",
};

const directory: Meanings = {
  participant_not_found:
    "There is no such participant; find it by GET /directory/v1/participants?q=, which takes a client’s id.",
  not_own_participant: "The entry is another participant’s; use a client of that one.",
  participant_suspended: "The participant is suspended; nothing of its entry can be changed until that is lifted.",
  participant_withdrawn:
    "The participant has withdrawn; list it again by PUT without withdrawn, then repeat the request.",
  participant_not_verified: "The participant has proved no domain yet; claim one and have it verified first.",
  precondition_required: "The request needs If-Match; read the entry and send its ETag with the edit.",
  precondition_failed: "The entry has changed since it was read; read it again, then edit what it says now.",
  too_many_domains: "A participant has at most twenty domains; give up one first.",
  domain_not_claimed: "The participant hasn’t claimed this domain; claim it first.",
  domain_not_proved: "The domain doesn’t show what the claim told to publish; detail says what is missing there.",
  too_many_tokens: "A participant has at most twenty initial access tokens in use; revoke one first.",
};

const pages: Meanings = {
  request_unknown: "The agent’s request is unknown, has expired or was answered; start again at the agent.",
  request_not_pushed:
    "The authorization request wasn’t pushed (RFC 9126); send it to POST /oauth/par and open /oauth/authorize with the request_uri from the answer.",
  consent_gone: "The consent page’s request has expired or was answered; start again at the agent.",
  consent_stale: "The consent page is no longer valid; load it again and decide there.",
  payment_method_required: "A mandate needs a payment method; choose one of yours.",
  sign_in_refused: "E-mail and password don’t match an account; check both.",
  proof_too_old:
    "Who is there was last proved over 5 minutes ago; confirm it by passkey or password, then do it again.",
  password_refused: "That isn’t the account’s password; check it.",
  passkey_refused: "The passkey was removed, is another account’s, or didn’t sign what was asked; try another way.",
  passkey_challenge_gone: "What the passkey was asked to sign is over 5 minutes old, or was used; begin again.",
  passkey_not_made: "What the browser made isn’t a passkey for this wallet; try another device or password manager.",
  passkey_known: "That passkey has been added already; make another one.",
  passkey_not_found: "There is no such passkey of yours; it may have been removed already.",
  too_many_passkeys: "An account has at most ten passkeys; remove one first.",
  no_passkey: "The account has no passkey; confirm by the password.",
  approval_approved: "The payment was approved already, so it can’t be declined any more; see it under Activity.",
  approval_declined: "The payment was declined already; nothing was charged.",
  approval_expired: "The 15 minutes for an approval are over; nothing was charged.",
  approval_withdrawn:
    "The payment was called off, or its mandate stopped, before it was approved; nothing was charged.",
  payment_method_removed: "The payment method that the payment was asked for on was removed; decline the payment.",
  mandate_not_active: "The mandate is paused or has ended; resume it, then approve the payment.",
  session_not_found: "There is no such session of yours; it may have ended already.",
};

const credentials: Meanings = {
  unknown_mandate: "The access token holds no such mandate; check the id and the token.",
  unknown_status_list: "There is no such status list; take the address from the credential.",
  status_list_unavailable: "The status list isn’t published yet; repeat the request after the time in Retry-After.",
};

const status: Meanings = {
  component_not_found: "There is no such component; take its key from /status/v1/summary.",
  already_subscribed: "Updates go to this address already; each of them says where its subscription is managed.",
  webhook_not_reached:
    "The address must answer our test event with a status from 200 to 299; make it do so, then try again.",
  confirmation_expired: "The confirmation was used, or is older than 24 hours; subscribe again to get a new one.",
  subscription_not_found: "There is no such subscription; it may have ended already.",
};

const operators: Meanings = {
  charge_not_handed_over: "The charge has its outcome, or is still being looked up; read it as it stands.",
  mail_not_found: "There is no such mail; it leaves after 30 days.",
  mail_useless: "Sending the mail again is of no use: what it tells of is over, or it has no address.",
  incident_not_found: "There is no such incident; check the id.",
  incident_draft: "Nobody has confirmed the incident yet; confirm or dismiss it first.",
  incident_public: "The incident is public already; what was told is never unsaid, so resolve it instead.",
  incident_resolved: "The incident is resolved and takes no new state; open a new one if it comes back.",
  incident_dismissed: "The draft was dismissed; open an incident if it was one after all.",
  maintenance_not_found: "There is no such maintenance; check the id.",
  maintenance_scheduled: "The maintenance hasn’t begun; start it first, or cancel it.",
  maintenance_in_progress: "The maintenance has begun; complete it. What began can’t be cancelled.",
  maintenance_completed: "The maintenance is over and takes nothing more.",
  reset_by_schedule:
    "The sandbox resets itself by its schedule; set SANDBOX_RESET otherwise, and the announcement follows.",
  maintenance_cancelled: "The maintenance was cancelled and takes nothing more; announce another.",
  action_not_found: "There is no such action of the postmortem; load the page again.",
  postmortem_too_early: "The incident isn’t resolved; resolve it, then write its postmortem.",
  postmortem_changed: "Somebody else has saved the postmortem since; load the page again and add your text.",
  postmortem_incomplete:
    "A published postmortem has a summary, a timeline, causes and an action; write those that errors names.",
  job_run_not_found: "There is no such run; it leaves a week after its end.",
  job_not_retried: "This job empties the sandbox, which is announced first; it comes again on its schedule.",
  job_busy: "The job’s next run is queued or at work already; look again in a minute.",
  update_id_taken: "Another incident or maintenance was told this update; load the page again and tell it anew.",
};

export const problemGroups: readonly { title: string; text: string; meanings: Meanings }[] = [
  { title: "Requests", text: "Any address may answer with these.", meanings: requests },
  { title: "Access tokens", text: "WWW-Authenticate says the same in the form of OAuth.", meanings: tokens },
  { title: "Charges", text: "From checking, charging and listing.", meanings: charges },
  { title: "Payments that failed", text: "With status 402: nothing was charged.", meanings: payments },
  {
    title: "Reasons of a mandate",
    text: "In reasons, where a mandate doesn’t allow a payment, or where its state doesn’t allow a change.",
    meanings: reasons,
  },
  {
    title: "What was presented",
    text: "In reasons, where a presentation or a mandate token gives no right to use a mandate.",
    meanings: credentialReasons,
  },
  { title: "Changes of a mandate", text: "From pausing, resuming, narrowing and stopping.", meanings: changes },
  { title: "Webhooks", text: "From endpoints and their deliveries.", meanings: webhooks },
  { title: "Credentials and status lists", text: "From addresses that credentials lead to.", meanings: credentials },
  { title: "Status page", text: "From addresses of the status page.", meanings: status },
  { title: "Directory", text: "From addresses of the discovery directory.", meanings: directory },
  { title: "The sandbox’s clock", text: "From POST /sandbox/clock.", meanings: sandbox },
  { title: "Consent and wallet", text: "Said to payers, on pages.", meanings: pages },
  { title: "Operator console", text: "Said to operators, on pages.", meanings: operators },
];
