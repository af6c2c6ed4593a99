import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as paygrant from "#client";
import { send } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { consent } from "../../support/oauth/consent-driver.ts";
import { participantOf } from "../../support/oauth/parties.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/peers/webhook-receiver.ts";
import { waitUntil } from "../../support/wait-until.ts";

/** An agent and a merchant that use nothing but the client package (docs/spec/client.md). */

const { sandboxUrl } = currentInstance();
const redirectUri = "http://127.0.0.1:9/callback";

let receiver: WebhookReceiver;
let server: paygrant.Server;
let agent: paygrant.RegisteredClient;
let shop: paygrant.RegisteredClient;
let merchantId: string;
let session: paygrant.Session;
let grant: paygrant.Grant;
let mandateId: string;

const registration = { clientName: "Grocer Bot", redirectUris: [redirectUri] };
const terms = (limits: Partial<paygrant.MandateRequest> = {}): paygrant.MandateRequest => ({
  actions: ["verify", "charge"],
  currency: "EUR",
  maxAmountPerPayment: 6_000,
  maxTotalAmount: 100_000,
  payees: [{ id: merchantId }],
  ...limits,
});

/** The payer opens the request and decides. @returns the URL to which the browser is redirected. */
const decide = async (
  request: paygrant.PushedRequest,
  decision: "approve" | "decline" = "approve",
): Promise<string> => {
  const clientId = new URL(request.authorizationUrl).searchParams.get("client_id") ?? "";
  return `${redirectUri}?${await consent(sandboxUrl, { clientId, requestUri: request.requestUri }, { decision })}`;
};

const push = (limits?: Partial<paygrant.MandateRequest>, client: paygrant.Client = agent) =>
  paygrant.pushMandateRequest(client, { redirectUri, authorizationDetails: [terms(limits)] });

const obtainGrant = async (limits?: Partial<paygrant.MandateRequest>, client: paygrant.Client = agent) => {
  const request = await push(limits, client);
  return paygrant.exchangeCode(client, { callbackUrl: await decide(request), request });
};

const mandateOf = ({ mandates }: paygrant.Grant): string => mandates[0]?.identifier ?? "";
const payment = { amount: 1_250, currency: "EUR", payerPresence: "in_session" } as const;
const withKey = () => ({ idempotencyKey: randomUUID() });

beforeAll(async () => {
  receiver = await startWebhookReceiver();
  server = await paygrant.discover(sandboxUrl);
  [agent, shop] = await Promise.all([
    paygrant.registerClient(server, { ...registration, webhookUri: receiver.url }),
    // In JavaScript, a member that has its default may be undefined.
    paygrant.registerClient(server, { clientName: "Fresh Market checkout", ...({ scope: undefined } as object) }),
  ]);
  merchantId = shop.merchantId ?? "";
  session = await paygrant.clientCredentials(shop);
  grant = await obtainGrant({ purpose: "Weekly groceries" });
  mandateId = mandateOf(grant);
});
afterAll(() => receiver.close());

