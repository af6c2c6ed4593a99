import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { authorizationOf } from "#e2e/support/oauth/authorization-flow.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { settleCharge } from "../charges/charge/settle-charge.ts";
import { findCharge } from "../data/charges/charges.ts";
import { provideDeps } from "../http/runtime.ts";
import { sha256Base64url } from "../kernel/crypto/hash.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { narrowMandate } from "../mandates/lifecycle/narrow-mandate.ts";
import { resumeMandate } from "../mandates/lifecycle/resume-mandate.ts";
import { revokeMandate } from "../mandates/lifecycle/revoke-mandate.ts";
import { suspendMandate } from "../mandates/lifecycle/suspend-mandate.ts";
import { inTransaction, transitionMandate } from "../mandates/lifecycle/transition-mandate.ts";
import { authenticateRegistration } from "../oauth/clients/authenticate-registration.ts";
import { deleteClient } from "../oauth/clients/delete-client.ts";
import { registerClient } from "../oauth/clients/register-client.ts";
import { replaceClientRegistration } from "../oauth/clients/replace-registration.ts";
import { exchangeCode } from "../oauth/grants/exchange-code.ts";
import {
  codeFields,
  grantTo,
  info,
  makeParties,
  refreshFields,
  tokenRequest,
} from "../oauth/grants/granted.fixture.ts";
import { refreshGrant } from "../oauth/grants/refresh-grant.ts";
import { revokeGrant } from "../oauth/grants/revoke-grant.ts";
import { createInitialAccessToken } from "../oauth/initial-tokens/create-initial-access-token.ts";
import { revokeInitialAccessToken } from "../oauth/initial-tokens/revoke-initial-access-token.ts";
import { passPublicationTime, revoke, rotate } from "../oauth/keys/signing-keys.fixture.ts";
import { revokeToken } from "../oauth/tokens/revoke-token.ts";

// docs/spec/operations.md, Audit log; docs/spec/payments.md, Mandate states. e2e/faults tests whole charges and
// refunds.

let deps: TestDeps;
let bank = scriptedProcessor();
beforeAll(async () => {
  deps = await createTestDeps({ processors: { get: (name) => bank.processors.get(name) } });
  provideDeps(deps);
  await deps.db.prisma.$executeRaw`
    CREATE FUNCTION refuse_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no entry'; END $$`;
});
beforeEach(() => {
  bank = scriptedProcessor();
});
afterAll(() => deps.close());

/** During the call, the log refuses entries of `action`. */
const refusing = async (action: string, work: () => Promise<unknown>): Promise<string> => {
  await deps.db.prisma.$executeRawUnsafe(
    `CREATE TRIGGER refuse_entry BEFORE INSERT ON audit_entry FOR EACH ROW WHEN (NEW.action = '${action}')
     EXECUTE FUNCTION refuse_entry()`,
  );
  const outcome = await work().then(
    () => "done",
    (error: Error) => error.message,
  );
  await deps.db.prisma.$executeRaw`DROP TRIGGER refuse_entry ON audit_entry`;
  return outcome;
};

/** Tables to which a request adds a row even if it is refused (docs/spec/oauth.md, Replay protection). */
const replayStores = ["assertion_jti", "dpop_jti"];

