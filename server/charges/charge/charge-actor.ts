import type { Actor } from "../../data/audit/audit.ts";

/** Who of a merchant asks: a client of it or, in the dashboard, a member by their account. An id alone tells which. */
export const askerOf = (id: string): Actor => ({ kind: id.startsWith("acc_") ? "merchant" : "client", id });