describe("an agent and a merchant with the client package", () => {
  test("a mandate is granted as requested, verified, charged and refunded, and the webhooks have valid signatures", async () => {
    expect(grant).toMatchObject({ tokenType: "DPoP", mandates: [{ ...terms(), purpose: "Weekly groceries" }] });
    const verdict = await paygrant.verifyMandate(session, { mandateId, ...payment });
    expect(verdict).toMatchObject({ valid: true, mandateId, reasons: [], stepUpRequired: false });
    const metadata = { order_id: "1042" };
    const charged = await paygrant.charge(session, { mandateId, ...payment, ...withKey(), metadata });
    expect(charged).toMatchObject({ status: "succeeded", amountCaptured: 1_250, metadata });
    const refunded = await paygrant.refund(session, { chargeId: charged.id, amount: 250, ...withKey() });
    expect(refunded).toMatchObject({ chargeId: charged.id, amount: 250 });
    const types = () => receiver.received.map(({ event }) => event.type);
    await waitUntil(async () => types().includes("charge.succeeded") && types().includes("mandate.activated"));
    const secret = agent.webhookSecret ?? "";
    const events = await Promise.all(
      receiver.received.map(({ body, headers }) => paygrant.verifyWebhook({ body, headers, secret })),
    );
    expect(events.find(({ type }) => type === "charge.succeeded")?.data).toMatchObject({
      id: charged.id,
      mandateId,
      metadata,
    });
    const [first] = receiver.received;
    const forged = paygrant.verifyWebhook({ body: `${first?.body} `, headers: first?.headers ?? {}, secret });
    await expect(forged).rejects.toMatchObject({ kind: "verification", code: "invalid_signature" });
  });

  test("a repeated idempotency key returns the same charge; charges are listed over several pages", async () => {
    const key = withKey();
    const first = await paygrant.charge(session, { mandateId, ...payment, ...key, reference: "page" });
    expect(await paygrant.charge(session, { mandateId, ...payment, ...key, reference: "page" })).toEqual(first);
    const second = await paygrant.charge(session, { mandateId, ...payment, ...withKey(), reference: "page" });
    const listed = [];
    for await (const { id } of paygrant.listCharges(session, { reference: "page", limit: 1 })) listed.push(id);
    expect(listed).toEqual([second.id, first.id]);
  });

  test("an authorized charge is captured in part, or voided", async () => {
    const authorize = () => paygrant.charge(session, { mandateId, ...payment, ...withKey(), captureMethod: "manual" });
    const [one, two] = [await authorize(), await authorize()];
    expect(one.status).toBe("authorized");
    const captured = await paygrant.capture(session, { chargeId: one.id, amount: 1_000, ...withKey() });
    expect(captured).toMatchObject({ status: "partially_captured", amountCaptured: 1_000 });
    expect(await paygrant.void(session, { chargeId: two.id, ...withKey() })).toMatchObject({ status: "voided" });
  });

  test("a presentation and a mandate token let the merchant charge once each", async () => {
    const transaction = { amount: payment.amount, currency: payment.currency };
    const presentation = await paygrant.presentMandate(agent, { grant, mandateId, audience: merchantId, transaction });
    expect(await paygrant.verifyMandate(session, { presentation, ...payment })).toMatchObject({
      valid: true,
      mandateId,
    });
    expect((await paygrant.charge(session, { presentation, ...payment, ...withKey() })).status).toBe("succeeded");
    await expect(paygrant.charge(session, { presentation, ...payment, ...withKey() })).rejects.toMatchObject({
      code: "refused_by_mandate",
      problem: { status: 403, reasons: [{ code: "replayed" }] },
    });
    const mandateToken = await paygrant.exchangeForMandateToken(agent, { grant, mandateId, audience: merchantId });
    const proven = await paygrant.proveMandateToken(agent, { mandateToken, purpose: "charge" });
    expect((await paygrant.charge(session, { ...proven, ...payment, ...withKey() })).status).toBe("succeeded");
  });

  test("a refreshed grant works, and the package renews a session that is about to expire", async () => {
    const refreshed = await paygrant.refresh(agent, { grant });
    expect(refreshed.accessToken).not.toBe(grant.accessToken);
    expect(await paygrant.fetchCredential(agent, { grant: refreshed, mandateId })).toMatch(/~$/);
    const old = { ...session, accessToken: "expired", expiresAt: new Date() };
    const verify = () => paygrant.verifyMandate(old, { mandateId, ...payment });
    expect((await Promise.all([verify(), verify()])).map(({ valid }) => valid)).toEqual([true, true]);
    expect(old.accessToken).not.toBe("expired");
  });

  test("if a call is aborted while it renews the session, concurrent calls still succeed", async () => {
    const old = { ...session, accessToken: "expired", expiresAt: new Date() };
    const controller = new AbortController();
    const aborted = paygrant.verifyMandate(old, { mandateId, ...payment }, { signal: controller.signal });
    const other = paygrant.verifyMandate(old, { mandateId, ...payment });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: "aborted" });
    expect((await other).valid).toBe(true);
  });

  test("a client with Bearer tokens is registered with an existing key, then imported", async () => {
    const { privateKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
      "sign",
      "verify",
    ]);
    const privateJwk = await crypto.subtle.exportKey("jwk", privateKey);
    const own = await paygrant.registerClient(server, { ...registration, dpopBoundAccessTokens: false, privateJwk });
    const imported = await paygrant.importClient(server, { clientId: own.clientId, privateJwk });
    const bearer = await obtainGrant({}, imported);
    expect([bearer.tokenType, imported.clientKey.privateKey.extractable]).toEqual(["Bearer", false]);
    const about = { grant: bearer, mandateId: mandateOf(bearer), audience: merchantId };
    const transaction = { amount: 500, currency: "EUR" };
    const presentation = await paygrant.presentMandate(imported, { ...about, transaction });
    expect((await paygrant.charge(session, { presentation, ...payment, amount: 500, ...withKey() })).status).toBe(
      "succeeded",
    );
  });
});

