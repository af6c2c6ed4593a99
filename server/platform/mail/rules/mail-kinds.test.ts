import { describe, expect, it } from "vitest";
import { type MailContent, renderMail } from "./mail-kinds.ts";

const approval: MailContent = {
  kind: "approval_needed",
  merchantName: "Fresh Market",
  clientName: "Grocer Bot",
  amountMinor: 123_456n,
  currency: "EUR",
  approvalUrl: "https://pay.example/wallet/approvals/chg_1?a=1&b=2",
  expiresAt: new Date("2026-11-21T13:15:00Z"),
  isLast: false,
  reader: { locale: "de-DE", timeZone: "Europe/Berlin" },
};
const confirmation: MailContent = {
  ...approval,
  kind: "confirmation_needed",
  approvalUrl: "https://pay.example/wallet/approvals/chg_1",
};
const off: MailContent = {
  kind: "webhook_endpoint_off",
  endpointId: "whe_1",
  url: "https://shop.example/hooks?a&b",
  reason: "failing",
};

describe("a payment that waits for an approval (docs/spec/payments.md, Step-up)", () => {
  const mail = renderMail(approval, "production");

  it("names merchant, amount and end as its payer reads them, and links to the page", () => {
    expect(mail.subject).toBe("Approve 1.234,56\u00a0€ to Fresh Market?");
    expect(mail.text).toContain("Fresh Market asks for 1.234,56\u00a0€.");
    expect(mail.text).toContain("Asked by: Grocer Bot");
    expect(mail.text).toMatch(/Waits until: 21\. November .*14:15 MEZ/);
    expect(mail.text).toContain("\nhttps://pay.example/wallet/approvals/chg_1?a=1&b=2\n");
  });

  it("says the same as a page, where the link is one", () => {
    expect(mail.html).toContain(
      '<a href="https://pay.example/wallet/approvals/chg_1?a=1&amp;b=2">Approve or decline</a>',
    );
    for (const words of ["Fresh Market", "1.234,56\u00a0€", "Grocer Bot", "14:15 MEZ"])
      expect(mail.html).toContain(words);
  });

  it("says where further questions stand, in the last one that is sent for a while", () => {
    expect(mail.text).not.toContain("under Approvals");
    expect(renderMail({ ...approval, isLast: true }, "production").text).toContain("in your wallet, under Approvals");
  });

  it.each(["KWD", "JPY"])("tells amounts in %s with the currency's own digits", (currency) => {
    const { text } = renderMail({ ...approval, currency, reader: { locale: "en-GB", timeZone: "UTC" } }, "production");
    expect(text).toContain(currency === "KWD" ? "KWD\u00a0123.456" : "JP¥123,456");
  });
});

describe("a payment that the bank wants confirmed (docs/spec/payments.md, Step-up)", () => {
  it("says who asks and where to go on, and speaks of no approval", () => {
    const { subject, text } = renderMail(confirmation, "production");
    expect(subject).toBe("Confirm 1.234,56\u00a0€ to Fresh Market?");
    expect(text).toContain("Your bank wants to know that it’s you");
    expect(text).toContain("Continue at your bank:\nhttps://pay.example/wallet/approvals/chg_1");
    expect(text).not.toMatch(/approve|decline/i);
  });
});

