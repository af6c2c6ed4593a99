import { createHash, randomBytes } from "node:crypto";
import { SDJwtVcInstance } from "@sd-jwt/sd-jwt-vc";
import { exportJWK, generateKeyPair } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeMerchant, makeMerchantClient } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { fromDer, toDer } from "../../kernel/crypto/ecdsa-der.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import { getPayerMandate } from "../../mandates/find-mandates.ts";
import { narrowMandate } from "../../mandates/lifecycle/narrow-mandate.ts";
import { revokeMandate } from "../../mandates/lifecycle/revoke-mandate.ts";
import { setCategory } from "../../merchants/set-category.ts";
import { loadKeyRing } from "../../oauth/keys/load-key-ring.ts";
import { revoke } from "../../oauth/keys/signing-keys.fixture.ts";
import { requestCharge } from "../charge/answers.fixture.ts";
import { makeChargeableMandate, refusalOf, scriptedProcessor } from "../charge/charge-setup.fixture.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { staleReservationSeconds } from "../rules/schedule.ts";
import { askingOf, bindKey, fetchCredential, payment, present } from "./presenting.fixture.ts";

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

let deps: TestDeps;
let bank: ReturnType<typeof scriptedProcessor>;
beforeAll(async () => {
  deps = await createTestDeps({
    processors: { get: (name) => bank.processors.get(name) },
    config: { productionUrl: "https://pay.example" },
  });
});
beforeEach(() => {
  bank = scriptedProcessor();
});
afterAll(() => deps.close());

const { chargeBy, verifyBy } = askingOf(() => deps);

const charges = (setup: Setup) => deps.db.prisma.charge.count({ where: { mandateId: setup.mandateId } });
const uses = (setup: Setup) => deps.db.prisma.credentialUse.count({ where: { mandateId: setup.mandateId } });

