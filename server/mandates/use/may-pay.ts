import type { JsonObject } from "../../kernel/text/json.ts";
import { fromJson } from "../details/granted-details.ts";
import { toPayees } from "../details/to-terms.ts";
import { isPayee } from "../rules/payees.ts";

/** Whether the payees of a mandate, as granted or narrowed by a token, include this merchant. Checks nothing else. */
export const mayPay = (details: JsonObject, merchant: { merchantId: string; merchantCategory: string }): boolean =>
  isPayee(toPayees(fromJson(details).payees), merchant);
