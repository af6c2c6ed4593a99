import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { hashPassword } from "#server/accounts/sign-in/passwords.ts";
import { connectDatabase } from "#server/data/client.ts";
import { newId } from "#server/kernel/ids.ts";
import { assertionType, formBody, makePkce, signAssertion } from "../support/oauth/oauth-client.ts";
import type { Signer } from "./load/job.ts";

export const redirectUri = "http://127.0.0.1:9/callback";
/** Charges of different mandates don't wait for each other, so several mandates keep every connection in use. */
const mandateCount = 10;

export type Actors = { agent: Signer; merchant: Signer; merchantId: string; mandateIds: string[] };

type Json = Readonly<Record<string, unknown>>;

export const makeClientKey = async (): Promise<{ privateJwk: JWK; publicJwk: JWK }> => {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const publicJwk = { ...(await exportJWK(publicKey)), kid: "bench", alg: "ES256", use: "sig" };
  return { privateJwk: await exportJWK(privateKey), publicJwk };
};

const expectStatus = async (response: Response, status: number): Promise<Json> => {
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 500)}`);
  return text === "" ? {} : (JSON.parse(text) as Json);
};

/** RFC 7591, open in the sandbox. */
const register = async (issuer: string, metadata: object): Promise<{ signer: Signer; answer: Json }> => {
  const { privateJwk, publicJwk } = await makeClientKey();
  const body = JSON.stringify({ ...metadata, jwks: { keys: [publicJwk] } });
  const headers = { "content-type": "application/json" };
  const answer = await expectStatus(await fetch(`${issuer}/oauth/register`, { method: "POST", headers, body }), 201);
  const signer = { clientId: String(answer["client_id"]), kid: "bench", privateJwk, audience: issuer } as Signer;
  return { signer, answer };
};

/** A form with a client assertion. @returns the answer's JSON. */
export const postSignedForm = async (
  address: string,
  { signer, fields, status }: { signer: Signer; fields: Record<string, string>; status: number },
): Promise<Json> => {
  const privateKey = await importJWK(signer.privateJwk as JWK, "ES256");
  if (privateKey instanceof Uint8Array) throw new Error("not a private key");
  const client = { id: signer.clientId, privateKey };
  const assertion = await signAssertion(client, signer.audience, { header: { kid: signer.kid } });
  const body = formBody({ ...fields, client_assertion_type: assertionType, client_assertion: assertion });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return expectStatus(await fetch(address, { method: "POST", headers, body }), status);
};

/** A payer who can sign in, with a card. The rows are inserted directly, which is faster than signing up. */
const insertPayer = async (databaseUrl: string): Promise<Payer> => {
  const db = connectDatabase(databaseUrl, 1);
  const password = randomUUID();
  const [id, createdAt] = [newId("acc"), new Date()];
  const email = `${id.toLowerCase()}@bench.test`;
  const passwordHash = await hashPassword(password);
  const card = { processor: "simulator", processorRef: "pm_card_visa", type: "card", label: "Visa ending in 4242" };
  await db.prisma.account.create({ data: { id, email, displayName: "Bench Payer", passwordHash, createdAt } });
  await db.prisma.paymentMethod.create({
    data: { id: newId("pm"), payerId: id, ...card, isDefault: true, createdAt },
  });
  await db.close();
  return { email, password };
};

export const benchMandateDetails = (merchantId: string, purpose = "Bench") => ({
  type: "payment_mandate_v1",
  actions: ["verify", "charge"],
  currency: "EUR",
  max_amount_per_payment: 5_000,
  periodic_limits: [{ period: "month", alignment: "calendar", max_amount: 99_999_999_999 }],
  payees: [{ id: merchantId }],
  payer_presence: ["in_session", "off_session"],
  purpose,
});

export const parFields = (merchantId: string, codeChallenge: string, count = 1): Record<string, string> => ({
  response_type: "code",
  redirect_uri: redirectUri,
  state: "bench",
  code_challenge: codeChallenge,
  code_challenge_method: "S256",
  authorization_details: JSON.stringify(
    Array.from({ length: count }, (_, index) => benchMandateDetails(merchantId, `Bench ${index + 1}`)),
  ),
});

type ActorOptions = {
  /** each consent approves `mandateCount` mandates */
  consents?: number;
  /** where the agent's events are sent */
  webhookUri?: string;
};

/** Registered clients, and mandates that a payer approved on the consent page. */
export const makeActors = async (
  issuer: string,
  databaseUrl: string,
  { consents = 1, webhookUri }: ActorOptions = {},
): Promise<Actors> => {
  const agent = await register(issuer, {
    client_name: "Bench agent",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    dpop_bound_access_tokens: false,
    ...(webhookUri === undefined ? {} : { webhook_uri: webhookUri }),
  });
  const shop = await register(issuer, {
    client_name: "Bench shop",
    grant_types: ["client_credentials"],
    scope: "mandates.verify charges.write charges.read",
  });
  const merchantId = String(shop.answer["merchant_id"]);
  const payer = await insertPayer(databaseUrl);
  const mandateIds: string[] = [];
  for (let count = 0; count < consents; count++) {
    mandateIds.push(...(await makeMandates(issuer, { agent: agent.signer, merchantId, payer })));
  }
  return { agent: agent.signer, merchant: shop.signer, merchantId, mandateIds };
};

type Payer = { email: string; password: string };

/** One consent. @returns the ids of its mandates. */
const makeMandates = async (
  issuer: string,
  { agent, merchantId, payer }: { agent: Signer; merchantId: string; payer: Payer },
): Promise<string[]> => {
  const { verifier, challenge } = makePkce();
  const fields = parFields(merchantId, challenge, mandateCount);
  const pushed = await postSignedForm(`${issuer}/oauth/par`, { signer: agent, fields, status: 201 });
  const code = await approve(issuer, {
    payer,
    query: formBody({ client_id: agent.clientId, request_uri: String(pushed["request_uri"]) }),
  });
  const token = await postSignedForm(`${issuer}/oauth/token`, {
    signer: agent,
    fields: { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier },
    status: 200,
  });
  const granted = token["authorization_details"] as { identifier: string }[];
  return granted.map(({ identifier }) => identifier);
};

/** The steps of the payer's browser. @returns the authorization code. */
const approve = async (issuer: string, { payer, query }: { payer: Payer; query: string }): Promise<string> => {
  const follow = async (address: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(address, { ...init, redirect: "manual" });
    if (response.status !== 303) throw new Error(`${address} answered ${response.status} instead of a redirect`);
    return response;
  };
  const headers = { origin: issuer, "content-type": "application/x-www-form-urlencoded" };
  const signedIn = await follow(`${issuer}/sign-in/session`, { method: "POST", headers, body: formBody(payer) });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const opened = await follow(`${issuer}/oauth/authorize?${query}`, {});
  const page = new URL(opened.headers.get("location") ?? "", issuer).toString();
  const html = await (await fetch(page, { headers: { cookie } })).text();
  const decided = await follow(`${page}/decision`, {
    method: "POST",
    headers: { ...headers, cookie },
    body: formBody({
      form_token: fieldOf(html, "form_token"),
      payment_method_id: fieldOf(html, "payment_method_id"),
      decision: "approve",
      budget_visible: "on",
      locale: "en-GB",
    }),
  });
  const code = new URL(decided.headers.get("location") ?? "", issuer).searchParams.get("code");
  if (!code) throw new Error(`consent redirected to ${decided.headers.get("location")}`);
  return code;
};

const fieldOf = (html: string, name: string): string => {
  const input = [...html.matchAll(/<input[^>]*>/g)].find(([tag]) => tag.includes(`name="${name}"`))?.[0];
  const value = /value="([^"]*)"/.exec(input ?? "")?.[1];
  if (value === undefined) throw new Error(`the consent page has no ${name}`);
  return value.replaceAll("&amp;", "&");
};