describe("a presentation (docs/spec/payments.md, Who may use a mandate)", () => {
  test("lets a merchant charge once, even if payees doesn't name that merchant", async () => {
    const setup = await makeChargeableMandate(deps, { payees: [] });
    const presentation = await present(deps, setup);
    const answer = await chargeBy(setup, { presentation, transaction_id: "order-1" });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body)).toMatchObject({ mandate_id: setup.mandateId, amount: 1_000 });
    expect(await setup.counters()).toMatchObject({ used: 1_000n, held: 0n });
    expect(await refusalOf(chargeBy(setup, { presentation }))).toMatchObject({
      kind: "forbidden",
      reasons: ["replayed"],
    });
    expect([await charges(setup), await uses(setup)]).toEqual([1, 1]);
  });

  test("is invalid after the commit that revokes its credential's key, even if this process has cached the key (docs/spec/oauth.md, Signing keys)", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup);
    // Another process revokes the key. This process has not updated its list of keys from the database since then.
    await revoke({ ...deps, keys: await loadKeyRing(deps) }, deps.keys.signingKey("credential").kid);
    expect((await verifyBy(setup, { presentation })).reasons).toMatchObject([{ code: "invalid_signature" }]);
    expect(await refusalOf(chargeBy(setup, { presentation }))).toMatchObject({ reasons: ["invalid_signature"] });
    expect(await charges(setup)).toBe(0);
    expect((await chargeBy(setup, { presentation: await present(deps, setup) })).status).toBe(201);
  });

  test("may be used for a charge below the signed amount, never for a larger charge or another currency", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup);
    for (const change of [{ amount: 1_001 }, { currency: "USD" }, { transaction_id: "order-2" }]) {
      expect((await refusalOf(chargeBy(setup, { presentation, ...change }))).reasons).toEqual([
        "presentation_mismatch",
      ]);
      expect((await verifyBy(setup, { presentation, ...change })).reasons).toMatchObject([
        { code: "presentation_mismatch" },
      ]);
    }
    expect((await chargeBy(setup, { presentation, amount: 999 })).status).toBe(201);
  });

  test("is accepted if a third-party library makes it and discloses one limit", async () => {
    const setup = await makeChargeableMandate(deps);
    const { privateKey } = setup.agent;
    const agentLibrary = new SDJwtVcInstance({
      hasher: (data, alg) =>
        createHash(alg.replace("-", ""))
          .update(typeof data === "string" ? data : new Uint8Array(data))
          .digest(),
      hashAlg: "sha-256",
      saltGenerator: () => randomBytes(16).toString("base64url"),
      kbSignAlg: "ES256",
      kbSigner: async (data) => {
        const algorithm = { name: "ECDSA", hash: "SHA-256" };
        return Buffer.from(await crypto.subtle.sign(algorithm, privateKey, Buffer.from(data))).toString("base64url");
      },
    });
    const presentation = await agentLibrary.present(
      await fetchCredential(deps, setup),
      { mandate: { max_amount_per_payment: true } } as never,
      {
        kb: {
          payload: {
            aud: setup.merchant.id,
            nonce: "n-1",
            iat: epochSeconds(deps.clock.now()),
            transaction: { amount: 1_000, currency: "EUR", transaction_id: "order-1" },
          } as never,
        },
      },
    );
    expect(await verifyBy(setup, { presentation, nonce: "n-1" })).toMatchObject({ valid: true });
    expect((await chargeBy(setup, { presentation })).status).toBe(201);
  });

  test.each(["EdDSA", "Ed25519"])("is accepted with a key binding whose alg is %s (RFC 9864 §2.2)", async (alg) => {
    const setup = await makeChargeableMandate(deps);
    const { privateKey, publicKey } = await generateKeyPair("Ed25519", { extractable: true });
    const credential = await fetchCredential(deps, setup, await exportJWK(publicKey));
    const presentation = await bindKey(deps, setup, { credential, header: { alg }, key: privateKey });
    expect(await verifyBy(setup, { presentation })).toMatchObject({ valid: true });
  });

  test("isn't consumed by verify; after the charge, verify returns replayed", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup);
    for (let turn = 0; turn < 2; turn += 1) {
      expect(await verifyBy(setup, { presentation })).toMatchObject({ valid: true, mandate_id: setup.mandateId });
    }
    expect(await uses(setup)).toBe(0);
    await chargeBy(setup, { presentation });
    expect(await verifyBy(setup, { presentation })).toMatchObject({ valid: false, reasons: [{ code: "replayed" }] });
  });

  test("isn't consumed by a request that is refused or never sent to the processor", async () => {
    const setup = await makeChargeableMandate(deps, { max_amount_per_payment: 900 });
    const presentation = await present(deps, setup);
    expect((await refusalOf(chargeBy(setup, { presentation }))).reasons).toEqual(["amount_exceeds_per_payment"]);
    bank.state.pay = async () => ({ kind: "not_sent" });
    expect((await refusalOf(chargeBy(setup, { presentation, amount: 900 }))).code).toBe("processor_unavailable");
    expect(await uses(setup)).toBe(0);
    bank = scriptedProcessor();
    expect((await chargeBy(setup, { presentation, amount: 900 })).status).toBe(201);
    expect(await uses(setup)).toBe(1);
  });

  test("becomes unused again if a revocation or the clock voids its reservation before it is sent", async () => {
    const dyingBeforeSubmission: TestDeps = {
      ...deps,
      db: {
        ...deps.db,
        sql: {
          query: (statement, values) =>
            statement.name === "submit_charge"
              ? Promise.reject(new Error("the process crashed here"))
              : deps.db.sql.query(statement, values),
        },
      },
    };
    for (const end of ["revocation", "clock"] as const) {
      const setup = await makeChargeableMandate(deps);
      const presentation = await present(deps, setup);
      const attempt = requestCharge(dyingBeforeSubmission, {
        merchantId: setup.merchant.id,
        clientId: setup.merchantClient.id,
        requestId: "r",
        idempotencyKey: "k",
        request: { ...payment, presentation },
      });
      await expect(attempt).rejects.toThrow("crashed here");
      expect([await uses(setup), bank.state.calls]).toEqual([1, 0]);
      if (end === "revocation") {
        const actor = { kind: "payer", id: setup.payer.id } as const;
        await revokeMandate(deps, { mandateId: setup.mandateId, actor, requestId: "r" });
      } else {
        deps.clock.advance(staleReservationSeconds);
        await reconcileDueCharges(deps, { limit: 10 });
      }
      const { state } = await deps.db.prisma.charge.findFirstOrThrow({ where: { mandateId: setup.mandateId } });
      expect([state, await uses(setup)]).toEqual(["voided", 0]);
      // The presentation is unused again, so the verdict isn't `replayed`. The presentation is valid if its mandate is
      // valid.
      if (end === "revocation") {
        expect((await refusalOf(chargeBy(setup, { presentation }, { key: "k" }))).reasons).toEqual(["mandate_revoked"]);
      } else {
        expect((await chargeBy(setup, { presentation }, { key: "k" })).status).toBe(201);
      }
    }
  });

  test("for an amount above step_up_above, makes a charge that waits for the payer, and is consumed", async () => {
    const setup = await makeChargeableMandate(deps, { step_up_above: 900, max_total_amount: 1_000 });
    const presentation = await present(deps, setup);
    expect(await verifyBy(setup, { presentation })).toMatchObject({ valid: true, step_up_required: true });
    const answer = await chargeBy(setup, { presentation }, { key: "k" });
    expect(answer.status).toBe(202);
    expect(JSON.parse(answer.body)).toMatchObject({
      status: "requires_action",
      amount: 1_000,
      next_action: { type: "payer_approval" },
    });
    expect([await uses(setup), bank.state.calls]).toEqual([1, 0]);
    expect(await setup.counters()).toMatchObject({ held: 1_000n, used: 0n });
    expect((await refusalOf(chargeBy(setup, { presentation, amount: 1 }))).reasons).toEqual(["replayed"]);
    expect(await chargeBy(setup, { presentation }, { key: "k" })).toMatchObject({ status: 202, isRepeat: true });
    const another = chargeBy(setup, { presentation: await present(deps, setup), amount: 900 });
    expect((await refusalOf(another)).reasons).toEqual(["total_limit_exceeded"]);
  });

  test("idempotency is checked first: the same key gets its first answer, even if the presentation is used, stale or revoked", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup);
    const first = await chargeBy(setup, { presentation }, { key: "once" });
    expect(await chargeBy(setup, { presentation }, { key: "once" })).toMatchObject({
      body: first.body,
      isRepeat: true,
    });
    const actor = { kind: "payer", id: setup.payer.id } as const;
    await revokeMandate(deps, { mandateId: setup.mandateId, actor, requestId: "r" });
    expect(await chargeBy(setup, { presentation }, { key: "once" })).toMatchObject({
      body: first.body,
      isRepeat: true,
    });
    expect((await refusalOf(chargeBy(setup, { presentation, amount: 1 }, { key: "once" }))).kind).toBe("unprocessable");
  });

  test("twenty concurrent requests with one presentation make one charge", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup);
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        chargeBy(setup, { presentation, amount: 100 }).then(
          ({ status }) => String(status),
          (error: { members?: { reasons?: { code: string }[] } }) => error.members?.reasons?.[0]?.code ?? String(error),
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["201", ...Array.from({ length: 19 }, () => "replayed")]);
    expect([await charges(setup), await uses(setup), bank.state.calls]).toEqual([1, 1, 1]);
    expect(await setup.counters()).toMatchObject({ used: 100n, held: 0n, usedCount: 1n });
  });

  test("counts as the same presentation if its ES256 signature is replaced with the other valid signature, which anyone can derive", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup);
    await chargeBy(setup, { presentation });
    const at = presentation.lastIndexOf(".") + 1;
    const raw = Buffer.from(presentation.slice(at), "base64url");
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const s = order - BigInt(`0x${raw.subarray(32).toString("hex")}`);
    raw.set(Buffer.from(s.toString(16).padStart(64, "0"), "hex"), 32);
    expect(fromDer(toDer(raw) ?? Buffer.alloc(0))).toEqual(raw);
    const twin = presentation.slice(0, at) + raw.toString("base64url");
    expect((await refusalOf(chargeBy(setup, { presentation: twin }))).reasons).toEqual(["replayed"]);
  });
});