describe("verification with the client package", () => {
  const expectCode = (verifying: Promise<unknown>, code: string) =>
    expect(verifying).rejects.toMatchObject({ kind: "verification", code });

  // This test must run first: after another test, the package could use the status list of that test for 30 seconds.
  test("both formats of a credential are valid until the grant is revoked", async () => {
    const ended = await obtainGrant();
    const formats = ["dc+sd-jwt", "vc+jwt"] as const;
    const fetchBoth = (of: paygrant.Grant) =>
      Promise.all(
        formats.map((format) => paygrant.fetchCredential(agent, { grant: of, mandateId: mandateOf(of), format })),
      );
    const [live, revoked] = [await fetchBoth(grant), await fetchBoth(ended)];
    const readTags = async () => {
      const accepts = ["application/vc+jwt", "application/statuslist+jwt"];
      const lists = await Promise.all(
        accepts.map((accept) => send(`${sandboxUrl}/oauth/status-list`, { headers: { accept } })),
      );
      return lists.map(({ headers }) => headers.get("etag"));
    };
    const before = await readTags();
    await paygrant.revoke(agent, { grant: ended });
    await waitUntil(async () => (await readTags()).every((tag, index) => tag !== before[index]));
    // A list may have changed because of another test's grant. A revocation is published within 5 seconds.
    await sleep(5_000);
    for (const credential of revoked) {
      await expectCode(paygrant.verifyMandateCredential(server, { credential }), "credential_revoked");
    }
    const verified = await Promise.all(
      live.map((credential) => paygrant.verifyMandateCredential(server, { credential })),
    );
    expect(verified.map(({ format }) => format)).toEqual(formats);
    for (const { mandate } of verified)
      expect(mandate).toMatchObject({ identifier: mandateId, maxTotalAmount: 100_000 });
  });

  test("a presentation is verified for its audience, with the chosen disclosures only", async () => {
    const transaction = { amount: 100, currency: "EUR", transactionId: "t-1" };
    const disclose = ["maxAmountPerPayment"];
    const about = { grant, mandateId, audience: "verifier", transaction, nonce: "n-1", disclose };
    const credential = await paygrant.presentMandate(agent, about);
    const verified = await paygrant.verifyMandateCredential(server, { credential, audience: "verifier", nonce: "n-1" });
    expect(verified).toMatchObject({ format: "dc+sd-jwt", mandateId, version: 1, keyBinding: { transaction } });
    expect(verified.mandate).toMatchObject({ maxAmountPerPayment: 6_000, currency: "EUR" });
    expect(verified.mandate).not.toHaveProperty("purpose");
    const verify = (changes: object) => paygrant.verifyMandateCredential(server, { credential, ...changes });
    await expectCode(verify({ audience: "other" }), "audience_mismatch");
    await expectCode(verify({}), "audience_mismatch");
    await expectCode(verify({ audience: "verifier", nonce: "n-2" }), "nonce_mismatch");
    const [jwt, disclosure, binding] = credential.split("~");
    const changed = (text: string) => verify({ credential: text, audience: "verifier" });
    await expectCode(changed(`${jwt}~${binding}`), "key_binding_mismatch");
    await expectCode(changed(`${jwt}~${disclosure}~`), "key_binding_missing");
    await expectCode(changed(`${jwt}~${disclosure}~${disclosure}~${binding}`), "malformed");
    await expectCode(changed(`${jwt}~WyJzIiwiYSIsMV0~${binding}`), "malformed");
    await expectCode(verify({ credential: `${jwt?.slice(0, -4)}AAAA~` }), "invalid_signature");
  });

  test("a receipt proves the verdict, and only to the merchant that it names", async () => {
    const { receipt } = await paygrant.verifyMandate(session, { mandateId, ...payment, amount: 7_000 });
    const verified = await paygrant.verifyReceipt(server, { receipt, merchantId });
    expect(verified).toMatchObject({ merchantId, environment: "sandbox", request: { ...payment, amount: 7_000 } });
    expect(verified.verdict).toMatchObject({ valid: false, reasons: [{ code: "amount_exceeds_per_payment" }] });
    await expectCode(paygrant.verifyReceipt(server, { receipt, merchantId: "mch_other" }), "audience_mismatch");
    await expectCode(paygrant.verifyReceipt(server, { receipt: `${receipt.slice(0, -4)}AAAA` }), "invalid_signature");
    const other = { ...server, issuer: "https://other.example" };
    await expectCode(paygrant.verifyReceipt(other, { receipt }), "untrusted_issuer");
    // A credential has a different `typ`, so it isn't accepted as a receipt.
    const credential = await paygrant.fetchCredential(agent, { grant, mandateId, format: "vc+jwt" });
    await expectCode(paygrant.verifyReceipt(server, { receipt: credential }), "malformed");
  });
});

