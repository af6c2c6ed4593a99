import { setTimeout as sleep } from "node:timers/promises";
import { type Db, statement } from "#server/data/client.ts";
import { type Answer, textOf } from "../../support/answers/wire.ts";
import { decide, openConsent, signIn } from "../../support/oauth/consent-driver.ts";
import { codeForm, mandateDetails, mandateIdOf, pushFields } from "../../support/oauth/mandate-flow.ts";
import { makeKey, type Signer } from "../../support/oauth/oauth-client.ts";
import { type Merchant, type Party, postAs, redirectUri } from "../../support/oauth/parties.ts";
import { isServerError } from "../server-error.ts";

/** A consent whose redirect to the client was received. */
type Consent = { handle: string; code: string; verifier: string; dpop: Signer; acknowledgedAt: number };

/** `problems`: in words. `exchanged`: the mandates of the consents whose codes were exchanged. */
export type Consents = {
  acknowledged: Consent[];
  exchanged: { handle: string; mandateId: string }[];
  problems: string[];
};

const pauseMilliseconds = 1_000;
/** A code is valid for 60 s. Every second code is used only after the fault. */
const keptMilliseconds = 45_000;

/** @throws Error if a request failed; the payer then gives another consent. */
const giveConsent = async (agent: Party, merchant: Merchant): Promise<Consent> => {
  const dpop = await makeKey();
  const { form, verifier } = pushFields([mandateDetails(merchant.merchantId)]);
  const requestUri = textOf(await postAs(agent, "/oauth/par", { form, dpop }), "request_uri");
  const cookie = await signIn(agent.baseUrl);
  const page = await openConsent(agent.baseUrl, { clientId: agent.id, requestUri }, cookie);
  const answer = await decide(page, cookie, { decision: "approve" });
  const location = answer.headers.get("location") ?? "";
  const code = location.startsWith(redirectUri) && new URL(location).searchParams.get("code");
  if (!code) throw new Error(`decision: ${answer.status} ${answer.text.slice(0, 200)}`);
  return { handle: page.handle, code, verifier, dpop, acknowledgedAt: Date.now() };
};

const patienceMilliseconds = 120_000;

/** Sends the code until there is an answer other than 503. A retry after a lost answer may be refused. */
const exchange = async (agent: Party, { dpop, ...pushed }: Consent): Promise<{ answer: Answer; wasLost: boolean }> => {
  const deadline = Date.now() + patienceMilliseconds;
  for (let wasLost = false; ; wasLost = true) {
    const answer = await postAs(agent, "/oauth/token", { form: codeForm(pushed), dpop }).catch(() => null);
    if (answer && (answer.status !== 503 || Date.now() > deadline)) return { answer, wasLost };
    if (Date.now() > deadline) throw new Error(`no response to a code within ${patienceMilliseconds / 1000} s`);
    await sleep(300);
  }
};

const exchangeInto = async (consents: Consents, agent: Party, consent: Consent): Promise<void> => {
  const { answer, wasLost } = await exchange(agent, consent);
  const { handle, acknowledgedAt } = consent;
  if (answer.status === 200) consents.exchanged.push({ handle, mandateId: mandateIdOf(answer) });
  const isInTime = Date.now() - acknowledgedAt < keptMilliseconds;
  const mayRefuse = answer.status === 400 && (wasLost || !isInTime);
  if (answer.status !== 200 && !mayRefuse)
    consents.problems.push(`the code of consent ${handle} was answered with ${answer.status} ${answer.text}`);
};

/** The demo payer gives consents, one after the other. @returns a function that ends this and exchanges all codes. */
export const giveConsents = (agent: Party, merchant: Merchant): (() => Promise<Consents>) => {
  const consents: Consents = { acknowledged: [], exchanged: [], problems: [] };
  const kept: Consent[] = [];
  let isEnding = false;
  const giveAll = async () => {
    for (; !isEnding; await sleep(pauseMilliseconds)) {
      try {
        const consent = await giveConsent(agent, merchant);
        consents.acknowledged.push(consent);
        if (consents.acknowledged.length % 2 === 0) kept.push(consent);
        else await exchangeInto(consents, agent, consent);
      } catch (error) {
        if (isServerError(error)) consents.problems.push(`a consent failed: ${error}`);
      }
      while (kept[0] && Date.now() - kept[0].acknowledgedAt > keptMilliseconds - 10_000)
        await exchangeInto(consents, agent, kept.shift() as Consent);
    }
  };
  const giving = giveAll();
  return async () => {
    isEnding = true;
    await giving;
    for (const consent of kept) await exchangeInto(consents, agent, consent);
    return consents;
  };
};

type Row = { handle: string; decision: string | null; mandateIds: string[] };
const list = statement<Row>(
  "list_decided_requests",
  `SELECT p.handle, c.decision, array(SELECT m.id FROM mandate m WHERE m.grant_id = c.grant_id) AS "mandateIds"
   FROM pushed_request p LEFT JOIN consent c ON c.id = p.consent_id WHERE p.client_id = $1`,
);

/** Checks that each acknowledged consent exists, with the mandate that its token names. @returns what is wrong. */
export const compareConsents = async (db: Db, agent: Party, consents: Consents): Promise<string[]> => {
  const rows = new Map((await db.sql.query(list, [agent.id])).map((row) => [row.handle, row]));
  const lost = consents.acknowledged.filter(({ handle }) => rows.get(handle)?.decision !== "approve");
  const missing = consents.exchanged.filter(
    ({ handle, mandateId }) => !rows.get(handle)?.mandateIds.includes(mandateId),
  );
  return [
    ...consents.problems,
    ...lost.map(({ handle }) => `consent ${handle} was acknowledged and is lost`),
    ...missing.map(({ handle, mandateId }) => `consent ${handle} has no mandate ${mandateId}`),
  ];
};
