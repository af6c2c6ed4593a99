import { expect, test } from "vitest";
import { readChargeQuery } from "./charge-query.ts";

test.each([
  ["chg_0A1", { kind: "charge", id: "chg_0A1" }],
  ["rfd_0A1", { kind: "refund", id: "rfd_0A1" }],
  ["dsp_0A1", { kind: "dispute", id: "dsp_0A1" }],
  ["mdt_0A1", { kind: "mandate", id: "mdt_0A1" }],
  ["mch_demo", { kind: "merchant", id: "mch_demo" }],
  ["acc_0A1", { kind: "payer", id: "acc_0A1" }],
])("%s is an id", (text, query) => expect(readChargeQuery(text)).toEqual(query));

test.each(["Order 77", "pi_3Nabc", "chg_", "chg_1 2", "cl_live_1", "acc-1", `chg_${"a".repeat(61)}`])(
  "%s is a reference, a processor's id or a name",
  (text) => expect(readChargeQuery(text)).toEqual({ kind: "text", text }),
);
