import { describe, expect, test } from "vitest";
import { goneReport, type ProcessorState, processorState } from "./processor-state.ts";

const fresh = {
  account: "acct_1",
  chargesEnabled: false,
  detailsSubmitted: false,
  due: ["business_type"],
  pastDue: ["business_type"],
  pending: [],
  disabledReason: "requirements.past_due",
};
const submitted = { ...fresh, detailsSubmitted: true, due: [], pastDue: [] };

describe("the state of a merchant's account (docs/spec/portal.md, Processor account)", () => {
  test.each<[string, Partial<typeof fresh> | object, ProcessorState]>([
    ["no account", { account: "" }, "not_connected"],
    ["a new account, all of whose details are past due", {}, "details_needed"],
    ["Stripe checks the submitted details", { ...submitted, pending: ["company.tax_id"] }, "in_review"],
    ["under review", { ...submitted, disabledReason: "under_review" }, "in_review"],
    ["Stripe needs one more detail", { ...submitted, due: ["company.tax_id"], disabledReason: null }, "details_needed"],
    ["a deadline has passed", { ...submitted, due: ["company.tax_id"], pastDue: ["company.tax_id"] }, "restricted"],
    ["charges enabled", { ...submitted, chargesEnabled: true, disabledReason: null }, "enabled"],
    ["charges enabled, with a deadline", { ...submitted, chargesEnabled: true, due: ["company.tax_id"] }, "enabled"],
    ["rejected", { ...submitted, disabledReason: "rejected.fraud" }, "disabled"],
    ["on a list of prohibited persons", { ...submitted, disabledReason: "listed" }, "disabled"],
    ["disconnected", goneReport, "disconnected"],
  ])("%s", (_, facts, state) => expect(processorState({ ...fresh, ...facts })).toBe(state));
});
