import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { makeAgentClient, makeGrant, makeMerchant, makeMerchantClient, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import {
  actionsBeforeSecondFactor,
  type MerchantAction,
  merchantActions,
  type OperatorAction,
  type OperatorRole,
  operatorActions,
  operatorRoles,
  riskyActions,
  riskyOperatorActions,
} from "../accounts/authorize.ts";
import type { SessionContext } from "../accounts/sessions/find-session.ts";
import { openSession, passwordAcr } from "../accounts/sessions/sessions.ts";
import { requestCharge } from "../charges/charge/answers.fixture.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { announceCharge } from "../charges/notices/announce-charge.ts";
import { insertCardSetup } from "../data/accounts/card-setups.ts";
import { insertContradiction } from "../data/charges/contradictions.ts";
import { isDomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { activateMandates } from "../mandates/lifecycle/activate-mandates.ts";
import { getMerchant } from "../merchants/get-merchant.ts";
import { createInitialAccessToken } from "../oauth/initial-tokens/create-initial-access-token.ts";
import { queueMail } from "../platform/mail/queue-mail.ts";
import { createOutbound } from "../platform/outbound/outbound.ts";
import { callerOf, sameOrigin, sessionContextOf, storeSession } from "./caller.fixture.ts";
import { contextOf } from "./context.ts";
import { issueText } from "./issue-text.ts";
import {
  type MerchantTenant,
  makeCharges,
  makeMember,
  makeMerchantTenant,
  memberInputs,
} from "./merchant/merchant-tenant.fixture.ts";
import { makeBillingObjects, noBillingObjects } from "./operator/operator-billing.fixture.ts";
import {
  makeStatusObjects,
  noStatusObjects,
  type OperatorObjects,
  operatorInputs,
  operatorsById,
} from "./operator/operator-inputs.fixture.ts";
import { appRouter, createCaller } from "./root.ts";

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
/** The objects of a payer, and of a merchant that the payer owns. */
type PayerObjects = Record<
  | "payerId"
  | "mandateId"
  | "sessionId"
  | "passkeyId"
  | "chargeId"
  | "declinedId"
  | "setupId"
  | "noticeId"
  | "paymentMethodId",
  string
>;
let own: PayerObjects & MerchantTenant & OperatorObjects;
let foreign: typeof own;

const info = { requestId: "req_test", ipAddress: "127.0.0.1", userAgent: "Vitest" };

const makeTenant = async (): Promise<typeof own> => {
  const payer = await makePayer(deps);
  const client = await makeAgentClient(deps);
  const merchant = await makeMerchant(deps);
  const grant = await makeGrant(deps, { clientId: client.id, payerId: payer.id });
  const now = deps.clock.now();
  const mandateId = newId("mdt");
  await deps.db.transaction((tx) =>
    activateMandates(deps, tx, {
      requestId: info.requestId,
      grantId: grant.id,
      clientId: client.id,
      payerId: payer.id,
      now,
      budgetVisible: false,
      paymentMethodId: payer.paymentMethodId,
      details: [
        {
          type: "payment_mandate_v1",
          actions: ["verify", "charge"],
          currency: "EUR",
          max_amount_per_payment: 1000,
          payees: [{ id: merchant.id }],
          step_up_above: 100,
        },
      ],
      mandateIds: [mandateId],
    }),
  );
  const { sessionId } = await deps.db.transaction((tx) =>
    openSession(tx, { accountId: payer.id, acr: passwordAcr, info, now }),
  );
  const passkeyId = newId("psk");
  const passkey = {
    credentialId: newId("psk"),
    publicKey: new Uint8Array(1),
    counter: 0n,
    name: "x",
    isBackedUp: true,
  };
  await deps.db.prisma.passkey.create({ data: { ...passkey, id: passkeyId, accountId: payer.id, createdAt: now } });
  const setupId = newId("cst");
  await insertCardSetup(deps.db.sql, {
    id: setupId,
    payerId: payer.id,
    processor: "simulator",
    setupRef: setupId,
    createdAt: now,
    expiresAt: now,
    nextLookupAt: now,
  });
  const { id: clientId } = await makeMerchantClient(deps, merchant.id);
  const makeCharge = async (amount: number) => {
    const request = { mandate_id: mandateId, amount, currency: "EUR", payer_presence: "in_session" } as const;
    const caller = { merchantId: merchant.id, clientId, requestId: info.requestId, idempotencyKey: newId("req") };
    return (await requestCharge(deps, { ...caller, request })).chargeId;
  };
  const [chargeId, declinedId] = [await makeCharge(101), await makeCharge(101)];
  const { notice } = await announceCharge(deps, {
    merchantId: merchant.id,
    clientId,
    requestId: info.requestId,
    idempotencyKey: newId("req"),
    request: { mandate_id: mandateId, amount: 100, currency: "EUR", due_at: addSeconds(now, 90_000).toISOString() },
  });
  const stuckId = await makeStuck(() => makeCharge(100));
  const tenant = await makeMerchantTenant(deps, await makeCharges(deps));
  const membership = { merchantId: tenant.merchantId, accountId: payer.id, role: "owner" as const };
  await deps.db.prisma.merchantMember.create({ data: { ...membership, createdAt: now } });
  const mailId = await queueMail(deps, deps.db.sql, {
    content: {
      kind: "webhook_endpoint_off",
      endpointId: tenant.endpointId,
      url: "https://shop.example",
      reason: "failing",
      docsUrl: "https://pay.test/docs/webhooks",
    },
    recipient: "owner@example.test",
    requestId: info.requestId,
  });
  const agentToken = { kind: "agent", merchantId: null, requestId: info.requestId } as const;
  const actor = { kind: "system", id: "test" } as const;
  const { id: agentTokenId } = await createInitialAccessToken(deps, { ...agentToken, actor });
  const contradictionId = newId("ctr");
  const contradiction = { about: "payment", processorRef: "pi_late", reported: "succeeded", amount: 100n } as const;
  await insertContradiction(deps.db.sql, { ...contradiction, id: contradictionId, chargeId: stuckId, raisedAt: now });
  return {
    payerId: payer.id,
    mandateId,
    sessionId,
    passkeyId,
    setupId,
    noticeId: notice.id,
    paymentMethodId: payer.paymentMethodId,
    chargeId,
    declinedId,
    mailId,
    stuckId,
    contradictionId,
    agentTokenId,
    ...(await makePending()),
    endingClientId: (await makeAgentClient(deps)).id,
    grantedId: (await makeChargeableMandate(deps)).mandateId,
    ...(await makeColleague()),
    ...tenant,
    ...(await makeStatusObjects(deps)),
    ...(await makeBillingObjects(deps)),
  };
};

/** A merchant that is waiting for approval. */
const makePending = async () => {
  const { id } = await makeMerchant(deps);
  await deps.db.prisma.merchant.update({ where: { id }, data: { review: "pending" } });
  const { version } = await getMerchant(deps, { merchantId: id });
  return { pendingMerchantId: id, pendingVersion: version };
};

const makeColleague = async () => {
  const { id } = await makePayer(deps);
  const data = { isOperator: true, operatorRole: "viewer" as const };
  const { email } = await deps.db.prisma.account.update({ where: { id }, data });
  return { colleagueId: id, colleagueEmail: email };
};

/** A charge that needs review by an operator. */
const makeStuck = async (makeCharge: () => Promise<string>): Promise<string> => {
  const { pay } = bank.state;
  bank.state.pay = async () => ({ kind: "unknown" });
  const id = await makeCharge();
  bank.state.pay = pay;
  await deps.db.prisma.charge.updateMany({ where: { id }, data: { nextLookupAt: null } });
  return id;
};

const sessionOf = (accountId: string, operatorRole: OperatorRole | null = null) =>
  sessionContextOf(deps, accountId, operatorRole);

const nonsense = {
  mandateId: { $gt: "" },
  sessionId: 7,
  passkeyId: null,
  chargeId: [],
  merchantId: ["mch"],
  endpointId: null,
  deliveryId: { id: 1 },
  tokenId: 1,
  statementId: 1,
  clientId: ["cl"],
  requestId: 1,
  setupId: 1,
  paymentMethodId: false,
  noticeId: 1,
};

const newMerchant = {
  key: "0123456789abcdef",
  legalName: "Corner Bakery Ltd",
  displayName: "Corner Bakery",
  country: "GB",
  websiteUri: "bakery.example",
  mcc: "5462",
  currency: "GBP",
  timeZone: "Europe/London",
};

/** The input of each procedure for a tenant. A procedure without an entry fails the tests. */
const inputs: Readonly<Record<string, (tenant: typeof own) => unknown>> = {
  ...memberInputs,
  ...operatorInputs,
  "auth.me": () => undefined,
  "auth.sessions": () => undefined,
  "auth.confirmPassword": () => ({ password: "correct horse battery" }),
  "auth.revokeSession": ({ sessionId }) => ({ sessionId }),
  "auth.confirmRecoveryCode": () => ({ code: "0000-0000-0000" }),
  "auth.revokeOtherSessions": () => undefined,
  "security.overview": () => undefined,
  "security.changePassword": () => ({ password: "correct horse battery", endsOthers: false }),
  "security.removePassword": () => undefined,
  "security.createRecoveryCodes": () => undefined,
  "security.signIns": () => ({}),
  "profile.get": () => undefined,
  "profile.update": () => ({ displayName: "Ada", language: "en", timeZone: "Europe/Berlin", currency: "EUR" }),
  "profile.beginEmailChange": () => ({ email: "ada@new.example" }),
  "profile.confirmEmailCode": () => ({ code: "000000" }),
  "profile.cancelEmailChange": () => undefined,
  "passkeys.list": () => undefined,
  "passkeys.beginAdding": () => undefined,
  "passkeys.add": () => ({ attestation: {}, name: "x" }),
  "passkeys.rename": ({ passkeyId }) => ({ passkeyId, name: "Phone" }),
  "passkeys.remove": ({ passkeyId }) => ({ passkeyId }),
  "passkeys.beginConfirming": () => undefined,
  "passkeys.confirm": () => ({ assertion: {} }),
  "merchants.create": () => newMerchant,
  "team.accept": () => ({ token: "unknown" }),
  "wallet.mandates": () => undefined,
  "wallet.overview": () => undefined,
  "wallet.mandateNames": () => undefined,
  "wallet.mandate": ({ mandateId }) => ({ mandateId }),
  "wallet.othersOfClient": ({ mandateId }) => ({ mandateId }),
  "wallet.pause": ({ mandateId }) => ({ mandateId }),
  "wallet.resume": ({ mandateId }) => ({ mandateId }),
  "wallet.narrow": ({ mandateId }) => ({ mandateId, limitKey: "per_payment", capMinor: 1 }),
  "wallet.revokeAll": ({ mandateId }) => ({ mandateId }),
  "wallet.revoke": ({ mandateId }) => ({ mandateId }),
  "wallet.changePaymentMethod": ({ mandateId, paymentMethodId }) => ({ mandateId, paymentMethodId }),
  "wallet.activity": () => ({}),
  "wallet.activityEntries": ({ mandateId }) => ({ mandateId }),
  "wallet.activityChoices": () => undefined,
  "wallet.activityFingerprint": () => undefined,
  "wallet.activityChanges": () => ({ fingerprint: "" }),
  "wallet.charge": ({ chargeId }) => ({ chargeId }),
  "wallet.spend": () => undefined,
  "wallet.notices": () => undefined,
  "wallet.notice": ({ noticeId }) => ({ noticeId }),
  "wallet.approvals": () => undefined,
  "wallet.approval": ({ chargeId }) => ({ chargeId }),
  "wallet.approve": ({ chargeId }) => ({ chargeId }),
  "wallet.decline": ({ declinedId }) => ({ chargeId: declinedId }),
  "wallet.paymentMethods": () => undefined,
  "wallet.addCard": () => undefined,
  "wallet.finishCard": ({ setupId }) => ({ setupId }),
  "connectedApps.list": () => ({ search: "shopping" }),
  "connectedApps.disconnect": () => ({ clientId: "cl_nowhere" }),
  "notifications.list": () => undefined,
  "notifications.choose": () => ({ kind: "limit_near", isOn: false }),
  "privacy.overview": () => undefined,
  "privacy.requestExport": () => undefined,
  "privacy.requestDeletion": () => undefined,
  "privacy.cancelDeletion": () => undefined,
  "wallet.addTestCard": () => ({ card: "visa" }),
  "wallet.setDefaultMethod": ({ paymentMethodId }) => ({ paymentMethodId }),
  "wallet.renameMethod": ({ paymentMethodId }) => ({ paymentMethodId, name: "Household" }),
  "wallet.removeMethod": ({ paymentMethodId }) => ({ paymentMethodId }),
};

const paths = Object.keys(appRouter._def.procedures);

/** @returns the error's code, OK on success */
const call = async (path: string, session: SessionContext | null, input: unknown): Promise<string> =>
  (await attempt(path, { session }, input))?.code ?? "OK";

/** @returns the error, null on success */
const attempt = async (
  path: string,
  { session, headers = sameOrigin }: { session: SessionContext | null; headers?: Headers },
  input: unknown,
): Promise<TRPCError | null> => {
  const caller: unknown = createCaller(contextOf(deps, { headers, session }));
  const [area = "", name = ""] = path.split(".");
  try {
    await Reflect.apply(Reflect.get(Reflect.get(Object(caller), area), name), undefined, [input]);
    return null;
  } catch (error) {
    if (error instanceof TRPCError) return error;
    throw error;
  }
};

/** The result, or the error, as text. */
const outcomeOf = async (path: string, input: unknown): Promise<string> => {
  const caller: unknown = createCaller(contextOf(deps, { headers: sameOrigin, session: sessionOf(own.payerId) }));
  const [area = "", name = ""] = path.split(".");
  try {
    return JSON.stringify(
      await Reflect.apply(Reflect.get(Reflect.get(Object(caller), area), name), undefined, [input]),
    );
  } catch (error) {
    return error instanceof TRPCError ? `${error.code}: ${error.message}` : String(error);
  }
};

const reasonOf = async (path: string, session: SessionContext, input: unknown): Promise<string | null> => {
  const error = await attempt(path, { session }, input);
  return isDomainError(error?.cause) ? error.cause.code : null;
};

const definitionOf = (path: string): { type: string; meta: { action: string }; inputs: readonly z.ZodType[] } =>
  Reflect.get(Object(Reflect.get(appRouter._def.procedures, path)), "_def");

const roles = ["owner", "admin", "developer", "viewer"] as const;

const actionOf = (path: string): MerchantAction => {
  const { action } = definitionOf(path).meta;
  const known = (Object.keys(merchantActions) as MerchantAction[]).find((name) => name === action);
  if (!known) throw new Error(`${action} is not an action of merchant members`);
  return known;
};

const isOperators = (path: string) => path.startsWith("operator");

const operatorActionOf = (path: string): OperatorAction => {
  const { action } = definitionOf(path).meta;
  const known = (Object.keys(operatorActions) as OperatorAction[]).find((name) => name === action);
  if (!known) throw new Error(`${action} is not an action of operators`);
  return known;
};

const isRiskyForOperators = (path: string) =>
  isOperators(path) && riskyOperatorActions.includes(operatorActionOf(path));

const inputOf = (path: string, tenant: typeof own): unknown => {
  const make = inputs[path];
  if (!make) throw new Error(`add an input for ${path}`);
  return make(tenant);
};

/** Procedures that name one object by its id. */
const isOwned = (path: string) => inputOf(path, own) !== undefined && !ofOneself.has(path) && !isOperators(path);

/** The caller's own merchant, and the merchant to which it offers its entry. */
const isAnyMerchant = (name: string): boolean => name === "merchantId" || name === "toMerchantId";

const ofOneself: ReadonlySet<string> = new Set([
  "wallet.activity",
  "wallet.activityEntries",
  "wallet.addTestCard",
  "merchants.create",
  "wallet.activityChanges",
  "connectedApps.list",
  "connectedApps.disconnect",
  "notifications.choose",
  "team.accept",
  "auth.confirmPassword",
  "auth.confirmRecoveryCode",
  "security.changePassword",
  "security.signIns",
  "profile.update",
  "profile.beginEmailChange",
  "profile.confirmEmailCode",
  "passkeys.add",
  "passkeys.confirm",
]);

beforeAll(async () => {
  // Vitest sets BASE_URL to its own base path.
  vi.stubEnv("BASE_URL", "");
  bank = scriptedProcessor();
  deps = await createTestDeps({ processors: bank.processors, outbound: createOutbound({ allowLoopback: true }) });
  [own, foreign] = [await makeTenant(), await makeTenant()];
  const operator = { id: "acc_operator", email: "operator@example.test", displayName: "Ola" };
  const role = { isOperator: true, operatorRole: "admin" as const };
  await deps.db.prisma.account.create({ data: { ...operator, ...role, createdAt: deps.clock.now() } });
  await storeSession(deps);
});
afterAll(() => {
  vi.unstubAllEnvs();
  return deps.close();
});

describe("invalid input (docs/spec/product.md, Invalid requests)", () => {
  const values = [
    undefined,
    null,
    "",
    "x",
    "x".repeat(5_000),
    "\u0000",
    -1,
    1.5,
    1e300,
    Number.NaN,
    [],
    [""],
    {},
    true,
  ];

  it.each(paths)("the errors of %s contain no text of the schema library", (path) => {
    const { inputs } = definitionOf(path);
    const texts = inputs.flatMap((schema) => {
      const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
      return values.flatMap((value) => {
        const input = fields.length === 0 ? value : Object.fromEntries(fields.map((name) => [name, value]));
        return schema.safeParse(input).error?.issues.map(issueText) ?? [];
      });
    });
    expect(texts.filter((text) => /^(?:Invalid|Too|Unrecognized)\b|\b(?:expected|received)\b/.test(text))).toEqual([]);
  });
});

describe("every procedure with every role (docs/spec/portal.md, Access control)", () => {
  it.each(paths)("%s names its action", (path) => {
    expect(definitionOf(path).meta.action).toMatch(/^[a-z_]+\.[a-z_]+$/);
  });

  it.each(paths)("%s requires a visitor to sign in", async (path) => {
    expect(await call(path, null, inputOf(path, own))).toBe("UNAUTHORIZED");
  });

  it.each(paths)("%s gives the same answer for another tenant's id as for an unknown id", async (path) => {
    if (!isOwned(path)) return;
    const nowhere = {
      ...foreign,
      mandateId: "mdt_nowhere",
      sessionId: "ses_nowhere",
      passkeyId: "psk_nowhere",
      chargeId: "chg_nowhere",
      declinedId: "chg_nowhere",
      setupId: "cst_nowhere",
      paymentMethodId: "pm_nowhere",
      noticeId: "ntc_nowhere",
      merchantId: "mch_nowhere",
      endpointId: "whe_nowhere",
      deliveryId: "whd_nowhere",
      authorizedId: "chg_nowhere",
      paidId: "chg_nowhere",
      tokenId: "iat_nowhere",
      statementId: "sst_nowhere",
    };
    expect(await call(path, sessionOf(own.payerId), inputOf(path, foreign))).toBe("NOT_FOUND");
    expect(await call(path, sessionOf(own.payerId), inputOf(path, nowhere))).toBe("NOT_FOUND");
  });

  it.each(paths)("%s refuses an operator's access to a payer's objects", async (path) => {
    if (!isOwned(path)) return;
    expect(await call(path, sessionOf("acc_operator", "admin"), inputOf(path, own))).toBe("NOT_FOUND");
  });

  it.each(paths)("%s refuses input of the wrong shape without an internal error", async (path) => {
    if (!isOwned(path)) return;
    expect(await call(path, sessionOf(own.payerId), nonsense)).toBe("NOT_FOUND");
  });

  it.each(paths)("%s refuses an account that isn't a member of the merchant", async (path) => {
    if (!(path in memberInputs)) return;
    const { id } = await makePayer(deps);
    expect(await call(path, sessionOf(id), inputOf(path, own))).toBe("NOT_FOUND");
  });

  it.each(paths.filter(isOperators))(
    "%s is for operators only: payers and merchant members are refused",
    async (path) => {
      const merchant = await makeMerchant(deps);
      const membership = { merchantId: merchant.id, accountId: foreign.payerId, role: "owner" as const };
      await deps.db.prisma.merchantMember.create({ data: { ...membership, createdAt: deps.clock.now() } });
      const refusal = operatorsById.has(path) ? "NOT_FOUND" : "FORBIDDEN";
      expect(await call(path, sessionOf(own.payerId), inputOf(path, own))).toBe(refusal);
      expect(await call(path, sessionOf(foreign.payerId), inputOf(path, own))).toBe(refusal);
      // This test has no valid code. second-factor.db.test.ts tests a valid code.
      const outcome = path === "operatorSecondFactor.enter" ? "BAD_REQUEST" : "OK";
      expect(await call(path, sessionOf("acc_operator", "admin"), inputOf(path, own))).toBe(outcome);
    },
  );

  it.each(paths.filter(isOperators).flatMap((path) => operatorRoles.map((role) => [path, role] as const)))(
    "%s called by an operator with the role %s follows the permission matrix, and needs a second factor",
    async (path, role) => {
      const session = sessionOf("acc_operator", role);
      const isAllowed = operatorActions[operatorActionOf(path)].includes(role);
      const isBefore = actionsBeforeSecondFactor.includes(operatorActionOf(path));
      const withoutFactor = { ...session, hasSecondFactor: false };
      const answer = await reasonOf(path, withoutFactor, inputOf(path, foreign));
      expect(answer === "second_factor_required").toBe(!isBefore);
      // An admin's changes are tested above, on the other tenant's objects.
      if (isBefore || (isAllowed && role === "admin" && definitionOf(path).type === "mutation")) return;
      expect(await call(path, session, inputOf(path, foreign))).toBe(isAllowed ? "OK" : "FORBIDDEN");
    },
  );

  it.each([...operatorsById])(
    "%s gives non-operators the same answer for existing and unknown objects",
    async (path) => {
      const [there, nowhere] = [
        inputOf(path, own),
        inputOf(path, {
          ...own,
          mailId: "mail_nowhere",
          stuckId: "chg_nowhere",
          contradictionId: "ctr_nowhere",
          agentTokenId: "iat_nowhere",
          merchantId: "mch_nowhere",
          pendingMerchantId: "mch_nowhere",
          tokenId: "iat_nowhere",
          grantedId: "mdt_nowhere",
          colleagueId: "acc_nowhere",
          endingClientId: "cl_nowhere",
          colleagueEmail: "nowhere@example.test",
          ...noStatusObjects,
          ...noBillingObjects,
        }),
      ];
      expect(await call(path, sessionOf("acc_operator", "admin"), nowhere)).toBe("NOT_FOUND");
      const answers = await Promise.all(
        [there, nowhere].map((input) => attempt(path, { session: sessionOf(own.payerId) }, input)),
      );
      expect(answers.map((error) => [error?.code, error?.message])).toEqual(Array(2).fill(["NOT_FOUND", "Not found."]));
    },
  );

  it.each(paths.filter(isRiskyForOperators))(
    "%s asks for a new authentication when the last one is over 5 minutes old",
    async (path) => {
      const stale = { ...sessionOf("acc_operator", "admin"), authTime: addSeconds(deps.clock.now(), -301) };
      expect(await reasonOf(path, stale, inputOf(path, foreign))).toBe("proof_too_old");
    },
  );

  it("reports an unreachable database as temporary", async () => {
    const lost = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
    const away = { ...deps, db: { ...deps.db, sql: { query: lost } } };
    const caller = callerOf(away, own.payerId);
    await expect(caller.wallet.approve({ chargeId: own.chargeId })).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      cause: { code: "temporarily_unavailable" },
    });
  });

  it.each([
    "passkeys.beginAdding",
    "passkeys.add",
    "passkeys.remove",
    "security.changePassword",
    "security.removePassword",
    "security.createRecoveryCodes",
    "profile.beginEmailChange",
    "wallet.addCard",
  ])("%s asks for a new authentication when the last one is over 5 minutes old", async (path) => {
    const stale = { ...sessionOf(own.payerId), authTime: addSeconds(deps.clock.now(), -301) };
    expect(await reasonOf(path, stale, inputOf(path, own))).toBe("proof_too_old");
  });
  it.each(["passkeys.beginAdding", "passkeys.add", "passkeys.remove", "wallet.addCard", "wallet.changePaymentMethod"])(
    "%s asks for a new authentication when the last one is over 5 minutes old",
    async (path) => {
      const stale = { ...sessionOf(own.payerId), authTime: addSeconds(deps.clock.now(), -301) };
      expect(await reasonOf(path, stale, inputOf(path, own))).toBe("proof_too_old");
    },
  );

  it.each(paths)("%s treats another tenant's id as unknown, even next to own ids or as a cursor", async (path) => {
    if (isOperators(path) || inputOf(path, own) === undefined) return;
    const foreignIds = new Set(Object.values(foreign).filter((value) => /^[a-z]+_\w{10,}$/.test(value)));
    const [input, other] = [own, foreign].map((tenant) => Object(inputOf(path, tenant)) as Record<string, unknown>);
    const names = Object.keys(input ?? {}).filter(
      (name) => !isAnyMerchant(name) && foreignIds.has(String(other?.[name])),
    );
    const swaps = names.map((name) => ({ name, ids: [String(other?.[name])] }));
    const fields = definitionOf(path).inputs.flatMap((schema) =>
      schema instanceof z.ZodObject ? Object.keys(schema.shape) : [],
    );
    if (fields.includes("startingAfter")) swaps.push({ name: "startingAfter", ids: [...foreignIds] });
    for (const { name, ids } of swaps) {
      for (const id of ids) {
        const unknown = `${id.split("_")[0]}_nowhere`;
        const [there, nowhere] = [
          await outcomeOf(path, { ...input, [name]: id }),
          await outcomeOf(path, { ...input, [name]: unknown }),
        ];
        expect([name, id, there]).toEqual([name, id, nowhere]);
      }
    }
  });

  it("lists only the actor's own objects", async () => {
    const caller = callerOf(deps, own.payerId);
    expect((await caller.wallet.mandates()).mandates.map(({ id }) => id)).toEqual([own.mandateId]);
    expect((await caller.wallet.overview()).newest.mandates.map(({ id }) => id)).toEqual([own.mandateId]);
    const names = await caller.wallet.mandateNames({ including: foreign.mandateId });
    expect(names.map(({ id }) => id)).toEqual([own.mandateId]);
    expect((await caller.auth.sessions()).sessions.map(({ id }) => id)).toEqual([own.sessionId]);
    expect((await caller.passkeys.list()).map(({ id }) => id)).toEqual([own.passkeyId]);
    expect((await caller.wallet.notices()).notices.map(({ id }) => id)).toEqual([own.noticeId]);
    const charges = (await caller.wallet.activity({})).charges.map(({ id }) => id);
    expect((await caller.wallet.activity({ from: "2999-01-01T00:00:00Z" })).charges).toEqual([]);
    expect(charges.toSorted()).toEqual([own.chargeId, own.declinedId, own.stuckId].toSorted());
    const entries = (await caller.wallet.activityEntries({})).entries.map(({ id }) => id);
    expect(entries.toSorted()).toEqual(charges.toSorted());
    const { mandateId, merchantId, chargeId } = foreign;
    for (const filter of [{ mandateId }, { merchantId }, { startingAfter: chargeId }]) {
      const nowhere = Object.fromEntries(Object.keys(filter).map((name) => [name, "chg_nowhere"]));
      const answers = [await caller.wallet.activityEntries(filter), await caller.wallet.activityEntries(nowhere)];
      expect(answers).toEqual(Array(2).fill({ entries: [], hasMore: false }));
    }
    const { clients, merchants } = await caller.wallet.activityChoices();
    expect([clients.length, merchants.length]).toEqual([1, 1]);
    const approvals = (await caller.wallet.approvals()).map(({ id }) => id);
    expect(approvals.toSorted()).toEqual([own.chargeId, own.declinedId].toSorted());
  });

  it("shows a payer the operators' actions on a mandate without the reasons", async () => {
    const operator = callerOf(deps, "acc_operator", "admin").operatorMandates;
    const { wallet } = callerOf(deps, foreign.payerId);
    const act = { mandateId: foreign.mandateId, reason: "The payer called us" };
    await operator.suspend(act);
    await operator.resume(act);
    const answers = await wallet.mandate({ mandateId: foreign.mandateId });
    const done = [
      { actorKind: "operator", action: "mandate.resumed" },
      { actorKind: "operator", action: "mandate.suspended" },
    ];
    expect(answers.timeline.slice(0, 2)).toMatchObject(done);
    expect(JSON.stringify(answers)).not.toContain(act.reason);
    const { history } = await operator.get({ mandateId: foreign.mandateId });
    expect(history.slice(0, 2)).toMatchObject(done.map((each) => ({ ...each, reason: act.reason })));
  });

  it("asks for a new authentication before an approval if the last one is over 5 minutes old", async () => {
    const proved = new Date(deps.clock.now().getTime() - 300_001);
    const stale = { ...sessionOf(own.payerId), authTime: proved };
    expect(await call("wallet.approve", stale, inputOf("wallet.approve", own))).toBe("FORBIDDEN");
    const caller = callerOf(deps, own.payerId);
    expect((await caller.wallet.approval({ chargeId: own.chargeId })).approvalState).toBe("waiting");
  });

  it("lets the owner call each procedure", async () => {
    for (const path of [
      "wallet.changePaymentMethod",
      "wallet.charge",
      "wallet.notice",
      "wallet.approval",
      "wallet.approve",
      "wallet.decline",
      "wallet.mandate",
      "wallet.pause",
      "wallet.resume",
      "wallet.narrow",
      "wallet.revoke",
      "wallet.revokeAll",
      "wallet.finishCard",
      "auth.revokeSession",
      "passkeys.rename",
      "passkeys.remove",
    ]) {
      expect([path, await call(path, sessionOf(own.payerId), inputOf(path, own))]).toEqual([path, "OK"]);
    }
  });

  it("answers with a conflict code when the mandate has ended", async () => {
    expect(await call("wallet.pause", sessionOf(own.payerId), inputOf("wallet.pause", own))).toBe("CONFLICT");
  });
});

