import type { PendingClient } from "../../contract/callers.ts";
import { type AuditEntry, appendAudit } from "../../data/audit/audit.ts";
import type { ClientRow } from "../../data/oauth/clients.ts";
import { consumeAndPush } from "../../data/oauth/consume-and-push.ts";
import { insertPushedRequest, type NewPushedRequest } from "../../data/oauth/pushed-requests.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { assertPresent, checkRules } from "../../kernel/rule.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { hashDated, newSecretUntil } from "../../kernel/time/dated.ts";
import type { PaymentMandateDetails } from "../../mandates/details/payment-mandate.wire.ts";
import {
  checkPayees,
  payeesOf,
  readAuthorizationDetails,
  refuseUnknownPayees,
} from "../../mandates/details/validate-authorization-details.ts";
import { findReplacedGrant } from "../grants/find-replaced-grant.ts";
import { settleWith } from "../grants/settle-with.ts";
import { type ProofReader, proofReader } from "../grants/token-request.ts";
import { checkPushedRequest, pushingClientRules, replacedGrantRules } from "../rules/requests/authorization-request.ts";
import { parseScope, resolveScopes } from "../rules/scopes.ts";
import { pushedKeyRules } from "../rules/tokens/dpop.ts";
import { requestUriPrefix, requestUriSeconds } from "../rules/tokens/tokens.ts";
import type { VerifiedProof } from "../tokens/verify-dpop-proof.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

type Input = {
  info: RequestInfo;
  pending: PendingClient;
  form: Readonly<Record<string, string | readonly string[]>>;
  dpopProof: string | null;
};

type Pushed = { requestUri: string; expiresIn: number };
type Prepared = {
  proof: VerifiedProof | null;
  details: readonly PaymentMandateDetails[];
  request: NewPushedRequest;
  entry: AuditEntry;
  answer: Pushed;
};

/**
 * RFC 9126 §2: everything is validated here, so that a payer never sees a request that can't succeed.
 * One statement consumes the assertion, looks up the payees, and inserts the request and its audit entry.
 * @returns a single-use request_uri, valid for `expiresIn` seconds.
 * @throws OAuthError with the codes of RFC 9126 §2.3, RFC 9396 §5, RFC 9449 §10.
 */
export const pushRequest = (deps: Deps, input: Input): Promise<Pushed> => {
  const { sql } = deps.db;
  const readProof = proofReader(deps, input.dpopProof, "/oauth/par");
  return settleWith(deps, input.pending, {
    prepare: (client) => prepare(deps, { ...input, client, readProof }),
    async consumeAndWrite({ proof, details, request, entry }: Prepared, assertion) {
      await proof?.consume();
      return consumeAndPush(sql, { ...assertion, request, entry, merchantIds: payeesOf(details) });
    },
    toAnswer({ details, answer }, { unknownMerchantIds }) {
      refuseUnknownPayees(details, (id) => unknownMerchantIds.includes(id));
      return answer;
    },
    async write({ proof, details, request, entry, answer }) {
      await checkPayees(deps, details);
      await proof?.consume();
      await deps.db.sqlTransaction(async (one) => {
        await insertPushedRequest(one, request);
        await appendAudit(one, entry);
      });
      return answer;
    },
  });
};

type Preparing = Omit<Input, "pending"> & { client: ClientRow; readProof: ProofReader };

const prepare = async (deps: Deps, { client, form, info, readProof }: Preparing): Promise<Prepared> => {
  checkRules(pushingClientRules, client);
  const pushed = checkPushedRequest(form, client);
  const { scopes } = resolveScopes({
    scopes: parseScope(pushed.scope),
    registered: client.scopes,
    kind: client.kind,
    grantType: "authorization_code",
    requestedResources: pushed.resources,
    urls: deps.config,
  });
  // A proof binds the code. It is optional here: the token request needs one (RFC 9449 §10).
  const proof = await readProof({ dpopBound: false });
  const dpopJkt = boundKey(proof, pushed.dpopJkt);
  const { replacesGrantId } = pushed;
  const replaceable =
    replacesGrantId === null ? null : await getReplacedMandates(deps, { grantId: replacesGrantId, client });
  const details = readAuthorizationDetails(deps, {
    raw: pushed.authorizationDetails,
    replaceable,
    at: await deps.businessClock.now(),
  });
  const { redirectUri, codeChallenge, state, maxAgeSeconds, acrValues } = pushed;
  const request: AuthorizationRequest = {
    redirectUri,
    codeChallenge,
    state,
    dpopJkt,
    maxAgeSeconds,
    acrValues,
    replacesGrantId,
    scopes: [...scopes],
    details,
    mandateIds: details.map(({ identifier }) => identifier ?? newId("mdt")),
  };
  return { proof, details, ...toRecords(deps, { request, clientId: client.id, requestId: info.requestId }) };
};

/** The row and the audit entry to insert, and the answer with the only copy of the request_uri. */
const toRecords = (
  deps: Deps,
  { request, clientId, requestId }: { request: AuthorizationRequest; clientId: string; requestId: string },
): Pick<Prepared, "request" | "entry" | "answer"> => {
  const { mandateIds, replacesGrantId } = request;
  const now = deps.clock.now();
  const expiresAt = addSeconds(now, requestUriSeconds);
  const secret = newSecretUntil(expiresAt);
  return {
    request: {
      requestUriHash: hashDated(secret),
      handle: newSecretUntil(expiresAt),
      clientId,
      request,
      createdAt: now,
      expiresAt,
    },
    entry: {
      at: now,
      actor: { kind: "client", id: clientId },
      action: "authorization_request.pushed",
      subjectId: mandateIds[0] ?? "-",
      requestId,
      data: { mandate_ids: mandateIds, ...(replacesGrantId === null ? {} : { grant_id: replacesGrantId }) },
    },
    answer: { requestUri: requestUriPrefix + secret, expiresIn: requestUriSeconds },
  };
};

/**
 * @throws OAuthError invalid_grant_id: the same answer for an unknown grant, another client's grant and an ended grant
 *   (Grant Management §5.4).
 */
const getReplacedMandates = async (deps: Deps, input: { grantId: string; client: ClientRow }) => {
  const grant = await findReplacedGrant(deps, { grantId: input.grantId, clientId: input.client.id });
  checkRules(replacedGrantRules, { isOwnAndLive: grant?.hasEnded === false });
  return assertPresent(grant).mandates.map(({ details }) => details);
};

/** RFC 9449 §10.1: a proof and `dpop_jkt` each bind the code, and must agree. */
const boundKey = (proof: VerifiedProof | null, dpopJkt: string | null): string | null => {
  const jkt = proof?.jkt ?? dpopJkt;
  checkRules(pushedKeyRules, { boundTo: dpopJkt, jkt });
  return jkt;
};
