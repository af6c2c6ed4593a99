import { describe, expect, it } from "vitest";
import { mailKindsWithSecret } from "../../../kernel/mail-kinds.ts";
import { mailSamples } from "../samples/mail-samples.ts";
import type { ContentOf, MailContent, MailKind } from "./mail-content.ts";
import { renderMail } from "./render-mail.ts";

const approval: MailContent = {
  kind: "approval_needed",
  merchantName: "Fresh Market",
  clientName: "Grocer Bot",
  amountMinor: 123_456n,
  currency: "EUR",
  approvalUrl: "https://pay.example/wallet/approvals/chg_1?a=1&b=2",
  expiresAt: new Date("2026-11-21T13:15:00Z"),
  isLast: false,
  reader: { locale: "en-GB", timeZone: "Europe/Berlin" },
};
const confirmation: MailContent = {
  ...approval,
  kind: "confirmation_needed",
  approvalUrl: "https://pay.example/wallet/approvals/chg_1",
};
const announcement: MailContent = {
  kind: "charge_announced",
  merchantName: "Fresh Market",
  clientName: "Grocer Bot",
  amountMinor: 123_456n,
  currency: "EUR",
  reference: "Invoice 12",
  dueAt: new Date("2026-11-21T13:15:00Z"),
  noticeUrl: "https://pay.example/wallet/upcoming/ntc_1",
  reader: { locale: "en-GB", timeZone: "Europe/Berlin" },
};
const off: MailContent = {
  kind: "webhook_endpoint_off",
  endpointId: "whe_1",
  url: "https://shop.example/hooks?a&b",
  reason: "failing",
  docsUrl: "https://pay.example/docs/webhooks",
};

describe("a payment that needs an approval (docs/spec/payments.md, Step-up)", () => {
  const mail = renderMail(approval, { environment: "production" });

  it("has the merchant, the amount and the expiry in the payer's locale, and a link", () => {
    expect(mail.subject).toBe("Approve €1,234.56 to Fresh Market?");
    expect(mail.text).toContain("Fresh Market asks for €1,234.56.");
    expect(mail.text).toContain("Agent: Grocer Bot");
    expect(mail.text).toMatch(/Expires: 21\sNovember\s.*14:15\sCET/);
    expect(mail.text).toContain("\nhttps://pay.example/wallet/approvals/chg_1?a=1&b=2\n");
  });

  it("has the same content in HTML, with a real link", () => {
    expect(mail.html).toMatch(
      /<a href="https:\/\/pay\.example\/wallet\/approvals\/chg_1\?a=1&amp;b=2" class="button".*>Approve or decline</,
    );
    for (const words of ["Fresh Market", "€1,234.56", "Grocer Bot", "14:15\u00a0CET"])
      expect(mail.html).toContain(words);
  });

  it("says, in the last mail of an hour, that further requests appear in the wallet", () => {
    expect(mail.text).not.toContain("under Approvals");
    expect(renderMail({ ...approval, isLast: true }, { environment: "production" }).text).toContain(
      "in your wallet, under Approvals",
    );
  });

  it.each(["KWD", "JPY"])("formats amounts in %s with the currency's own digits", (currency) => {
    const { text } = renderMail(
      { ...approval, currency, reader: { locale: "en-GB", timeZone: "UTC" } },
      { environment: "production" },
    );
    expect(text).toContain(currency === "KWD" ? "KWD\u00a0123.456" : "JP¥123,456");
  });
});

describe("an announced payment (docs/spec/payments.md, Charge notices)", () => {
  it("has the exact amount in the subject, the due time, the reference and a link to pause", () => {
    const { subject, text } = renderMail(announcement, { environment: "production" });
    expect(subject).toBe("Fresh Market will charge €1,234.56");
    expect(text).toMatch(/Due: 21\sNovember\s.*14:15\sCET/);
    expect(text).toContain("Reference: Invoice 12");
    expect(text).toContain("Pause Grocer Bot:\nhttps://pay.example/wallet/upcoming/ntc_1");
  });
});

describe("a payment that the bank wants to authenticate (docs/spec/payments.md, Step-up)", () => {
  it("has a link to continue at the bank, and doesn't mention an approval", () => {
    const { subject, text } = renderMail(confirmation, { environment: "production" });
    expect(subject).toBe("Confirm €1,234.56 to Fresh Market?");
    expect(text).toContain("Your bank needs to confirm that it’s you");
    expect(text).toContain("Continue at your bank:\nhttps://pay.example/wallet/approvals/chg_1");
    expect(text).not.toMatch(/approve|decline/i);
  });
});

