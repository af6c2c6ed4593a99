import { base64url } from "jose";
import type { Client } from "../clients/client.ts";
import type { CallOptions } from "../http/call-options.ts";
import { signWith } from "../keys/key-pair.ts";
import { sha256, utf8 } from "../wire/bytes.ts";
import { toSnake } from "../wire/names.ts";
import { fetchCredential } from "./fetch-credential.ts";
import { type Grant, holderKey } from "./grant.ts";

export type PresentationRequest = {
  grant: Grant;
  mandateId: string;
  /** id of the merchant that the presentation is for */
  audience: string;
  /** the payment; the merchant can't charge a higher amount or another currency */
  transaction: { amount: number; currency: string; transactionId?: string };
  /** the merchant's nonce; by default a random one */
  nonce?: string;
  /**
   * members of the mandate to disclose, for example `maxAmountPerPayment`; default: no members, because the server
   * doesn't need them
   */
  disclose?: readonly string[];
};

const nameOf = (disclosure: string): unknown => {
  const parts: unknown = JSON.parse(new TextDecoder().decode(base64url.decode(disclosure)));
  return Array.isArray(parts) ? parts[1] : null;
};

/** The SD-JWT with only the chosen disclosures (RFC 9901 §4). @throws TypeError for a name that isn't concealed. */
const withDisclosures = (credential: string, names: readonly string[]): string => {
  const [jwt = "", ...rest] = credential.split("~");
  const disclosures = rest.filter((part) => part !== "").map((text) => ({ text, name: nameOf(text) }));
  const wanted = new Set(names.flatMap((name) => Object.keys(Object(toSnake({ [name]: true })))));
  for (const name of wanted) {
    if (!disclosures.some((disclosure) => disclosure.name === name)) {
      throw new TypeError(`disclose: the mandate has no concealed member ${name}`);
    }
  }
  const chosen = disclosures.filter(({ name }) => typeof name === "string" && wanted.has(name));
  return [jwt, ...chosen.map(({ text }) => text), ""].join("~");
};

/**
 * Fetches the mandate's credential and binds it to one payment at one merchant (SD-JWT with key binding, RFC 9901
 * §4.3).
 * @returns the presentation. The merchant can charge it once, within 10 minutes.
 */
export const presentMandate = async (
  agent: Client,
  { grant, mandateId, audience, transaction, nonce = crypto.randomUUID(), disclose = [] }: PresentationRequest,
  options: CallOptions = {},
): Promise<string> => {
  const credential = await fetchCredential(agent, { grant, mandateId }, options);
  const disclosed = withDisclosures(credential, disclose);
  const claims = {
    aud: audience,
    nonce,
    iat: Math.floor(Date.now() / 1000),
    sd_hash: base64url.encode(await sha256(utf8(disclosed))),
    transaction: toSnake({ ...transaction, transactionId: transaction.transactionId ?? crypto.randomUUID() }),
  };
  return disclosed + (await signWith(holderKey(agent, grant), { typ: "kb+jwt" }, claims));
};