describe("a signed entry of the directory", () => {
  const directory = `${sandboxUrl}/directory`;
  const fetchSigned = async (id: string) => {
    const signed = await send(`${directory}/v1/participants/${id}`, { headers: { accept: "application/jwt" } });
    return signed.text;
  };
  const changed = (jwt: string, part: 0 | 1, members: object): string => {
    const parts = jwt.split(".");
    const value = JSON.parse(Buffer.from(parts[part] ?? "", "base64url").toString());
    parts[part] = Buffer.from(JSON.stringify({ ...value, ...members })).toString("base64url");
    return parts.join(".");
  };

  test("is verified with the keys of the directory that the server names", async () => {
    const participantId = await participantOf(sandboxUrl, merchantId);
    const participant = await fetchSigned(participantId);
    const verified = await paygrant.verifyParticipant(server, { participant, participantId });
    expect(verified).toMatchObject({ directory, participantId, participant: { merchantId, environment: "sandbox" } });
    expect(verified.logIndex).toBeTypeOf("number");
    expect(verified.expiresAt.getTime() - verified.issuedAt.getTime()).toBe(24 * 3600 * 1000);
    const verify = (jwt: string, more: object = {}) =>
      paygrant.verifyParticipant(server, { participant: jwt, ...more });
    const expectCode = (verifying: Promise<unknown>, code: string) => expect(verifying).rejects.toMatchObject({ code });
    await expectCode(verify(participant, { participantId: "ptc_other" }), "subject_mismatch");
    await expectCode(verify(changed(participant, 1, { sub: "ptc_other" })), "invalid_signature");
    await expectCode(verify(changed(participant, 1, { iss: "https://other.example" })), "untrusted_issuer");
    // The server's merchant API is a protected resource too, but it signs no entries.
    await expectCode(verify(changed(participant, 1, { iss: `${sandboxUrl}/merchant_test` })), "invalid_response");
    await expectCode(verify(changed(participant, 0, { typ: "JWT" })), "malformed");
    await expectCode(verify(changed(participant, 0, { kid: "other" })), "unknown_key");
    await expectCode(verify("no.jwt"), "malformed");
    const other = { ...server, issuer: "https://other.example" };
    await expectCode(paygrant.verifyParticipant(other, { participant }), "invalid_response");
  });
});