describe("a postmortem that isn’t published (docs/spec/status.md, Postmortems)", () => {
  const due: MailContent = {
    kind: "postmortem_due",
    title: "Payments\r\nfail",
    dueOn: new Date("2026-11-27"),
    isOverdue: false,
    incidentUrl: "https://pay.example/operator/incidents/inc_1",
  };

  it("names the incident and the due day, and links to the form", () => {
    const { subject, text } = renderMail(due, { environment: "production" });
    expect(subject).toBe("A postmortem is due: “Payments fail”");
    expect(text).toContain("Due by the end of: 27\u00a0November\u00a02026, UTC");
    expect(text).toContain("Write it:\nhttps://pay.example/operator/incidents/inc_1");
  });

  it("says that it is overdue", () => {
    const { subject, text } = renderMail({ ...due, isOverdue: true }, { environment: "production" });
    expect(subject).toBe("The postmortem of “Payments fail” is overdue");
    expect(text).toContain("is overdue. The status page shows this.");
    expect(text).toContain("Was due by the end of: 27\u00a0November\u00a02026, UTC");
  });
});

describe("a passkey that was added or removed (docs/spec/portal.md, Security)", () => {
  const added: MailContent = {
    kind: "passkey_added",
    name: "Work\r\nlaptop",
    at: new Date("2026-11-21T13:15:00Z"),
    securityUrl: "https://pay.example/wallet/security",
    reader: { locale: "en-GB", timeZone: "Europe/Berlin" },
  };

  it("has the name, the time and what to do if it wasn't the owner", () => {
    const { subject, text } = renderMail(added, { environment: "production" });
    expect(subject).toBe("A passkey was added to your account");
    expect(text).toContain("Passkey: Work laptop");
    expect(text).toMatch(/When: 21\sNovember\s.*14:15\sCET/);
    expect(text).toContain("Passkeys and sessions:\nhttps://pay.example/wallet/security");
    expect(text).toContain("If it wasn’t you, remove the passkey under Security immediately");
  });

  it("says that the other ways to sign in still work after a removal", () => {
    const { subject, text } = renderMail({ ...added, kind: "passkey_removed" }, { environment: "production" });
    expect(subject).toBe("A passkey was removed from your account");
    expect(text).toContain("Your other ways to sign in still work.");
    expect(text).not.toContain("Remove it");
  });
});

describe("an endpoint that is disabled (docs/spec/payments.md, Webhooks)", () => {
  it("names the endpoint and the reason, and says what to do", () => {
    const mail = renderMail(off, { environment: "production" });
    expect(mail.subject).toBe("Your webhook endpoint is switched off");
    expect(mail.text).toContain("Address: https://shop.example/hooks?a&b\nEndpoint: whe_1");
    expect(mail.html).toContain(">https://shop.example/hooks?a&amp;b</td>");
    expect(mail.text).toContain("switch it on and resend the events that it missed");
  });

  it("links to the page of a merchant's endpoint; for the endpoint of an agent, to the documentation", () => {
    const page = "https://pay.example/merchant/webhooks/whe_1";
    const { html, text } = renderMail({ ...off, endpointPageUrl: page }, { environment: "production" });
    expect(html).toMatch(
      /<a href="https:\/\/pay\.example\/merchant\/webhooks\/whe_1" class="button".*>See the endpoint</,
    );
    expect(text).toContain(`\n${page}\n`);
    expect(renderMail(off, { environment: "production" }).text).toContain(
      "Read about webhooks:\nhttps://pay.example/docs/webhooks\n",
    );
  });
});

const closed: ContentOf<"merchant_suspended" | "merchant_resumed"> = {
  kind: "merchant_suspended",
  merchantName: "Fresh\r\nMarket",
  at: new Date("2026-11-21T13:15:00Z"),
  timeZone: "UTC",
  dashboardUrl: "https://pay.example/merchant",
};

describe("a merchant that is suspended (docs/spec/portal.md, Operator console)", () => {
  it("says which actions are refused, which still work, and when the suspension began", () => {
    const { subject, text } = renderMail(closed, { environment: "production" });
    expect(subject).toBe("Fresh Market can’t take new payments for now");
    expect(text).toContain("New payments are refused");
    expect(text).toContain("You can still capture, void and refund earlier payments");
    expect(text).toMatch(/Since: 21\sNovember\s.*13:15\sUTC/);
    expect(text).toContain("Go to the dashboard:\nhttps://pay.example/merchant");
  });

  it("says when the suspension is lifted", () => {
    const { subject, text } = renderMail({ ...closed, kind: "merchant_resumed" }, { environment: "production" });
    expect(subject).toBe("Fresh Market can take payments again");
    expect(text).not.toContain("New payments are refused");
  });
});

