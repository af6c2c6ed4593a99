import { expect, it } from "vitest";
import { type NoticeDates, noticeStatus } from "./notice.ts";

const at = (text: string) => new Date(`2026-11-${text}:00Z`);
const open: NoticeDates = {
  chargeId: null,
  canceledAt: null,
  dueAt: at("20T12:00"),
  mandateEndsAt: new Date("2027-01-01T00:00:00Z"),
};

it.each<[string, Partial<NoticeDates>, string]>([
  ["announced", {}, "19T12:00"],
  ["announced", {}, "23T11:59"],
  ["past", {}, "23T12:00"],
  ["canceled", { canceledAt: at("19T00:00") }, "30T00:00"],
  ["canceled", { mandateEndsAt: at("18T00:00") }, "18T00:00"],
  ["announced", { mandateEndsAt: at("18T00:00") }, "17T23:59"],
  ["announced", { mandateEndsAt: at("21T00:00") }, "22T00:00"],
  ["charged", { chargeId: "chg_1" }, "30T00:00"],
  ["charged", { chargeId: "chg_1", mandateEndsAt: at("18T00:00") }, "30T00:00"],
])("a notice is %s (docs/spec/payments.md, Charge notices)", (status, dates, now) => {
  expect(noticeStatus({ ...open, ...dates }, at(now))).toBe(status);
});
