import type { AccountReport, NewAccount } from "../kernel/processor-account.ts";

export type AccountCreation =
  | { kind: "created"; account: string }
  /** another request with the same key is in progress */
  | { kind: "busy" }
  /** an error is the final answer under this key; the account may exist */
  | { kind: "failed" }
  /** nothing was created. `detail`: the processor's message, for the log */
  | { kind: "refused"; code: string; detail: string }
  | { kind: "not_sent" }
  | { kind: "unknown" };

/** The merchants' own accounts at the processor. */
export type MerchantAccounts = {
  /** Creates one account per key. */
  create(request: { key: string; details: NewAccount }): Promise<AccountCreation>;
  /** Searches for an account that `create` made for the merchant at `since` or later. */
  search(request: {
    merchantId: string;
    since: Date;
  }): Promise<{ kind: "found"; account: string } | { kind: "not_found" } | { kind: "unknown" }>;
  /** The URL of a page of the processor on which the merchant enters its details. The URL works once. */
  link(request: {
    account: string;
    returnUrl: string;
    /** where the processor sends a person whose page has expired or was opened before */
    refreshUrl: string;
  }): Promise<{ kind: "link"; pageUrl: string } | { kind: "gone" } | { kind: "unknown" }>;
  /** `gone`: the account was deleted, or the merchant disconnected it. */
  read(request: {
    account: string;
  }): Promise<{ kind: "report"; report: AccountReport } | { kind: "gone" } | { kind: "unknown" }>;
};
