import { randomBytes } from "node:crypto";

/** Every public id has a prefix that shows the kind of object. */
export type IdPrefix =
  | "acc" // account (payer, member, operator)
  | "sub" // a subscriber of status updates
  | "ntf" // an attempt to notify a subscriber
  | "ses" // session
  | "sup" // pending sign-up
  | "psk" // passkey
  | "sev" // entry of the sign-in history
  | "ech" // change of an e-mail address
  | "opi" // invitation of an operator
  | "mch" // merchant
  | "pac" // request to create a merchant's account at the processor
  | "ptc" // participant of the directory
  | "ptt" // offer of a directory entry to another merchant
  | "cl_live" // client, production
  | "cl_test" // client, sandbox
  | "iat" // initial access token
  | "sst" // software statement
  | "grt" // grant
  | "mdt" // mandate
  | "con" // consent
  | "pm" // payment method
  | "exp" // export of an account's data
  | "cst" // card that a payer is adding
  | "chg" // charge
  | "ntc" // notice of a charge that a merchant announces
  | "rfd" // refund
  | "dsp" // dispute
  | "vrf" // verification, a check by verify-mandate
  | "uev" // usage event of a merchant's own meters
  | "mev" // event of a built-in meter
  | "bsub" // subscription of a merchant to a plan
  | "cpa" // coupon applied to a subscription
  | "inv" // invoice or credit note of the billing engine
  | "il" // line of an invoice or credit note
  | "bpay" // an attempt to pay an invoice
  | "bcs" // card for invoices that a merchant is adding
  | "crg" // credit grant
  | "bud" // budget alert of a merchant
  | "ltx" // transaction of the billing ledger
  | "lent" // entry of the billing ledger
  | "ctr" // contradiction between a processor and our records
  | "spd" // the spending of one mandate token
  | "evt" // event
  | "mail" // mail
  | "whe" // webhook endpoint
  | "whs" // webhook secret
  | "whd" // webhook delivery
  | "inc" // incident
  | "mtn" // maintenance
  | "upd" // an update of an incident or maintenance
  | "cch" // change of a component's state
  | "alt" // alert
  | "act" // action of a postmortem
  | "req" // request id in logs
  | "key"; // signing key

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz";
const limit = 256 - (256 % alphabet.length);

/**
 * Random bytes are generated for a hundred ids at a time, as node:crypto does for its UUIDs, because one call to the
 * generator costs more than making an id.
 */
const poolSize = 4096;
let pool = randomBytes(poolSize);
let used = 0;

/** Reserves bytes of the pool, so that each byte is used once. @returns the position of the first byte. */
const takeBytes = (count: number): number => {
  if (used + count > poolSize) {
    pool = randomBytes(poolSize);
    used = 0;
  }
  used += count;
  return used - count;
};

/** @returns `length` random characters from an alphabet of 54; 24 characters have 138 bits. */
const randomText = (length: number): string => {
  let text = "";
  while (text.length < length) {
    const at = takeBytes(1);
    const byte = pool[at] ?? limit;
    if (byte < limit) text += alphabet.charAt(byte % alphabet.length);
  }
  return text;
};

/** @returns for example `mdt_` and 24 random characters (138 bits). */
export const newId = (prefix: IdPrefix): string => `${prefix}_${randomText(24)}`;

/** A bearer secret: 256 random bits, base64url, 43 characters. */
export const newSecret = (): string => {
  const at = takeBytes(32);
  const bytes = pool.subarray(at, at + 32);
  const secret = bytes.toString("base64url");
  bytes.fill(0);
  return secret;
};
