import type { JsonObject } from "../../kernel/text/json.ts";
import { fromJson } from "../details/granted-details.ts";
import { toPayees } from "../details/to-terms.ts";
import { isPayee } from "../rules/payees.ts";

/** Whether a mandate, as granted or as a token narrows it, names this merchant as a payee. Looks at nothing else of it. */
export const mayPay = (details: JsonObject, merchant: { merchantId: string; merchantCategory: string }): boolean =>
  isPayee(toPayees(fromJson(details).payees), merchant);
