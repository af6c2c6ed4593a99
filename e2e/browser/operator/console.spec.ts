import { waitUntil } from "../../support/wait-until.ts";
import { expectNoAxeViolations } from "../axe.ts";
import { expect, expectGoodLooks, query } from "../fixtures.ts";
import { contradict, createChargeUnderReview, pageOfMail, queueMail, test } from "./operator-fixtures.ts";

test("signing in opens the console for an operator (docs/spec/portal.md, Operator console)", async ({
  page,
  operator,
}) => {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(operator.email);
  await page.getByLabel("Password").fill(operator.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/operator$/);
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  await page.getByRole("link", { name: "Wallet" }).click();
  await page.getByRole("link", { name: "Operator console" }).click();
  await expect(page).toHaveURL(/\/operator$/);
});

test("a visitor signs in first; a payer gets the not-found page", async ({ page, signedIn, browser, sandboxUrl }) => {
  const visitor = await (await browser.newContext({ baseURL: sandboxUrl })).newPage();
  await visitor.goto("/operator/outbox");
  await expect(visitor).toHaveURL(/\/sign-in\?return_to=%2Foperator%2Foutbox/);
  const { id } = await queueMail();
  for (const path of ["", "/charges", "/outbox", `/outbox/${id}`]) {
    const answer = await signedIn.goto(`/operator${path}`);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await expect(page.getByText("Outbox")).toHaveCount(0);
  }
});

test("home lists what needs attention, with links", async ({ console: page }) => {
  const { id } = await queueMail();
  await query(async (client) => {
    await client.query(
      "UPDATE mail SET state = 'failed', next_attempt_at = NULL, ended_at = now(), attempts = 9, problem = $2 WHERE id = $1",
      [id, "EENVELOPE: 550 no such user"],
    );
  });
  await page.goto("/operator");
  await expect(page.getByRole("heading", { name: /failed/ })).toBeVisible();
  await page.getByRole("link", { name: "See e-mail" }).click();
  await expect(page).toHaveURL(/state=failed/);
  await page.goto(`/operator/outbox/${id}`);
  await expect(page.getByText("EENVELOPE: 550 no such user")).toBeVisible();
  await page.getByRole("button", { name: "Resend" }).click();
  const dialog = page.getByRole("dialog", { name: "Resend this e-mail?" });
  await dialog.getByLabel("Reason").fill("The mailbox exists now");
  await dialog.getByRole("button", { name: "Resend" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("button", { name: "Resend" })).toHaveCount(0);
});

test("home in production lists the settings that are missing; the sandbox needs none", async ({
  console: page,
  productionConsole,
}) => {
  await productionConsole.goto("/operator");
  const attention = productionConsole.getByRole("region", { name: "Needs attention" });
  await expect(attention.getByRole("heading", { name: "E-mail isn’t sent: no mail server is set up" })).toBeVisible();
  await expect(attention).toContainText("Set SMTP_URL and MAIL_FROM");
  await expect(productionConsole.getByText("Nothing needs attention.")).toHaveCount(0);
  await attention.getByRole("link", { name: "See settings" }).first().click();
  await expect(productionConsole).toHaveURL(/\/operator\/settings$/);
  await page.goto("/operator");
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  await expect(page.getByText("no mail server is set up")).toHaveCount(0);
});

test("the outbox keeps unsent e-mail, and the URL contains its search (docs/spec/operations.md, E-mail)", async ({
  console: page,
}) => {
  const [mail, other] = [await queueMail(), await queueMail()];
  await waitUntil(async () => {
    await page.goto(`/operator/outbox?q=${encodeURIComponent(mail.recipient)}`);
    return (await page.getByRole("cell", { name: "Not sent" }).count()) === 1;
  });
  await expect(page.getByText(other.recipient)).toHaveCount(0);
  await page.getByLabel("Recipient, subject or ID").fill("unknown@example.test");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/q=unknown/);
  await expect(page.getByRole("heading", { name: "No results" })).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/operator\/outbox$/);
  // Other tests send e-mail too, so this e-mail may be on a later page.
  await page.getByLabel("Recipient, subject or ID").fill(mail.recipient);
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("link", { name: mail.subject }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: mail.subject, level: 1 })).toBeVisible();
});

