import { expect, it } from "vitest";
import { mailSamples } from "../samples/mail-samples.ts";
import { framedMail } from "./framed-mail.ts";
import { renderMail } from "./render-mail.ts";

const { html } = renderMail(mailSamples({ locale: "en-GB", timeZone: "UTC" }).verification, {
  environment: "production",
});

it("gives the style sheet the nonce of the page, and one theme", () => {
  const policy = "default-src 'none'; style-src 'self' 'nonce-abc+/=='";
  const dark = framedMail(html, { policy, theme: "dark" });
  expect(dark).toContain('<style nonce="abc+/==">');
  expect(dark).toContain("@media all {");
  expect(framedMail(html, { policy, theme: "light" })).toContain("@media not all {");
  expect(framedMail(html, { policy: null, theme: null })).toBe(html);
});