const alert: MailContent = {
  kind: "status_alert",
  componentName: "Wallet portal",
  rule: "page_fast",
  burnRate: 21.04,
  at: new Date("2026-11-21T13:15:00Z"),
  statusUrl: "https://status.example",
};

describe("an error budget that burns too fast (docs/spec/status.md, Alerts)", () => {
  it("names the component, the burn rate, the windows and the urgency", () => {
    const { subject, text } = renderMail(alert, { environment: "production" });
    expect(subject).toBe("Urgent: Wallet portal has an error budget burn rate of 21.0");
    expect(text).toContain("over the last hour and the last 5 minutes");
    expect(text).toMatch(/At: 21\sNovember\s.*13:15\sUTC/);
    expect(renderMail({ ...alert, rule: "ticket" }, { environment: "production" }).subject).toMatch(/^Warning: /);
  });

  it("says when the alert is resolved", () =>
    expect(renderMail({ ...alert, burnRate: null }, { environment: "production" }).subject).toBe(
      "Resolved: Wallet portal no longer burns its error budget too fast",
    ));
});

const confirm: MailContent = {
  kind: "status_confirm",
  components: ["Billing engine", "Sandbox authorization server"],
  confirmUrl: "https://status.example/status/confirm?token=abc",
};
const update: MailContent = {
  kind: "status_update",
  stateName: "Identified",
  title: "Invoices are slow",
  text: "First line.\r\nSecond line.\n\n\u0001Third.",
  components: ["Billing engine"],
  at: new Date("2026-11-21T10:05:00Z"),
  updateUrl: "https://status.example/status/incidents/inc_1#upd_2",
  manageUrl: "https://status.example/status/manage?token=sub_1.x",
};

describe("status updates (docs/spec/status.md, Notifications)", () => {
  it("asks to confirm a subscription", () => {
    const { subject, text } = renderMail(confirm, { environment: "production" });
    expect(subject).toBe("Confirm that you want status updates");
    expect(text).toContain("Components: Billing engine, Sandbox authorization server");
    expect(text).toContain("Confirm:\nhttps://status.example/status/confirm?token=abc");
    expect(renderMail({ ...confirm, components: [] }, { environment: "production" }).text).toContain("Components: All");
  });

  it("contains the whole update, with links to read it and to unsubscribe", () => {
    const { subject, text, html } = renderMail(update, { environment: "production" });
    expect(subject).toBe("Identified: Invoices are slow");
    expect(text).toMatch(
      /^First line\.\n\nSecond line\.\n\nThird\.\n\nComponents: Billing engine\nPublished: 21\sNovember.*\sUTC/,
    );
    expect(text).toContain("https://status.example/status/incidents/inc_1#upd_2");
    expect(text).toContain("unsubscribe:\nhttps://status.example/status/manage?token=sub_1.x");
    expect(text).toContain("because you subscribed to status updates");
    expect(
      renderMail({ ...update, title: "<b>\nBcc: x", text: "<script>" }, { environment: "production" }).html,
    ).not.toMatch(/<b>|<script/);
    expect(html).toMatch(/<p [^>]*>Second line\.<\/p>/);
  });
});

const readers = {
  en: { locale: "en-GB", timeZone: "Europe/Berlin" },
  de: { locale: "de-DE", timeZone: "Europe/Berlin" },
};
const kinds = Object.keys(mailSamples(readers.en)) as MailKind[];

