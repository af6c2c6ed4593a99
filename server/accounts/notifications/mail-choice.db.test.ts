import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import {
  chooseMailEndpoint,
  unsubscribeMailEndpoint,
  unsubscribeMailPageEndpoint,
} from "../../endpoints/accounts/mail-choice.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { queueOptionalMail } from "../../platform/mail/queue-optional-mail.ts";
import { listNotifications } from "./list-notifications.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
});
afterAll(() => deps.close());

const { GET, POST } = mount(unsubscribeMailPageEndpoint, unsubscribeMailEndpoint);
const choose = mount(chooseMailEndpoint);

/** A queued mail with its links. */
const queue = async (locale = "en-GB") => {
  const payer = await makePayer(deps);
  const { email } = await deps.db.prisma.account.update({ where: { id: payer.id }, data: { locale } });
  await deps.db.sqlTransaction((sql) =>
    queueOptionalMail(deps, sql, {
      recipient: { accountId: payer.id, email, locale, timeZone: "UTC" },
      requestId: "req_test",
      content: {
        kind: "charge_failed",
        merchantName: "Fresh Market",
        clientName: "Grocer Bot",
        amountMinor: 100n,
        currency: "EUR",
        declineCode: null,
        at: deps.clock.now(),
        chargeUrl: "https://wallet.test/wallet/activity/chg_1",
        reader: { locale, timeZone: "UTC" },
      },
    }),
  );
  const mail = await deps.db.prisma.mail.findFirstOrThrow({ where: { recipient: email } });
  const url = new URL(mail.unsubscribeUrl ?? "");
  const token = url.searchParams.get("token") ?? "";
  const switchedOff = async () =>
    (await listNotifications(deps, { accountId: payer.id })).filter(({ isOn }) => !isOn).map(({ kind }) => kind);
  return { mail, payer, token, switchedOff, path: `${deps.config.baseUrl}${url.pathname}` };
};
const withToken = (path: string, token: string) => `${path}?${new URLSearchParams({ token })}`;
const oneClick = (url: string) =>
  POST(
    new Request(url, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "List-Unsubscribe=One-Click",
    }),
  );

describe("switching one kind of e-mail off by its links (docs/spec/portal.md, Notifications)", () => {
  test("a mail program's one-click unsubscribe switches off this kind only, without a redirect (RFC 8058 §3.1)", async () => {
    const { mail, token, path, switchedOff } = await queue("de-DE");
    expect(mail.unsubscribeUrl).toBe(withToken("https://wallet.test/notifications/unsubscribe", token));
    expect(mail.text).toContain(withToken("https://wallet.test/notifications", token));
    for (const _again of [1, 2]) {
      const answer = await oneClick(`${withToken(path, token)}&utm_source=mail`);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("nicht mehr");
    }
    expect(await switchedOff()).toEqual(["charge_failed"]);
  });

  test("a GET changes nothing: it leads to the page, whose form switches the kind off and on", async () => {
    const { token, path, switchedOff } = await queue();
    const answer = await GET(new Request(withToken(path, token)));
    expect([answer.status, answer.headers.get("location")]).toEqual([303, withToken("/notifications", token)]);
    expect(await switchedOff()).toEqual([]);
    const send = (choice: string, origin: string) =>
      choose.POST(
        new Request(`${deps.config.baseUrl}/notifications/choice`, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded", origin },
          body: String(new URLSearchParams({ token, choice })),
        }),
      );
    expect((await send("off", "https://other.example")).status).toBe(403);
    expect(await switchedOff()).toEqual([]);
    expect((await send("off", deps.config.walletUrl)).status).toBe(303);
    expect(await switchedOff()).toEqual(["charge_failed"]);
    expect((await send("on", deps.config.walletUrl)).status).toBe(303);
    expect(await switchedOff()).toEqual([]);
  });

  test("a changed token, and the token of a deleted account, change nothing", async () => {
    const { payer, token, path, switchedOff } = await queue();
    const other = await queue();
    const [, kind, mac] = token.split(".");
    const refused = [
      `${payer.id}.limit_near.${mac}`,
      `${other.payer.id}.${kind}.${mac}`,
      `${payer.id}.account_deleted.${mac}`,
      token.slice(0, -1),
    ];
    for (const wrong of refused) expect((await oneClick(withToken(path, wrong))).status).toBe(404);
    expect([await switchedOff(), await other.switchedOff()]).toEqual([[], []]);
    await deps.db.prisma.account.update({ where: { id: payer.id }, data: { deletedAt: new Date() } });
    expect((await oneClick(withToken(path, token))).status).toBe(404);
    expect(await switchedOff()).toEqual([]);
  });
});
