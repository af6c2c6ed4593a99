import type { CallOptions } from "../http/call-options.ts";
import { isMembers } from "../wire/members.ts";
import { callMerchantApi, toObject } from "./call-merchant-api.ts";
import type { Session } from "./client-credentials.ts";
import type { Charge, ChargeStatus } from "./objects.ts";

export type ChargeFilter = {
  status?: ChargeStatus;
  mandateId?: string;
  reference?: string;
  createdFrom?: Date | string;
  createdTo?: Date | string;
  /** charges per request; the iterator has no limit */
  limit?: number;
};

const toText = (time: Date | string | undefined): string | undefined =>
  time instanceof Date ? time.toISOString() : time;

/** The merchant's charges, newest first. Each page is fetched when it is needed; `timeoutMs` applies to each page. */
export async function* listCharges(
  session: Session,
  filter: ChargeFilter = {},
  options: CallOptions = {},
): AsyncGenerator<Charge, void, undefined> {
  const fixed = { ...filter, createdFrom: toText(filter.createdFrom), createdTo: toText(filter.createdTo) };
  for (let startingAfter: string | undefined; ; ) {
    const query = { ...fixed, startingAfter };
    const page = await callMerchantApi(session, { method: "GET", path: "/charges", query }, options);
    const charges = Array.isArray(page["data"]) ? page["data"].filter(isMembers).map(toObject<Charge>) : [];
    yield* charges;
    startingAfter = charges.at(-1)?.id;
    if (page["has_more"] !== true || startingAfter === undefined) return;
  }
}