test("an e-mail is shown as text and HTML; its scripts and images don't load", async ({ console: page }) => {
  const refused: string[] = [];
  page.on("console", (message) => refused.push(message.text()));
  const { id, subject } = await queueMail(
    `<script>parent.document.title = "run"</script><img src="https://evil.example/seen.png" onerror="parent.document.title = 'run'">`,
  );
  await page.goto(`/operator/outbox?q=${id}`);
  await page.getByRole("link", { name: subject }).click();
  const frame = page.frameLocator("iframe");
  await expect(frame.getByRole("paragraph").filter({ hasText: "We no longer send events to it" })).toBeVisible();
  expect(await frame.locator(".card").evaluate((card) => getComputedStyle(card).paddingLeft)).toBe("24px");
  const isAsTallAsContent = (element: Element) =>
    element.clientHeight === (element as HTMLIFrameElement).contentDocument?.documentElement.offsetHeight;
  await expect.poll(() => page.locator("iframe").evaluate(isAsTallAsContent)).toBe(true);
  await expect(page.locator("pre")).toContainText("Address: https://shop.example/hooks");
  await expect(page).not.toHaveTitle("run");
  const messages = expect.poll(() => refused.join("\n"));
  await messages.toMatch(/Loading the image 'https:\/\/evil\.example\/seen\.png' violates .*Content Security Policy/);
  await messages.toMatch(/Blocked script execution in 'about:srcdoc'/);
  await expect(page.getByRole("heading", { name: subject, level: 1 })).toBeVisible();
});

