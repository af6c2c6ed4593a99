import { dayIn } from "#server/kernel/time/calendar.ts";
import type { Reader } from "../../format/reader.ts";
import { listAddress } from "../../portal/lists/list-address.ts";

/** The audit log's entries about an object since it was created. Without a date, the log shows one day. */
export const operatorAuditAddress = (object: { id: string; createdAt: string }, { timeZone }: Reader): string =>
  listAddress("/operator/audit", { subject: object.id, from: dayIn(timeZone, new Date(object.createdAt)) });
