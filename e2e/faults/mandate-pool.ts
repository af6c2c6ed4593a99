import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../malformed/random.ts";
import { type Granted, mandateDetails, obtainMandate } from "../support/oauth/mandate-flow.ts";
import { type Merchant, type Party, postAs, registerAgent } from "../support/oauth/parties.ts";
import { narrowInWallet, revokeInWallet } from "../support/oauth/wallet.ts";
import type { Complaints } from "./orders.ts";
import { isServerError } from "./server-error.ts";

export type Caps = {
  max_amount_per_payment: number;
  max_total_amount?: number;
  max_payments?: number;
  periodic_limits?: readonly { period: "day"; alignment: "calendar"; max_amount?: number; max_payments?: number }[];
  refund_policy?: "restore";
  step_up_above?: number;
};

/** Every kind of mandate except the first has limits that are low enough to refuse charges. */
const kinds: readonly Caps[] = [
  { max_amount_per_payment: 900, max_total_amount: 99_000_000 },
  { max_amount_per_payment: 900, max_total_amount: 30_000 },
  { max_amount_per_payment: 900, max_total_amount: 20_000, refund_policy: "restore" },
  { max_amount_per_payment: 900, max_payments: 60 },
  { max_amount_per_payment: 900, max_total_amount: 40_000, step_up_above: 450 },
  {
    max_amount_per_payment: 900,
    max_total_amount: 99_000_000,
    periodic_limits: [{ period: "day", alignment: "calendar", max_amount: 25_000, max_payments: 90 }],
    refund_policy: "restore",
  },
];

/** Caps that a payer lowers, and their initial values. */
const narrowed: readonly (readonly [string, number])[] = [
  ["per_payment", 900],
  ["total", 30_000],
  ["total_count", 60],
  ["day:calendar", 25_000],
  ["day:calendar:count", 90],
];

export type PooledMandate = Granted & { agent: Party; merchants: readonly Merchant[]; caps: Caps };

/** After this many refusals in a row, a mandate counts as used up and is replaced. */
const worn = 25;

type Slot = { caps: Caps; agent: Party; mandate: PooledMandate; refusals: number; isReplacing: boolean };

/** Mandates of several agents for several merchants. A mandate that ends is replaced by one with the same caps. */
export type MandatePool = {
  /** all mandates of the run */
  readonly all: readonly PooledMandate[];
  pick(random: Random): PooledMandate;
  /** Records the result of a charge. After many refusals in a row, the mandate counts as used up. */
  note(mandate: PooledMandate, isRefused: boolean): void;
  /**
   * Revokes a mandate, as the payer or as the client does. @returns the mandate after the response to the revocation.
   */
  revoke(random: Random): Promise<PooledMandate>;
  /** Lowers a cap of a mandate, as the payer does. */
  narrow(random: Random): Promise<void>;
  settled(): Promise<unknown>;
};

type Persistence = { isOver: () => boolean; complaints: Complaints };

const persist = async <T>(work: () => Promise<T>, { isOver, complaints }: Persistence): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (isServerError(error)) complaints.problems.push(String(error).slice(0, 300));
      // A process that was killed answers again after some time.
      if (isOver()) throw error;
      await sleep(300);
    }
  }
};

