import type { JsonObject } from "../kernel/json.ts";
import { fromJson } from "./granted-details.ts";
import { isPayee } from "./rules/payees.ts";
import { toPayees } from "./to-terms.ts";

/** Whether a mandate, as granted or as a token narrows it, names this merchant as a payee. Looks at nothing else of it. */
export const mayPay = (details: JsonObject, merchant: { merchantId: string; merchantCategory: string }): boolean =>
  isPayee(toPayees(fromJson(details).payees), merchant);
