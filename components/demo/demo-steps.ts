import type { GrantedLimits } from "./protocol/demo-granted.ts";
import type { Exchange } from "./protocol/demo-wire.ts";

/** The steps of the demo, in order. Their names are stored in the tab. */
export const stepIds = ["register", "request", "decide", "token", "check", "charge", "stop", "refused"] as const;
export type StepId = (typeof stepIds)[number];

/** The state that is stored in this tab. Keys and tokens are stored in IndexedDB instead. */
export type DemoState = {
  /** the next step; `done` after the last */
  next: StepId | "done";
  exchanges: Partial<Record<StepId, Exchange[]>>;
  merchantId: string | null;
  authorizationUrl: string | null;
  mandateId: string | null;
  granted: GrantedLimits | null;
};

export const initialState: DemoState = {
  next: "register",
  exchanges: {},
  merchantId: null,
  authorizationUrl: null,
  mandateId: null,
  granted: null,
};

export const agentName = "Pip, the coffee agent";
export const shopName = "Bean & Leaf";
export const currency = "EUR";
export const coffee = { name: "House blend, 1 kg", amountMinor: 1450 };
export const machine = { name: "Espresso machine", amountMinor: 24900 };
/** The limits that the agent requests. The payer may lower them. */
export const requestedLimits: GrantedLimits = { perPaymentMinor: 2000, perMonthMinor: 6000 };

/** @throws Error if a value of an earlier step is missing. */
export const requireValue = (value: string | null): string => {
  if (value === null) throw new Error("An earlier step is missing. Start over.");
  return value;
};
