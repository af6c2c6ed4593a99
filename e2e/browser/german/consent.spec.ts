import { createHash } from "node:crypto";
import { lowerLimit, pushConsentRequest } from "../consent/consent-request.ts";
import { expect, expectGoodLooks, query, test } from "../fixtures.ts";

test("a German payer approves a request and opens the wallet's pages; the stored text is in German", async ({
  signedIn: page,
  payer,
  sandboxUrl,
}) => {
  await query((client) => client.query("UPDATE account SET locale = 'de-DE' WHERE id = $1", [payer.id]));
  const scope = "grant_management_query grant_management_revoke";
  const { url } = await pushConsentRequest(sandboxUrl, {}, { scope });
  await page.goto(url);
  const consentPage = page.url();
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  await expect(page).toHaveTitle("Darf Grocer Bot für Sie bezahlen? · Paygrant");
  for (const words of [
    "Höchstens 60,00\u00a0€ je Zahlung",
    "Höchstens 240,00\u00a0€ pro Monat",
    "Nur bei Fresh Market",
    "Dauerhafte Erlaubnis: Fresh Market",
    "Beginnt, wenn Sie zustimmen",
    "wenn Sie nicht dabei sind",
    "Sie geben jede Zahlung über 40,00\u00a0€ frei",
    "Paygrant hat nicht geprüft, wer das ist",
    "Grocer Bot darf außerdem den Status dieser Erlaubnis sehen und diese Erlaubnis beenden",
  ]) {
    await expect(page.locator("main")).toContainText(words);
  }
  await expectGoodLooks(page, "consent-german");
  await lowerLimit(page, "Je Zahlung höchstens", "25,50");
  await page.getByRole("button", { name: "Zustimmen" }).click();
  await expect(page.getByRole("heading", { name: "Back at the agent" })).toBeVisible();

  const { rows } = await query((client) =>
    client.query("SELECT locale, text, text_hash FROM consent WHERE payer_id = $1", [payer.id]),
  );
  expect(rows).toHaveLength(1);
  const [{ locale, text, text_hash: hash }] = rows;
  expect(locale).toBe("de-DE");
  expect(text).toContain("Darf Grocer Bot für Sie bezahlen?");
  expect(text).toContain("Zugestimmt, Zahlung mit Visa mit den Endziffern 4242.");
  expect(hash).toBe(createHash("sha256").update(text).digest("base64url"));

  for (const [path, title] of [
    ["/wallet/mandates", "Mandate"],
    ["/wallet/activity", "Umsätze"],
    ["/wallet/approvals", "Freigaben"],
    ["/wallet/payment-methods", "Zahlungsmittel"],
  ] as const) {
    await page.goto(`${sandboxUrl}${path}`);
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
  }
  // The request was answered.
  await page.goto(consentPage);
  await expect(page.getByRole("heading", { name: "Sie haben dieser Anfrage zugestimmt" })).toBeVisible();
});