test("reading an e-mail needs a recent authentication (docs/spec/portal.md, Recent authentication)", async ({
  console: page,
  operator,
}) => {
  const { id, subject } = await queueMail();
  await query((client) =>
    client.query("UPDATE session SET auth_time = now() - interval '6 minutes' WHERE account_id = $1", [operator.id]),
  );
  await page.goto(`/operator/outbox/${id}`);
  await expect(page.getByRole("heading", { name: subject, level: 1 })).toBeVisible();
  await expect(page.locator("iframe")).toHaveCount(0);
  await expectGoodLooks(page, "outbox-mail-unconfirmed");
  await page.getByRole("button", { name: "Show text" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByLabel("Password").fill(operator.password);
  await proof.getByRole("button", { name: "Confirm and show" }).click();
  await expect(
    page.frameLocator("iframe").getByRole("paragraph").filter({ hasText: "We no longer send events to it" }),
  ).toBeVisible();
});

test("an e-mail looks right at both widths in both themes", async ({ console: page }) => {
  const { id } = await queueMail();
  await page.goto(`/operator/outbox/${id}`);
  await expect(
    page.frameLocator("iframe").getByRole("paragraph").filter({ hasText: "We no longer send events to it" }),
  ).toBeVisible();
  // axe can't run in the frame, so its content is checked as a separate page.
  await expectGoodLooks(page, "outbox-mail", { except: "iframe" });
  await page.goto("about:blank");
  await page.setContent(pageOfMail());
  await expectNoAxeViolations(page);
});

test("a charge that needs review is looked up again, and settled with the processor's answer", async ({
  console: page,
  sandboxUrl,
}) => {
  const id = await createChargeUnderReview(sandboxUrl, "order-arrived", "timeout_after_accept");
  await page.goto("/operator");
  await expect(page.getByRole("heading", { name: /needs? review/ })).toBeVisible();
  await page.getByRole("link", { name: "See charges" }).click();
  await page.getByLabel("Merchant, reference or ID").fill("order-arrived");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/q=order-arrived/);
  // The webhook settles the charge half a minute after the payment, so the test acts immediately.
  await page.locator(`a[href="/operator/charges/${id}"]`).click();
  await page.getByRole("button", { name: "Look up again" }).click();
  const dialog = page.getByRole("dialog", { name: "Look up the outcome again?" });
  await dialog.getByLabel("Reason").fill("The merchant asked");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Succeeded").first()).toBeVisible();
  await expect(page.getByText("“The merchant asked”")).toBeVisible();
  await expect(page.getByRole("button", { name: "Settle charge" })).toHaveCount(0);
});

test("a charge that never arrived is settled as declined, with a reason and a recent authentication (docs/spec/portal.md, Recent authentication)", async ({
  console: page,
  operator,
  sandboxUrl,
}) => {
  const id = await createChargeUnderReview(sandboxUrl, "order-lost", "timeout_before_accept");
  await page.goto("/operator/charges?show=review&q=order-lost");
  await expectGoodLooks(page, "charges-under-review");
  await page.locator(`a[href="/operator/charges/${id}"]`).click();
  await expect(page.getByText(`paygrant:${id}`)).toBeVisible();
  await expectGoodLooks(page, "charge-under-review");
  await page.getByRole("button", { name: "Look up again" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("The processor has no record of it");
  await page.getByRole("button", { name: "Look up", exact: true }).click();
  await expect(page.getByText("The processor has no such payment.")).toBeVisible();
  await query(async (client) => {
    await client.query("UPDATE session SET auth_time = now() - interval '6 minutes' WHERE account_id = $1", [
      operator.id,
    ]);
  });
  await page.getByRole("button", { name: "Settle charge" }).click();
  const dialog = page.getByRole("dialog", { name: "Settle this charge?" });
  await dialog.getByLabel("What you found at the processor").selectOption("No payment");
  await dialog.getByLabel("Reason").fill("Not in the processor’s report of that day");
  await expectGoodLooks(page, "charge-settle");
  await dialog.getByRole("button", { name: "Settle charge" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByLabel("Password").fill(operator.password);
  await proof.getByRole("button", { name: "Confirm and continue" }).click();
  await expect(page.getByText("Declined").first()).toBeVisible();
  await expect(page.getByText("“Not in the processor’s report of that day”")).toBeVisible();
  await expect(page.getByText("not_submitted")).toBeVisible();
});

test("a contradiction between the processor and our records is listed, investigated and closed with a result", async ({
  console: page,
  operator,
  sandboxUrl,
}) => {
  const id = await contradict(sandboxUrl, "order-otherwise");
  await page.goto("/operator");
  await expect(page.getByRole("heading", { name: /contradicts? the processor’s report/ })).toBeVisible();
  await page.goto("/operator/charges?show=review");
  await expectGoodLooks(page, "charges-contradicted");
  await page.locator(`a[href="/operator/charges/${id}"]`).click();
  await expect(page.getByRole("heading", { name: "Contradictions with the processor" })).toBeVisible();
  await expect(
    page.getByText(/^Simulator reports that .* was paid\. In our records, the status of the charge is “Declined”\.$/),
  ).toBeVisible();
  await expectGoodLooks(page, "charge-contradicted");
  await query(async (client) => {
    await client.query("UPDATE session SET auth_time = now() - interval '6 minutes' WHERE account_id = $1", [
      operator.id,
    ]);
  });
  await page.getByRole("button", { name: "Close", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Close this contradiction?" });
  await dialog.getByLabel("Result").fill("Refunded at the processor");
  await dialog.getByRole("button", { name: "Close contradiction" }).click();
  const proof = page.getByRole("dialog", { name: "Confirm that it’s you" });
  await proof.getByLabel("Password").fill(operator.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("“Refunded at the processor”")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Contradictions with the processor" })).toHaveCount(0);
});
