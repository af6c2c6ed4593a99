import { expect, test } from "vitest";
import { textOf } from "../../../support/answers/wire.ts";
import { currentInstance } from "../../../support/instance.ts";
import { agentGet, codeForm, mandateDetails, mandateIdOf, obtainCode } from "../../../support/oauth/mandate-flow.ts";
import { postAs, registerAgent, registerMerchant } from "../../../support/oauth/parties.ts";

const { sandboxUrl } = currentInstance();

test("RFC 9396 §9.1: a resource accepts a token with the largest details that PAR accepts", async () => {
  const [agent, merchant] = await Promise.all([registerAgent(sandboxUrl), registerMerchant(sandboxUrl)]);
  const address = `${sandboxUrl}/merchant_test`;
  const filled = mandateDetails(merchant.merchantId, {
    purpose: "Ж".repeat(140),
    locations: Array.from({ length: 5 }, () => address),
    payees: [
      { id: merchant.merchantId },
      ...Array.from({ length: 11 }, (_, index) => ({ category: String(5940 + index) })),
      ...Array.from({ length: 10 }, (_, index) => ({ category: String(3000 + index) })),
    ],
    periodic_limits: ["day", "week", "month", "quarter", "year"].map((period) => ({
      period,
      alignment: "calendar",
      max_amount: 99_999_999_999,
      max_payments: 99_999_999_999,
    })),
  });
  const details = Array.from({ length: 10 }, () => filled);
  expect(Buffer.byteLength(JSON.stringify(details))).toBeGreaterThan(15 * 1024);
  const pushed = await obtainCode(agent, details);
  const granted = await postAs(agent, "/oauth/token", { form: codeForm(pushed), dpop: pushed.dpop });
  const accessToken = textOf(granted, "access_token");
  const mandate = { ...pushed, agent, merchant, accessToken, merchantToken: "", refreshToken: "", grantId: "" };
  const mandateId = mandateIdOf(granted);
  const answer = await agentGet({ ...mandate, mandateId }, `/oauth/mandates/${mandateId}/charges`);
  expect(answer.status, answer.text).toBe(200);
});