describe("errors of the client package", () => {
  test("the error of a declined request is access_denied; a callback URL of another request is refused", async () => {
    const request = await push();
    const callbackUrl = await decide(request, "decline");
    await expect(paygrant.exchangeCode(agent, { callbackUrl, request })).rejects.toMatchObject({
      kind: "problem",
      code: "access_denied",
    });
    const refuses = (url: string, code: string) =>
      expect(paygrant.exchangeCode(agent, { callbackUrl: url, request })).rejects.toMatchObject({ code });
    await refuses(callbackUrl.replace(request.state, "other"), "state_mismatch");
    await refuses(callbackUrl.replace(encodeURIComponent(sandboxUrl), "https%3A%2F%2Fevil.example"), "issuer_mismatch");
    await refuses(callbackUrl.replace("/callback", "/other"), "redirect_uri_mismatch");
    await refuses(`${redirectUri}?${new URLSearchParams({ state: request.state, iss: sandboxUrl })}`, "code_missing");
  });

  test("the error of a refused charge has the server's code and reasons, with a remedy that the agent can push", async () => {
    const error = await paygrant
      .charge(session, { mandateId, ...payment, amount: 7_000, ...withKey() })
      .catch((reason: unknown) => reason);
    if (!paygrant.isPaygrantError(error) || error.kind !== "problem") throw error;
    expect(error).toMatchObject({ code: "refused_by_mandate", problem: { status: 403 } });
    const [reason] = error.problem.reasons;
    expect(reason).toMatchObject({ code: "amount_exceeds_per_payment" });
    const authorizationDetails = (reason?.remedy?.authorizationDetails ?? []) as paygrant.MandateRequest[];
    expect(authorizationDetails).toMatchObject([{ maxAmountPerPayment: 7_000, maxPayments: 1 }]);
    await paygrant.pushMandateRequest(agent, { redirectUri, authorizationDetails });
  });

  test("a declined charge has the advice of the processor", async () => {
    const metadata = { simulate: "decline:insufficient_funds" };
    await expect(paygrant.charge(session, { mandateId, ...payment, ...withKey(), metadata })).rejects.toMatchObject({
      code: "card_declined",
      problem: {
        status: 402,
        decline: { chargeId: expect.stringMatching(/^chg_/), declineCode: "insufficient_funds" },
      },
    });
  });

  test("the error of an invalid field names the field; a wrong parameter throws a TypeError", async () => {
    await expect(paygrant.charge(session, { mandateId, ...payment, amount: 0, ...withKey() })).rejects.toMatchObject({
      code: "invalid_request",
      problem: { status: 400, errors: [{ pointer: "/amount" }] },
    });
    const noKey = paygrant.charge(session, { mandateId, ...payment, idempotencyKey: "" });
    await expect(noKey).rejects.toThrow(TypeError);
    await expect(paygrant.discover("http://pay.example")).rejects.toThrow(TypeError);
  });

  test("discovery refuses metadata of another issuer, and stops when the caller's signal is aborted", async () => {
    const other = sandboxUrl.replace("localhost", "127.0.0.1");
    await expect(paygrant.discover(other)).rejects.toMatchObject({ kind: "request", code: "invalid_response" });
    const aborted = paygrant.discover(sandboxUrl, {}, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ kind: "request", code: "aborted" });
  });
});
