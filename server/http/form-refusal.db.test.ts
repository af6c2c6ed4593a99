import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { signInEndpoint } from "../endpoints/accounts/sign-in.ts";
import { beginSignUpEndpoint } from "../endpoints/accounts/sign-up/begin.ts";
import { chooseMerchantEndpoint } from "../endpoints/merchants/choose-merchant.ts";
import { authorizeEndpoint } from "../endpoints/oauth/authorize.ts";
import { consentDecisionEndpoint } from "../endpoints/oauth/consent-decision.ts";
import { provideDeps } from "./runtime.ts";
import { mount } from "./serve.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
});
afterAll(() => deps.close());

const forms = {
  "/sign-in/session": mount(signInEndpoint),
  "/sign-up/account": mount(beginSignUpEndpoint),
  "/consent/req_1/decision": mount(consentDecisionEndpoint),
  "/merchant/choice": mount(chooseMerchantEndpoint),
};
type Path = keyof typeof forms;

/** What Chromium sends with a form. */
const browser = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "content-type": "application/x-www-form-urlencoded",
};
const send = async (path: Path, headers: Record<string, string>, body = "email=a@example.com") => {
  const url = `${deps.config.baseUrl}${path}`;
  const response = await forms[path].POST(new Request(url, { method: "POST", headers, body }));
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const sameOrigin = () => ({ origin: deps.config.baseUrl });

describe("the link of a consent request (docs/spec/portal.md, Languages)", () => {
  const open = async (query: string, language: string) => {
    const headers = { accept: browser.accept, "accept-language": language };
    const response = await mount(authorizeEndpoint).GET(
      new Request(`${deps.config.baseUrl}/oauth/authorize?${query}`, { headers }),
    );
    return { status: response.status, text: await response.text() };
  };
  const unknown = "client_id=x&request_uri=urn%3Aietf%3Aparams%3Aoauth%3Arequest_uri%3Ax";

  it("is refused with a page in the payer’s language", async () => {
    const german = await open(unknown, "de-DE");
    expect(german.status).toBe(400);
    expect(german.text).toMatch(/<html lang="de">.*Diese Anfrage ist unbekannt, abgelaufen oder schon erledigt/s);
    expect((await open(unknown, "fr")).text).toMatch(/<html lang="en">.*This request is unknown, expired or/s);
    expect((await open(`${unknown}&client_id=y`, "de")).text).toContain("Der Link ist fehlerhaft.");
  });

  it("gets the English page for developers if the request wasn’t pushed", async () => {
    expect((await open("client_id=x&scope=y", "de")).text).toContain("Authorization requests must be pushed first");
  });
});

describe("a form without script (docs/spec/portal.md, Pages)", () => {
  it.each([
    ["/sign-in/session", "/sign-in", "email=a@example.com"],
    ["/sign-up/account", "/sign-up", "email=a@example.com"],
    ["/consent/req_1/decision", "/consent/req_1", "decision=approve"],
    ["/merchant/choice", "/merchant", "merchant=mch_1"],
  ] as const)("%s from another site gets a page that links to %s", async (path, page, body) => {
    const { status, headers, text } = await send(path, { ...browser, origin: "https://evil.example" }, body);
    expect([status, headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
    expect(text).toContain("wasn’t sent from a page of this site");
    expect(text).toContain(`<a href="${page}">Go back</a>`);
  });

  it("gets a page that links to the form's page, with its query, and never to another site", async () => {
    const page = `${deps.config.baseUrl}/sign-in?return_to=%2Fmerchant`;
    const invalid = `email=${"a".repeat(321)}`;
    const { status, text } = await send("/sign-in/session", { ...browser, ...sameOrigin(), referer: page }, invalid);
    expect(status).toBe(400);
    expect(text).toContain('<a href="/sign-in?return_to=%2Fmerchant">Go back</a>');
    for (const referer of ["https://evil.example/x", `${deps.config.baseUrl}//evil.example/`]) {
      const reply = await send("/sign-in/session", { ...browser, ...sameOrigin(), referer }, invalid);
      expect(reply.text).not.toContain("evil.example");
    }
  });

  it("gets a page in the language that the person chose or the browser prefers", async () => {
    const chosen = await send("/sign-in/session", { ...browser, cookie: "language=de" });
    expect(chosen.text).toMatch(/<html lang="de">.*Das Formular kann nicht angenommen werden/s);
    const preferred = await send("/sign-in/session", { ...browser, "accept-language": "de-AT" });
    expect(preferred.text).toContain('<html lang="de">');
  });

  it("gets a page that says how to send the form again if the database is unavailable", async () => {
    vi.spyOn(deps.db.sql, "query").mockRejectedValue(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }));
    const { status, headers, text } = await send("/sign-in/session", { ...browser, ...sameOrigin() });
    vi.restoreAllMocks();
    expect([status, headers.get("retry-after")]).toEqual([503, "2"]);
    expect(text).toContain("reload this page");
  });

  it("gets a page for a GET request to its URL, too", async () => {
    const url = `${deps.config.baseUrl}/sign-in/session`;
    const response = await forms["/sign-in/session"].GET(new Request(url, { headers: { accept: browser.accept } }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect(await response.text()).toContain('<a href="/sign-in">Go back</a>');
  });

  it.each(["application/json", "*/*"])("gets problem details if a program that accepts %s sent it", async (accept) => {
    const { status, headers, text } = await send("/sign-in/session", { ...browser, accept });
    expect([status, headers.get("content-type")]).toEqual([403, "application/problem+json"]);
    expect(JSON.parse(text)).toMatchObject({ status: 403, title: "Cross origin" });
  });
});