export const createMandatePool = async (
  baseUrl: string,
  input: Persistence & { merchants: readonly Merchant[]; hookUrl: string },
): Promise<MandatePool> => {
  const { merchants, isOver } = input;
  const all: PooledMandate[] = [];
  const replacing = new Set<Promise<void>>();

  const obtain = async (agent: Party, caps: Caps, turn: number): Promise<PooledMandate> => {
    const mandate = await obtainWithCaps(agent, caps, choosePayees(merchants, turn));
    all.push(mandate);
    return mandate;
  };

  const slots: Slot[] = [];
  for (const [turn, caps] of kinds.entries()) {
    const agent = await registerAgent(baseUrl, { metadata: { webhook_uri: `${input.hookUrl}/${turn}` } });
    slots.push({ caps, agent, mandate: await obtain(agent, caps, turn), refusals: 0, isReplacing: false });
  }

  const replace = (slot: Slot): void => {
    if (slot.isReplacing || isOver()) return;
    slot.isReplacing = true;
    const work = persist(() => obtain(slot.agent, slot.caps, all.length), input)
      .then((mandate) => Object.assign(slot, { mandate, refusals: 0 }))
      // This happens only after the end of the run, when the mandate isn't needed any more.
      .catch(() => undefined)
      .then(() => {
        slot.isReplacing = false;
        replacing.delete(work);
      });
    replacing.add(work);
  };

  return {
    all,
    pick: (random) => (random.chance(30) ? slots[0] : random.pick(slots))?.mandate ?? random.pick(all),
    note(mandate, isRefused) {
      const slot = slots.find((one) => one.mandate === mandate);
      if (!slot) return;
      slot.refusals = isRefused ? slot.refusals + 1 : 0;
      if (slot.refusals >= worn) replace(slot);
    },
    async revoke(random) {
      const slot = random.pick(slots);
      const { mandate } = slot;
      const by = random.pick([revokeAsPayer, revokeAsClient]);
      await persist(() => by(baseUrl, mandate), input);
      replace(slot);
      return mandate;
    },
    async narrow(random) {
      const { mandateId } = random.pick(slots).mandate;
      const cap = drawLowerCap(random);
      await persist(() => narrowAsPayer(baseUrl, { mandateId, ...cap }), input);
    },
    settled: () => Promise.all(replacing),
  };
};

/** Chooses two neighbouring merchants, and the next pair at each turn, so that mandates share merchants. */
const choosePayees = (merchants: readonly Merchant[], turn: number): Merchant[] =>
  [0, 1].map((step) => merchants[(turn + step) % merchants.length]).filter((one) => one !== undefined);

const obtainWithCaps = async (agent: Party, caps: Caps, payees: readonly Merchant[]): Promise<PooledMandate> => {
  const named = payees.map(({ merchantId }) => ({ id: merchantId }));
  // Caps that a kind doesn't have are left out, even if the usual details have them.
  const details = mandateDetails("", { max_total_amount: undefined, ...caps, payees: named });
  return { ...(await obtainMandate(agent, details)), agent, merchants: payees, caps };
};

/** 60 to 99% of a cap's initial value. */
const drawLowerCap = (random: Random): { limitKey: string; capMinor: number } => {
  const [limitKey, highest] = random.pick(narrowed);
  return { limitKey, capMinor: Math.ceil((highest * (60 + random.below(40))) / 100) };
};

const narrowAsPayer = async (baseUrl: string, cap: Parameters<typeof narrowInWallet>[1]): Promise<void> => {
  const answer = await narrowInWallet(baseUrl, cap);
  // The mandate may have ended in the meantime. It may also have this cap or a lower one already, if the answer to an
  // earlier attempt was lost.
  if (![200, 400, 409].includes(answer.status)) throw new Error(`narrow: ${answer.status} ${answer.text}`);
};

const revokeAsPayer = async (baseUrl: string, { mandateId }: PooledMandate): Promise<void> => {
  const answer = await revokeInWallet(baseUrl, mandateId);
  // The mandate may have ended in the meantime, and an earlier answer may have been lost.
  if (answer.status !== 200 && answer.status !== 409) throw new Error(`revoke: ${answer.status} ${answer.text}`);
};

/** Revokes the mandate's refresh token (RFC 7009), which ends the grant. */
const revokeAsClient = async (_baseUrl: string, { agent, dpop, refreshToken }: PooledMandate): Promise<void> => {
  const answer = await postAs(agent, "/oauth/revoke", { form: { token: refreshToken }, dpop });
  if (answer.status !== 200) throw new Error(`revoke: ${answer.status} ${answer.text}`);
};