describe("an invalid presentation returns its reason, reveals nothing of the mandate and charges nothing", () => {
  const now = () => epochSeconds(deps.clock.now());
  const swap = async (presentation: Promise<string>, place: number, part: string): Promise<string> => {
    const parts = (await presentation).split("~");
    parts[place] = part;
    return parts.join("~");
  };
  const reissue = async (setup: Setup, change: object, header: object = {}): Promise<string> => {
    const [jwt = "", ...rest] = (await fetchCredential(deps, setup)).split("~");
    const [head = "", payload = ""] = jwt.split(".").map((part) => Buffer.from(part, "base64url").toString());
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forged = `${encode({ ...JSON.parse(head), ...header })}.${encode({ ...JSON.parse(payload), ...change })}.${jwt.split(".")[2]}`;
    return bindKey(deps, setup, { credential: [forged, ...rest].join("~") });
  };

  const rows: [string, string, (setup: Setup) => Promise<string>][] = [
    ["text that isn't an SD-JWT", "invalid_signature", async () => "eyJ"],
    ["an empty JWT", "invalid_signature", async () => "~"],
    ["a credential whose claims were changed", "invalid_signature", (own) => reissue(own, { exp: now() + 99_999_999 })],
    ["a header with the kid of an unknown key", "invalid_signature", (own) => reissue(own, {}, { kid: "unknown" })],
    ["a header with alg none", "invalid_signature", (own) => reissue(own, {}, { alg: "none" })],
    ["the type of a VC-JWT", "invalid_signature", (own) => reissue(own, {}, { typ: "vc+jwt" })],
    ["another issuer", "untrusted_issuer", (own) => reissue(own, { iss: "https://evil.example" })],
    ["production's issuer in the sandbox", "wrong_environment", (own) => reissue(own, { iss: "https://pay.example" })],
    ["a disclosure that wasn't signed", "invalid_signature", (own) => swap(present(deps, own), 1, "WyJzIiwiYSIsMV0")],
    [
      "a disclosure twice",
      "invalid_signature",
      async (own) => {
        const parts = (await fetchCredential(deps, own)).split("~");
        return bindKey(deps, own, { credential: [...parts.slice(0, 2), parts[1], ...parts.slice(2)].join("~") });
      },
    ],
    ["no key binding", "key_binding_missing", (own) => fetchCredential(deps, own)],
    [
      "a credential without cnf",
      "key_binding_missing",
      async (own) => bindKey(deps, own, { credential: await fetchCredential(deps, own, null) }),
    ],
    [
      "a key binding signed by another key",
      "invalid_signature",
      async (own) => present(deps, own, { key: (await makeKey()).privateKey }),
    ],
    ["a key binding of another typ", "invalid_signature", (own) => present(deps, own, { header: { typ: "JWT" } })],
    ["a key binding that isn't a JWT", "invalid_signature", async (own) => `${await fetchCredential(deps, own)}x.y.z`],
    [
      "a key binding made for other disclosures",
      "presentation_mismatch",
      async (own) => {
        const parts = (await present(deps, own)).split("~");
        return [parts[0], ...parts.slice(2)].join("~");
      },
    ],
    ["another merchant's aud", "audience_mismatch", (own) => present(deps, own, { claims: { aud: "mch_other" } })],
    ["two audiences", "audience_mismatch", (own) => present(deps, own, { claims: { aud: [own.merchant.id, "b"] } })],
    ["no nonce", "nonce_mismatch", (own) => present(deps, own, { claims: { nonce: undefined } })],
    [
      "an iat more than 10 minutes ago",
      "credential_expired",
      (own) => present(deps, own, { claims: { iat: now() - 601 } }),
    ],
    ["an iat in the future", "credential_expired", (own) => present(deps, own, { claims: { iat: now() + 61 } })],
    ["an iat as text", "credential_expired", (own) => present(deps, own, { claims: { iat: String(now()) } })],
    ["an exp an hour ago", "credential_expired", (own) => present(deps, own, { claims: { exp: now() - 3600 } })],
    ["an exp of now", "credential_expired", (own) => present(deps, own, { claims: { exp: now() } })],
    ["an exp as text", "credential_expired", (own) => present(deps, own, { claims: { exp: "soon" } })],
    ["an exp of null", "credential_expired", (own) => present(deps, own, { claims: { exp: null } })],
    ["an nbf in an hour", "credential_expired", (own) => present(deps, own, { claims: { nbf: now() + 3600 } })],
    ["an nbf as text", "credential_expired", (own) => present(deps, own, { claims: { nbf: String(now()) } })],
    ["no transaction", "presentation_mismatch", (own) => present(deps, own, { claims: { transaction: undefined } })],
    ["an amount as text", "presentation_mismatch", (own) => present(deps, own, { transaction: { amount: "1000" } })],
    [
      "no transaction_id",
      "presentation_mismatch",
      (own) => present(deps, own, { transaction: { transaction_id: "" } }),
    ],
    ["a smaller amount", "presentation_mismatch", (own) => present(deps, own, { transaction: { amount: 999 } })],
  ];

  test.each(rows)("%s: %s", async (_name, code, make) => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await make(setup);
    expect(await verifyBy(setup, { presentation })).toMatchObject({
      valid: false,
      mandate_id: null,
      status: null,
      version: null,
      status_list: [],
      reasons: [{ code, constraint: expect.stringMatching(/^presentation/), remedy: null }],
    });
    expect((await refusalOf(chargeBy(setup, { presentation }))).reasons).toEqual([code]);
    expect([await charges(setup), await uses(setup)]).toEqual([0, 0]);
  });

  test("a future exp and an nbf of now are accepted", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup, { claims: { exp: now() + 1, nbf: now() } });
    expect((await chargeBy(setup, { presentation })).status).toBe(201);
  });

  test("an iat of exactly 10 minutes ago is accepted", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup, { claims: { iat: now() - 600 } });
    expect(await verifyBy(setup, { presentation })).toMatchObject({ valid: true });
  });

  test("a nonce that isn't the merchant's: nonce_mismatch", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup, { claims: { nonce: "n-1" } });
    expect((await verifyBy(setup, { presentation, nonce: "n-2" })).reasons).toMatchObject([{ code: "nonce_mismatch" }]);
  });

  test("a presentation of a mandate version before the limits were last lowered: credential_superseded", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup);
    await narrowMandate(deps, {
      mandateId: setup.mandateId,
      requestId: "r",
      actor: { kind: "payer", id: setup.payer.id },
      narrowing: { max_amount_per_payment: 4_000 },
    });
    expect((await refusalOf(chargeBy(setup, { presentation }))).reasons).toEqual(["credential_superseded"]);
    expect(await verifyBy(setup, { presentation: await present(deps, setup) })).toMatchObject({ valid: true });
  });

  test("a presentation after the mandate's end: credential_expired", async () => {
    const until = new Date(deps.clock.now().getTime() + 300_000).toISOString();
    const setup = await makeChargeableMandate(deps, { valid_until: until });
    const credential = await fetchCredential(deps, setup);
    deps.clock.advance(300);
    const presentation = await bindKey(deps, setup, { credential });
    expect((await refusalOf(chargeBy(setup, { presentation }))).reasons).toEqual(["credential_expired"]);
  });

  test("a presentation of a revoked mandate gets mandate_revoked", async () => {
    const setup = await makeChargeableMandate(deps);
    const presentation = await present(deps, setup);
    const actor = { kind: "payer", id: setup.payer.id } as const;
    await revokeMandate(deps, { mandateId: setup.mandateId, actor, requestId: "r" });
    expect((await refusalOf(chargeBy(setup, { presentation }))).reasons).toEqual(["mandate_revoked"]);
  });

  test("payee_not_allowed and category_not_allowed are returned only to the merchant that the presentation is addressed to", async () => {
    const other = await makeMerchant(deps, { mcc: "5999" });
    const merchant = { id: other.id, clientId: (await makeMerchantClient(deps, other.id)).id };
    for (const [payees, code] of [
      [undefined, "payee_not_allowed"],
      [[{ category: "5411" }], "category_not_allowed"],
    ] as const) {
      const setup = await makeChargeableMandate(deps, payees ? { payees: [...payees] } : {});
      const presentation = await present(deps, setup, { claims: { aud: other.id } });
      expect((await refusalOf(chargeBy(setup, { presentation }, { merchant }))).reasons).toEqual([code]);
      const foreign = await present(deps, setup);
      expect((await refusalOf(chargeBy(setup, { presentation: foreign }, { merchant }))).reasons).toEqual([
        "audience_mismatch",
      ]);
      const byId = await refusalOf(chargeBy(setup, { mandate_id: setup.mandateId }, { merchant }));
      expect(byId).toMatchObject({ kind: "not_found", code: "mandate_not_found" });
    }
  });

  test("a mandate that names a category can be used by every merchant to which operators currently assign this category", async () => {
    const other = await makeMerchant(deps, { mcc: "5999" });
    const merchant = { id: other.id, clientId: (await makeMerchantClient(deps, other.id)).id };
    const setup = await makeChargeableMandate(deps, { payees: [{ category: "5411" }] });
    const charge = async () => {
      const presentation = await present(deps, setup, { claims: { aud: other.id } });
      return chargeBy(setup, { presentation }, { merchant });
    };
    const by = { actor: { kind: "operator", id: "acc_operator" }, requestId: "r", reason: "A grocer" } as const;
    expect((await refusalOf(charge())).reasons).toEqual(["category_not_allowed"]);
    await setCategory(deps, { merchantId: other.id, category: "5411", ...by });
    expect((await charge()).status).toBe(201);
    await setCategory(deps, { merchantId: other.id, category: "5999", ...by });
    expect((await refusalOf(charge())).reasons).toEqual(["category_not_allowed"]);
  });

  test("a refused attempt is in the mandate's audit log only if our own signature identifies the mandate", async () => {
    const setup = await makeChargeableMandate(deps);
    await refusalOf(chargeBy(setup, { presentation: await present(deps, setup, { claims: { aud: "mch_x" } }) }));
    await refusalOf(chargeBy(setup, { presentation: await reissue(setup, { iss: "https://evil.example" }) }));
    const entries = await deps.db.prisma.$queryRaw<{ data: object }[]>`
      SELECT data FROM audit_entry WHERE action = 'charge.refused' AND subject_id = ${setup.mandateId}`;
    const data = { amount: 1_000, currency: "EUR", codes: ["audience_mismatch"] };
    expect(entries).toMatchObject([{ data }]);
    // The wallet's timeline also names the merchant.
    const { timeline } = await getPayerMandate(deps, { payerId: setup.payer.id, mandateId: setup.mandateId });
    expect(timeline.find(({ action }) => action === "charge.refused")).toMatchObject({
      merchantName: "Fresh Market",
      data,
    });
  });
});