describe("every kind of mail", () => {
  it.each(kinds)("%s has at most one action, a light and a dark theme, and the reader's language", (kind) => {
    const [english, german] = [readers.en, readers.de].map((reader) =>
      renderMail(mailSamples(reader)[kind], { environment: "production" }),
    );
    if (!english || !german) throw new Error("no mail");
    const isForPayers = "reader" in mailSamples(readers.en)[kind];
    expect(german.subject === english.subject).toBe(!isForPayers);
    expect(english.html).toContain('lang="en"');
    expect(german.html).toContain(isForPayers ? 'lang="de"' : 'lang="en"');
    // Afterwards there is no account, or no access to the merchant, so there is no page to look at.
    const hasAction = kind !== "account_deleted" && kind !== "team_removed";
    for (const { html, text } of [english, german]) {
      expect(html.match(/class="button"/g) ?? []).toHaveLength(hasAction ? 1 : 0);
      expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
      expect(html).toContain("@media (prefers-color-scheme: dark)");
      expect(html).not.toMatch(/<img|<script|undefined/);
      expect(text).not.toMatch(/undefined|[{}]/);
    }
  });

  it("links to the page for choosing e-mails if the reader can choose", () => {
    const choiceUrl = "https://pay.example/wallet/notifications";
    const { text, html } = renderMail(mailSamples(readers.de).limit_near, { environment: "production", choiceUrl });
    expect(text).toContain(`E-Mails auswählen oder abbestellen:\n${choiceUrl}`);
    expect(html).toContain(`href="${choiceUrl}"`);
  });

  it.each([approval, confirmation, off, closed, alert, confirm, update])(
    "$kind from the sandbox says that no real money moves",
    (content) => {
      const [real, sandbox] = [
        renderMail(content, { environment: "production" }),
        renderMail(content, { environment: "sandbox" }),
      ];
      expect(sandbox.subject).toBe(`[Sandbox] ${real.subject}`);
      for (const form of [sandbox.text, sandbox.html]) expect(form).toContain("no real money moves");
      for (const form of [real.text, real.html]) expect(form).not.toContain("no real money moves");
    },
  );

  const nasty = "Eve\r\nBcc: x@evil.example\u2028\u202e</p><script>alert(1)</script>\"'&\0";

  it("keeps any name on one line and escapes its markup", () => {
    const mail = renderMail({ ...approval, merchantName: nasty, clientName: nasty }, { environment: "production" });
    expect(mail.subject).toMatch(/^Approve .* to Eve Bcc: x@evil\.example <\/p><script>alert\(1\)<\/script>"'&\?$/);
    expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
    expect(mail.text).not.toMatch(/\r|\0|\u202e|\nBcc/);
    expect(mail.html).not.toContain("<script");
    expect(mail.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#x27;&amp;");
  });

  it("shortens a very long name", () => {
    const { subject } = renderMail({ ...approval, merchantName: "𝕏".repeat(500) }, { environment: "production" });
    expect(subject).toBe(`Approve €1,234.56 to ${"𝕏".repeat(99)}…?`);
  });

  it("links to pages only", () => {
    expect(() =>
      renderMail({ ...approval, approvalUrl: "javascript:alert(1)" }, { environment: "production" }),
    ).toThrow(RangeError);
  });
});

it("the data export omits the text of a kind of mail if and only if it contains a code or a link with a token", () => {
  const samples = Object.values(mailSamples({ locale: "en-GB", timeZone: "UTC" }));
  const withSecret = samples
    .filter((content) => /\b\d{6}\b|=example/.test(renderMail(content, { environment: "production" }).text))
    .map(({ kind }) => kind);
  expect(withSecret.toSorted()).toEqual([...mailKindsWithSecret].toSorted());
});

it("repeats a title in full if it is longer than the subject (docs/spec/status.md, Notifications)", () => {
  const title = `Not available: ${"Authorization server, ".repeat(6)}Sandbox`;
  const mail = renderMail({ ...update, title }, { environment: "production" });
  expect(mail.subject).toMatch(/^.*: Not available: .*…$/);
  expect(mail.text).toContain(title);
});

it("shows each time in the recipient's time zone, with the zone's name", () => {
  const samples = Object.values(mailSamples({ locale: "en-GB", timeZone: "Asia/Tokyo" }));
  // Subscribers of the status page have no time zone, and the mail about an alert is the same for every operator.
  const inUtc = new Set<MailKind>(["status_alert", "status_update"]);
  for (const content of samples.filter(({ kind }) => !inUtc.has(kind))) {
    const { text } = renderMail(content, { environment: "production" });
    const times = text.match(/\d\d:\d\d\u00a0[\w+-]+/g) ?? [];
    expect([content.kind, times.filter((time) => !time.endsWith("GMT+9"))]).toEqual([content.kind, []]);
  }
  const suspended = renderMail({ ...closed, timeZone: "Asia/Tokyo" }, { environment: "production" });
  expect(suspended.text).toMatch(/Since: 21\sNovember\s.*22:15\sGMT\+9/);
});

it("names the last day of a billing period in the time zone of the subscription", () => {
  const { budget_alert: sample } = mailSamples({ locale: "en-GB", timeZone: "UTC" });
  // The last second of November in New York.
  const alert = { ...sample, periodEndsOn: new Date("2026-12-01T04:59:59Z"), timeZone: "America/New_York" };
  expect(renderMail(alert, { environment: "production" }).text).toContain(
    "Period ends: 30\u00a0November\u00a02026, America/New_York",
  );
});
