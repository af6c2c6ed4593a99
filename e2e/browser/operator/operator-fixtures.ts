import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { renderMail } from "#server/platform/mail/rules/render-mail.ts";
import { textOf } from "../../support/answers/wire.ts";
import { currentInstance, type EnvironmentName } from "../../support/instance.ts";
import { charge, makeChargeableMandate } from "../../support/oauth/mandate-flow.ts";
import { test as base, makeBrowserPayer, type Payer, query, signInBySession } from "../fixtures.ts";

type Fixtures = { operator: Payer; console: Page; productionConsole: Page };

const makeOperator = async (
  environment: EnvironmentName,
  role: "admin" | "support" | "viewer" = "admin",
): Promise<Payer> => {
  const operator = await makeBrowserPayer(environment);
  await query(async (client) => {
    await client.query("UPDATE account SET operator_role = $2, is_operator = true WHERE id = $1", [operator.id, role]);
  }, environment);
  return operator;
};

/** A new signed-in operator for each test: in the sandbox and in production. Tests of the status page need production. */
export const test = base.extend<Fixtures>({
  operator: async ({ browserName: _ }, use) => use(await makeOperator("sandbox")),
  console: async ({ page, context, operator, sandboxUrl }, use) => {
    await signInBySession(context, operator, { baseUrl: sandboxUrl });
    await use(page);
  },
  productionConsole: async ({ browser }, use) => {
    const { productionUrl } = currentInstance();
    const context = await browser.newContext({ baseURL: productionUrl });
    await signInBySession(context, await makeOperator("production"), {
      baseUrl: productionUrl,
      environment: "production",
    });
    await use(await context.newPage());
    await context.close();
  },
});

type Mail = { id: string; recipient: string; subject: string };

const content = {
  kind: "webhook_endpoint_off",
  endpointId: "whe_e2e",
  url: "https://shop.example/hooks",
  reason: "failing",
  docsUrl: "https://pay.test/docs/webhooks",
} as const;

/** The HTML that the frame shows. */
export const pageOfMail = (): string => renderMail(content, { environment: "sandbox" }).html;

/** Queues an e-mail, which the workers keep in the outbox. @param addition more markup for its HTML */
export const queueMail = async (addition = ""): Promise<Mail> => {
  const tail = randomBytes(9).toString("hex");
  const mail = { id: `mail_e2e${tail}`, recipient: `admin-${tail}@example.test` };
  const { subject, text, html } = renderMail(content, { environment: "sandbox" });
  await query(async (client) => {
    await client.query(
      `INSERT INTO mail (id, kind, recipient, subject, text, html, state, created_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, 'pending', now(), now())`,
      [mail.id, content.kind, mail.recipient, subject, text, html.replace("</body>", `${addition}</body>`)],
    );
  });
  return { ...mail, subject };
};

/** Creates a declined charge that its processor reports as paid. */
export const contradict = async (sandboxUrl: string, reference: string): Promise<string> => {
  const mandate = await makeChargeableMandate(sandboxUrl);
  const metadata = { simulate: "decline:lost_card" };
  const chargeId = textOf(await charge(mandate, { reference, metadata }), "charge_id");
  await query(async (client) => {
    await client.query(
      `INSERT INTO contradiction (id, charge_id, about, processor_ref, reported, amount, raised_at)
       SELECT $1, id, 'payment', 'pay_late', 'succeeded', amount, now() FROM charge WHERE id = $2`,
      [`ctr_e2e${randomBytes(9).toString("hex")}`, chargeId],
    );
  });
  return chargeId;
};

/** Creates a sent charge with an unknown outcome. @param simulate what the sandbox's processor does with it */
export const createChargeUnderReview = async (
  sandboxUrl: string,
  reference: string,
  simulate: string,
): Promise<string> => {
  const mandate = await makeChargeableMandate(sandboxUrl);
  const chargeId = textOf(await charge(mandate, { reference, metadata: { simulate } }), "id");
  await query(async (client) => {
    const text = "UPDATE charge SET next_lookup_at = NULL WHERE id = $1 AND state = 'unknown'";
    if ((await client.query(text, [chargeId])).rowCount !== 1) throw new Error("a look-up settled the charge first");
  });
  return chargeId;
};