describe("every procedure of merchant members with every role", () => {
  /**
   * The error codes of procedures that fail here even for members who may call them. For example, a draft invoice can't
   * be paid, an edit that is based on an outdated entry is refused, and a host that doesn't answer has no federation
   * entity. All other procedures succeed.
   */
  const answers = new Map([
    ["processor.connect", "CONFLICT"],
    ["merchantDirectory.edit", "CONFLICT"],
    ["entryFederation.register", "UNPROCESSABLE_CONTENT"],
    ["entryFederation.remove", "NOT_FOUND"],
    ["entryTransfers.offer", "CONFLICT"],
    ["entryTransfers.accept", "CONFLICT"],
    ["merchantPlans.change", "CONFLICT"],
    ["merchantCollection.setMethod", "CONFLICT"],
    ["merchantCollection.addCard", "CONFLICT"],
    ["merchantCollection.pay", "CONFLICT"],
  ]);
  const cases = Object.keys(memberInputs).flatMap((path) => roles.map((role) => [path, role] as const));

  it.each(cases)("%s called by %s follows the permission matrix", async (path, role) => {
    const needsCharges = path.startsWith("payments.") || path === "merchantMandates.mandate";
    const tenant = await makeMerchantTenant(deps, needsCharges ? await makeCharges(deps) : null);
    const accountId = await makeMember(deps, tenant.merchantId, role);
    const input = inputOf(path, { ...own, ...tenant });
    const action = actionOf(path);
    const isAllowed = merchantActions[action].includes(role);
    const old = { ...sessionOf(accountId), authTime: addSeconds(deps.clock.now(), -301) };
    const mustProve = isAllowed && riskyActions.includes(action);
    if (mustProve) expect(await reasonOf(path, old, input)).toBe("proof_too_old");
    const answer = isAllowed ? (answers.get(path) ?? "OK") : "FORBIDDEN";
    expect(await call(path, mustProve ? sessionOf(accountId) : old, input)).toBe(answer);
  });

  it.each(cases)("%s called by %s of another merchant is not found", async (path, role) => {
    const accountId = await makeMember(deps, own.merchantId, role);
    expect(await call(path, sessionOf(accountId), inputOf(path, foreign))).toBe("NOT_FOUND");
  });
});

describe("mutations come from our own pages", () => {
  const mutations = paths.filter((path) => definitionOf(path).type === "mutation");

  it.each(mutations)("%s refuses another site's request", async (path) => {
    const crossSite = new Headers({ "sec-fetch-site": "cross-site", origin: "https://evil.example" });
    for (const headers of [crossSite, new Headers()]) {
      const error = await attempt(path, { session: sessionOf(foreign.payerId), headers }, inputOf(path, foreign));
      expect(error?.code).toBe("FORBIDDEN");
    }
  });

  it.each(mutations)("%s refuses a request of a page that shows another account", async (path) => {
    const headers = new Headers([...sameOrigin, ["x-page-account", own.payerId]]);
    const error = await attempt(path, { session: sessionOf(foreign.payerId), headers }, inputOf(path, foreign));
    expect([error?.code, Reflect.get(error?.cause ?? {}, "code")]).toEqual(["CONFLICT", "account_changed"]);
  });
});