describe("a postmortem that isn’t written (docs/spec/status.md, Postmortems)", () => {
  const due: MailContent = {
    kind: "postmortem_due",
    title: "Nobody\r\ncan pay",
    dueOn: new Date("2026-11-27"),
    isOverdue: false,
    incidentUrl: "https://pay.example/operator/incidents/inc_1",
  };

  it("says which, by when, and where it is written", () => {
    const { subject, text } = renderMail(due, "production");
    expect(subject).toBe("A postmortem is due: “Nobody can pay”");
    expect(text).toContain("Due by the end of: 27 November 2026, UTC");
    expect(text).toContain("Write it:\nhttps://pay.example/operator/incidents/inc_1");
  });

  it("says so where its time is over", () => {
    const { subject, text } = renderMail({ ...due, isOverdue: true }, "production");
    expect(subject).toBe("The postmortem of “Nobody can pay” is overdue");
    expect(text).toContain("its time is over. The status page says so.");
    expect(text).toContain("Was due by the end of: 27 November 2026, UTC");
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

  it("says which, when, and what to do where it wasn't its owner", () => {
    const { subject, text } = renderMail(added, "production");
    expect(subject).toBe("A passkey was added to your account");
    expect(text).toContain("Passkey: Work laptop");
    expect(text).toMatch(/When: 21 November .*14:15 CET/);
    expect(text).toContain("Passkeys and sessions:\nhttps://pay.example/wallet/security");
    expect(text).toContain("Wasn’t it you? Remove it there at once");
  });

  it("says that the password still signs in where one was removed", () => {
    const { subject, text } = renderMail({ ...added, kind: "passkey_removed" }, "production");
    expect(subject).toBe("A passkey was removed from your account");
    expect(text).toContain("Your password, and other passkeys that you have, still do.");
    expect(text).not.toContain("Remove it");
  });
});

describe("an endpoint that is switched off (docs/spec/payments.md, Webhooks)", () => {
  it("says which, why, and what to do", () => {
    const mail = renderMail(off, "production");
    expect(mail.subject).toBe("Your webhook endpoint is switched off");
    expect(mail.text).toContain("Address: https://shop.example/hooks?a&b\nEndpoint: whe_1");
    expect(mail.html).toContain("<strong>https://shop.example/hooks?a&amp;b</strong>");
    expect(mail.text).toContain("switch it on and replay what it missed");
  });
});

const closed: MailContent = {
  kind: "merchant_suspended",
  merchantName: "Fresh\r\nMarket",
  at: new Date("2026-11-21T13:15:00Z"),
  dashboardUrl: "https://pay.example/merchant",
};

describe("a merchant that is suspended (docs/spec/portal.md, Operator console)", () => {
  it("says what stops, what doesn't, and since when", () => {
    const { subject, text } = renderMail(closed, "production");
    expect(subject).toBe("Fresh Market can’t take new payments for now");
    expect(text).toContain("new charges are refused from now on");
    expect(text).toContain("it can be captured, voided and refunded as ever");
    expect(text).toMatch(/Since: 21 November .*13:15 UTC/);
    expect(text).toContain("Go to the dashboard:\nhttps://pay.example/merchant");
  });

  it("says when that is lifted", () => {
    const { subject, text } = renderMail({ ...closed, kind: "merchant_resumed" }, "production");
    expect(subject).toBe("Fresh Market can take payments again");
    expect(text).not.toContain("refused from now on");
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
  it("says which, how fast and over which windows, and how urgent it is", () => {
    const { subject, text } = renderMail(alert, "production");
    expect(subject).toBe("Look now: Wallet portal has an error budget burn rate of 21.0");
    expect(text).toContain("over the last hour and the last 5 minutes");
    expect(text).toMatch(/At: 21 November .*13:15 UTC/);
    expect(renderMail({ ...alert, rule: "ticket" }, "production").subject).toMatch(/^Look into it: /);
  });

  it("says when it is over", () =>
    expect(renderMail({ ...alert, burnRate: null }, "production").subject).toBe(
      "Over: Wallet portal no longer burns its error budget",
    ));
});

const asked: MailContent = {
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
  it("an address is asked before anything is sent there", () => {
    const { subject, text } = renderMail(asked, "production");
    expect(subject).toBe("Confirm that you want status updates");
    expect(text).toContain("Components: Billing engine, Sandbox authorization server");
    expect(text).toContain("Confirm:\nhttps://status.example/status/confirm?token=abc");
    expect(renderMail({ ...asked, components: [] }, "production").text).toContain("Components: All");
  });

  it("an update is told whole, with where it is read and where it is ended", () => {
    const { subject, text, html } = renderMail(update, "production");
    expect(subject).toBe("Identified: Invoices are slow");
    expect(text).toMatch(
      /^First line\.\n\nSecond line\.\n\nThird\.\n\nComponents: Billing engine\nTold: 21 November.* UTC/,
    );
    expect(text).toContain("https://status.example/status/incidents/inc_1#upd_2");
    expect(text).toContain("unsubscribe:\nhttps://status.example/status/manage?token=sub_1.x");
    expect(text).toContain("since you asked for status updates");
    expect(renderMail({ ...update, title: "<b>\nBcc: x", text: "<script>" }, "production").html).not.toMatch(
      /<b>|<script/,
    );
    expect(html).toContain('<p style="margin:0 0 16px">Second line.</p>');
  });
});

describe("every kind of mail", () => {
  it.each([approval, confirmation, off, closed, alert, asked, update])(
    "$kind says so where no real money moves",
    (content) => {
      const [real, sandbox] = [renderMail(content, "production"), renderMail(content, "sandbox")];
      expect(sandbox.subject).toBe(`[Sandbox] ${real.subject}`);
      for (const form of [sandbox.text, sandbox.html]) expect(form).toContain("no real money moves");
      for (const form of [real.text, real.html]) expect(form).not.toContain("no real money moves");
    },
  );

  const nasty = "Eve\r\nBcc: x@evil.example\u2028\u202e</p><script>alert(1)</script>\"'&\0";

  it("keeps a name within its line and out of the mark-up, whatever it is", () => {
    const mail = renderMail({ ...approval, merchantName: nasty, clientName: nasty }, "production");
    expect(mail.subject).toMatch(/^Approve .* to Eve Bcc: x@evil\.example <\/p><script>alert\(1\)<\/script>"'&\?$/);
    expect(mail.subject).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u);
    expect(mail.text).not.toMatch(/\r|\0|\u202e|\nBcc/);
    expect(mail.html).not.toContain("<script");
    expect(mail.html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;");
  });

  it("cuts a name that is longer than any real one", () => {
    const { subject } = renderMail({ ...approval, merchantName: "𝕏".repeat(500) }, "production");
    expect(subject).toBe(`Approve 1.234,56\u00a0€ to ${"𝕏".repeat(99)}…?`);
  });

  it("links to pages alone", () => {
    expect(() => renderMail({ ...approval, approvalUrl: "javascript:alert(1)" }, "production")).toThrow(RangeError);
  });
});

it("an update of an incident whose title is longer than a subject tells it whole (docs/spec/status.md, Notifications)", () => {
  const title = `Not available: ${"Authorization server, ".repeat(6)}Sandbox`;
  const told = renderMail({ ...update, title }, "production");
  expect(told.subject).toMatch(/^.*: Not available: .*…$/);
  expect(told.text).toContain(title);
});
