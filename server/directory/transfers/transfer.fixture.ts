import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { addVerifiedDomain } from "#e2e/support/oauth/software-statement.ts";
import type { TestDeps } from "#e2e/support/test-deps.ts";
import { findParticipantOfMerchant } from "../../data/directory/participant-changes.ts";
import { findParticipantDomains } from "../../data/directory/participant-domains.ts";
import { isDomainError, isOAuthError } from "../../kernel/errors.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import { createInitialAccessToken } from "../../oauth/initial-tokens/create-initial-access-token.ts";
import { registerOwnClient } from "../../oauth/own-clients/register-own-client.ts";
import { serverEntry } from "../../oauth/server-entry.ts";
import { enrolMerchant } from "../participants/enrol-participant.ts";
import { getParticipant, listParticipantHistory } from "../participants/find-participant.ts";
import { acceptTransfer } from "./accept-transfer.ts";
import { endOffer } from "./end-offer.ts";
import { offerTransfer } from "./offer-transfer.ts";

const requestId = "req_test";
const info = { requestId, ipAddress: "", userAgent: "" };
const operator = { actor: { kind: "operator", id: "acc_test" }, requestId } as const;

/** "done", or the code of the refusal. Other errors are thrown. */
export const outcomeOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => "done",
    (error: unknown) => {
      if (isDomainError(error)) return error.code;
      if (isOAuthError(error)) return error.code;
      throw error;
    },
  );

/** A merchant with an owner, and what its owner can do. @param isEnrolled whether it has an entry */
export const makeSide = async (deps: TestDeps, { isEnrolled = true } = {}) => {
  const { id: merchantId } = await makeMerchant(deps);
  const { id: accountId } = await makePayer(deps);
  const createdAt = deps.clock.now();
  await deps.db.prisma.merchantMember.create({ data: { merchantId, accountId, role: "owner", createdAt } });
  const { environment } = deps.config;
  const enrolled = { merchantId, changedBy: "operator", environment, at: createdAt } as const;
  if (isEnrolled) await deps.db.sqlTransaction((sql) => enrolMerchant(sql, enrolled));
  const by = { merchantId, actor: { kind: "merchant", id: accountId }, requestId } as const;
  const entryId = async () => (await findParticipantOfMerchant(deps.db.sql, merchantId)) ?? "";
  return {
    merchantId,
    accountId,
    member: { accountId, merchantId },
    entryId,
    offerTo: async (toMerchantId: string) => (await offerTransfer(deps, { ...by, toMerchantId })).transferId,
    accept: (transferId: string) => acceptTransfer(deps, { ...by, transferId }),
    cancel: (transferId: string) => endOffer(deps, { ...by, transferId, outcome: "cancelled" }),
    decline: (transferId: string) => endOffer(deps, { ...by, transferId, outcome: "declined" }),
    registerApp: async () => {
      const { publicJwk } = await makeKey();
      const app = { name: "Back office", scopes: ["directory.write"], jwk: publicJwk };
      return (await registerOwnClient(deps, { ...by, ...app })).clientId;
    },
    newToken: async () => (await createInitialAccessToken(deps, { kind: "merchant", merchantId, ...operator })).token,
    verify: async (domain: string) => addVerifiedDomain(deps, { participantId: await entryId(), domain }),
  };
};

export type Side = Awaited<ReturnType<typeof makeSide>>;

/** Registers an agent with an initial access token. @returns its client id */
export const registerAgent = async (deps: TestDeps, token: string): Promise<string> => {
  const metadata = {
    client_name: "Grocer Bot",
    grant_types: ["client_credentials"],
    scope: "directory.write",
    jwks: { keys: [(await makeKey()).publicJwk] },
  };
  return (await registerClient(deps, { metadata, authorization: `Bearer ${token}`, info })).client_id;
};

export const readEntry = (deps: TestDeps, id: string) => getParticipant(deps, { id, server: () => serverEntry(deps) });

export const historyOf = async (deps: TestDeps, id: string) =>
  (await listParticipantHistory(deps, { id, before: null, limit: 100 })).versions;

export const domainsOf = (deps: TestDeps, id: string) => findParticipantDomains(deps.db.sql, id);

export const entryOfClient = async (deps: TestDeps, id: string) =>
  (await deps.db.prisma.client.findUniqueOrThrow({ where: { id } })).participantId;

export const auditOf = (deps: TestDeps, merchantId: string) =>
  deps.db.prisma.$queryRaw<{ action: string; actorId: string; subjectId: string }[]>`
    SELECT action, actor_id AS "actorId", subject_id AS "subjectId" FROM audit_entry
     WHERE data ->> 'merchant_id' = ${merchantId} AND action LIKE 'participant.transfer%' ORDER BY seq`;

export const mailsTo = async (deps: TestDeps, accountId: string) => {
  const { email } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  const rows = await deps.db.prisma.mail.findMany({ where: { recipient: email }, orderBy: { createdAt: "asc" } });
  return rows.map(({ subject }) => subject.replace("[Sandbox] ", ""));
};
