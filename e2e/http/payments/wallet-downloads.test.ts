import { beforeAll, describe, expect, test } from "vitest";
import { send, textOf } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";
import { signIn } from "../../support/oauth/consent-driver.ts";
import * as flow from "../../support/oauth/mandate-flow.ts";

const { sandboxUrl } = currentInstance();

let cookie: string;
let mandateId: string;
let chargeId: string;
beforeAll(async () => {
  const own = await flow.makeChargeableMandate(sandboxUrl);
  mandateId = own.mandateId;
  chargeId = textOf(await flow.chargeUntilFinal(own, { reference: "=cmd()" }), "id");
  cookie = await signIn(sandboxUrl);
});

const download = (path: string, headers: Record<string, string> = { cookie }) =>
  send(`${sandboxUrl}${path}`, { headers });

describe("downloads of the wallet (docs/spec/portal.md, Wallet)", () => {
  const paths = [
    () => `/wallet/activity/${chargeId}/receipt.pdf`,
    () => `/wallet/activity/${chargeId}/receipt.json`,
    () => `/wallet/mandates/${mandateId}/receipt.pdf`,
    () => `/wallet/mandates/${mandateId}/receipt.json`,
    () => "/wallet/activity/export.csv",
  ];

  test.each(paths.map((path, index) => [index, path] as const))(
    "path %i: only the payer can download the file",
    async (_, path) => {
      const answer = await download(path());
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
      expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w.]+"$/);
      const visitor = await download(path(), {});
      expect(visitor.status).toBe(303);
      expect(visitor.headers.get("location")).toBe(`/sign-in?return_to=${encodeURIComponent(path())}`);
    },
  );

  test.each(["activity", "mandates"])("the receipt of an unknown id in %s is not found", async (list) => {
    for (const ending of ["pdf", "json"]) {
      const answer = await download(`/wallet/${list}/chg_unknown/receipt.${ending}`);
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('<html lang="en">');
      expect(answer.text).toContain('<a href="/wallet">Go to the wallet</a>');
    }
  });

  test("the CSV is filtered as requested and escapes formulas; an unknown filter is refused", async () => {
    const { text, headers } = await download(`/wallet/activity/export.csv?mandate=${mandateId}`);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    const lines = text.trimEnd().split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(",'=cmd(),Paid,EUR,12.50,12.50,0.00");
    const refused = await download("/wallet/activity/export.csv?show=everything");
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('<a href="/wallet">Go to the wallet</a>');
    expect((await download("/wallet/activity/export.csv?agnet=x")).status).toBe(400);
  });
});