/** Every row, by table. */
const readRows = async (): Promise<Record<string, string>> => {
  const tables = await deps.db.prisma.$queryRaw<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`;
  const rows: Record<string, string> = {};
  for (const { name } of tables.filter((table) => !replayStores.includes(table.name))) {
    const [digest] = await deps.db.prisma.$queryRawUnsafe<[{ rows: string }]>(
      `SELECT concat(count(*), ' ', md5(string_agg(t::text, E'\\n' ORDER BY t::text))) AS rows FROM "${name}" t`,
    );
    rows[name] = digest.rows;
  }
  return rows;
};

const countEntries = async (action: string): Promise<number> => {
  const [{ count }] = await deps.db.prisma.$queryRaw<[{ count: bigint }]>`
    SELECT count(*) AS count FROM audit_entry WHERE action = ${action}`;
  return Number(count);
};

/** An action that runs twice. The log refuses the entry of the first run, and accepts the entry of the second. */
type Action = () => Promise<unknown>;
/** Creates the objects that the action needs. */
type Prepare = () => Promise<Action>;

const operator = { actor: { kind: "operator", id: "acc_operator" }, requestId: "req_test" } as const;

const expectTogether = (action: string, prepare: Prepare, how = "") =>
  test(`${action}${how}: writes both the change and one audit entry, or neither`, async () => {
    const act = await prepare();
    const before = await readRows();
    expect(await refusing(action, act)).toContain("no entry");
    expect(await readRows()).toEqual(before);
    const countBefore = await countEntries(action);
    // Some actions end with a refusal, for example of a code that was already used.
    await act().catch(() => {});
    expect(await countEntries(action)).toBe(countBefore + 1);
    expect(await readRows()).not.toEqual(before);
  });

const consent = async () => {
  const setup = await makeChargeableMandate(deps);
  const flow = await authorizationOf(deps, { client: setup.agent, payer: setup.payer });
  const details = {
    type: "payment_mandate_v1",
    actions: ["verify", "charge"],
    currency: "EUR",
    max_amount_per_payment: 900,
    payees: [{ id: setup.merchant.id }],
  };
  return { setup, flow, details };
};

const decideOnMandate = async (decision: "approve" | "decline"): Promise<Action> => {
  const { flow, details } = await consent();
  const page = await flow.read((await flow.startAuthorization([details])).handle);
  return () => page.answer(decision);
};

describe("decisions of a payer", () => {
  expectTogether("consent.approved", () => decideOnMandate("approve"));
  expectTogether("mandate.activated", () => decideOnMandate("approve"));
  expectTogether("consent.declined", () => decideOnMandate("decline"));
  expectTogether("mandate.rejected", () => decideOnMandate("decline"));

  const replacing = async (decision: "approve" | "decline"): Promise<Action> => {
    const { flow, setup, details } = await consent();
    const fields = { grant_management_action: "replace", grant_id: setup.grant.id };
    const { handle } = await flow.startAuthorization([{ ...details, identifier: setup.mandateId }], fields);
    const page = await flow.read(handle);
    return () => page.answer(decision);
  };
  expectTogether("mandate.replaced", () => replacing("approve"));
  expectTogether("mandate.replacement_declined", () => replacing("decline"));
});

describe("tokens", () => {
  const parties = () => makeParties(deps);
  const rotating = () => makeParties(deps, { dpopBound: false });

  expectTogether("authorization_request.pushed", async () => {
    const { flow, details } = await consent();
    return async () => {
      await flow.startAuthorization([details]).catch((error: Error) => {
        throw error.message.startsWith("server_error") ? new Error("no entry") : error;
      });
    };
  });

  const byCode = async (): Promise<Action> => {
    const own = await parties();
    const code = await (await grantTo(deps, own)).code();
    return async () => exchangeCode(deps, await tokenRequest(deps, own, codeFields(code)));
  };
  expectTogether("token.issued", byCode, " for a code");

  const byRefresh = async (): Promise<Action> => {
    const own = await rotating();
    const secret = await (await grantTo(deps, own)).refreshToken();
    return async () => refreshGrant(deps, await tokenRequest(deps, own, refreshFields(secret)));
  };
  expectTogether("token.issued", byRefresh, " for a refresh token");

  expectTogether("code.reused", async () => {
    const own = await parties();
    const form = codeFields(await (await grantTo(deps, own)).code());
    await exchangeCode(deps, await tokenRequest(deps, own, form));
    return async () => exchangeCode(deps, await tokenRequest(deps, own, form));
  });

  expectTogether("refresh_token.reused", async () => {
    const own = await rotating();
    const form = refreshFields(await (await grantTo(deps, own)).refreshToken());
    await refreshGrant(deps, await tokenRequest(deps, own, form));
    deps.clock.advance(31);
    return async () => refreshGrant(deps, await tokenRequest(deps, own, form));
  });

  expectTogether("token.revoked", async () => {
    const own = await parties();
    const token = await (await grantTo(deps, own)).accessToken();
    return () => revokeToken(deps, { client: own.agent, token, info });
  });

  expectTogether("grant.revoked", async () => {
    const own = await parties();
    const { grantId } = await grantTo(deps, own);
    return () => revokeGrant(deps, { grantId, clientId: own.agent.id, requestId: "req_test", reason: "requested" });
  });
});

describe("registrations", () => {
  const metadataWith = async () => ({
    redirect_uris: ["http://127.0.0.1:9/callback"],
    jwks: { keys: [(await makeKey()).publicJwk] },
  });

  const makeInitial = async () => {
    const merchantId = (await makeMerchant(deps)).id;
    return { merchantId, ...(await createInitialAccessToken(deps, { kind: "merchant", merchantId, ...operator })) };
  };

  expectTogether("initial_access_token.created", async () => {
    const merchantId = (await makeMerchant(deps)).id;
    return () => createInitialAccessToken(deps, { kind: "merchant", merchantId, ...operator });
  });

  expectTogether("initial_access_token.revoked", async () => {
    const { id: tokenId, merchantId: ownerId } = await makeInitial();
    return () => revokeInitialAccessToken(deps, { tokenId, ownerId, ...operator });
  });

  expectTogether("client.registered", async () => {
    const { token } = await makeInitial();
    const keys = [(await makeKey()).publicJwk];
    const metadata = { client_name: "Checkout", grant_types: ["client_credentials"], jwks: { keys } };
    return () => registerClient(deps, { metadata, authorization: `Bearer ${token}`, info });
  });

  /** An agent with a mandate, identified by its registration access token. */
  const caller = async () => {
    const { agent } = await makeChargeableMandate(deps);
    const data = { registrationTokenHash: sha256Base64url("secret") };
    await deps.db.prisma.client.update({ where: { id: agent.id }, data });
    return authenticateRegistration(deps, { clientId: agent.id, authorization: "Bearer secret", info });
  };

  expectTogether("client.updated", async () => {
    const [known, metadata] = await Promise.all([caller(), metadataWith()]);
    return () => replaceClientRegistration(deps, { caller: known, metadata, info });
  });

  expectTogether("client.deleted", async () => {
    const known = await caller();
    return () => deleteClient(deps, { caller: known, info });
  });
});

describe("signing keys", () => {
  for (const action of ["signing_key.activated", "signing_key.retired", "signing_key.rotation_requested"]) {
    expectTogether(action, async () => {
      passPublicationTime(deps);
      return () => rotate(deps);
    });
  }

  expectTogether("signing_key.revoked", async () => {
    passPublicationTime(deps);
    const { kid } = deps.keys.signingKey("receipt");
    return () => revoke(deps, kid);
  });
});

describe("mandates", () => {
  const payerOf = async (limits: Parameters<typeof makeChargeableMandate>[1] = {}) => {
    const setup = await makeChargeableMandate(deps, limits);
    const { mandateId, payer } = setup;
    return { setup, act: { mandateId, actor: { kind: "payer", id: payer.id }, requestId: "req_test" } as const };
  };

  expectTogether("mandate.suspended", async () => {
    const { act } = await payerOf();
    return () => suspendMandate(deps, act);
  });

  expectTogether("mandate.resumed", async () => {
    const { act } = await payerOf();
    await suspendMandate(deps, act);
    return () => resumeMandate(deps, act);
  });

  expectTogether("mandate.narrowed", async () => {
    const { act } = await payerOf();
    return () => narrowMandate(deps, { ...act, narrowing: { max_amount_per_payment: 10 } });
  });

  expectTogether("mandate.revoked", async () => {
    const { act } = await payerOf();
    return () => revokeMandate(deps, act);
  });

  expectTogether("mandate.expired", async () => {
    const until = addSeconds(deps.clock.now(), 60);
    const { mandateId } = (await payerOf({ valid_until: until.toISOString() })).act;
    deps.clock.set(until);
    const act = { mandateId, actor: { kind: "system", id: "clock" }, requestId: "req_test", event: "expire" } as const;
    return () => inTransaction(deps, undefined, (sql) => transitionMandate(deps, sql, act));
  });

  /** Money that the processor has captured, but whose capture isn't recorded yet. */
  const held = async (): Promise<Action> => {
    const { setup } = await payerOf({ max_total_amount: 1_000 });
    bank.state.pay = async ({ chargeId }) => ({ kind: "processing", processorRef: `ref_${chargeId}` });
    const { chargeId } = await setup.charge({ amount: 1_000 });
    const charge = await findCharge(deps.db.sql, chargeId);
    if (!charge) throw new Error("no charge");
    const by = { kind: "reconciler", requestId: "req_test" } as const;
    return () => settleCharge(deps, charge, { event: { kind: "succeeded", processorRef: "ref" }, by });
  };
  expectTogether("charge.succeeded", held);
  expectTogether("mandate.consumed", held);
});
