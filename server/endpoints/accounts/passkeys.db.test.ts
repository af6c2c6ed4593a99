import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { makeAuthenticator } from "#e2e/support/oauth/authenticator.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { emailDraft } from "../../accounts/drafts/email-draft.ts";
import { addPasskey } from "../../accounts/passkeys/add-passkey.ts";
import { beginAddingPasskey } from "../../accounts/passkeys/begin-adding-passkey.ts";
import { openSessionOf } from "../../accounts/security.fixture.ts";
import { findSession } from "../../accounts/sessions/find-session.ts";
import { provideDeps } from "../../http/runtime.ts";
import { type Handler, serve } from "../../http/serve.ts";
import { passkeyChallengeEndpoint } from "./passkey-challenge.ts";
import { signInByPasskeyEndpoint } from "./sign-in-by-passkey.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
});
afterAll(() => deps.close());

const challengeOf = serve(passkeyChallengeEndpoint);
const signIn = serve(signInByPasskeyEndpoint);

const post = async (
  handler: Handler,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> | undefined } = {},
) => {
  const { baseUrl } = deps.config;
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const sent = { "content-type": "application/json", origin: baseUrl, ...headers };
  const response = await handler(new Request(`${baseUrl}${path}`, { method: "POST", headers: sent, ...content }));
  return { status: response.status, headers: response.headers, json: await response.json() };
};
const begin = (headers?: Record<string, string>) => post(challengeOf, "/sign-in/passkey/challenge", { headers });
const enter = (body: unknown, headers?: Record<string, string>) => post(signIn, "/sign-in/passkey", { body, headers });

const makeHolder = async () => {
  const { id } = await makePayer(deps);
  const { email, displayName, locale, timeZone } = await deps.db.prisma.account.findUniqueOrThrow({ where: { id } });
  const sessionId = await openSessionOf(deps, { id });
  const person = { account: { id, email, displayName, locale, timeZone }, sessionId };
  const authenticator = makeAuthenticator({ origin: deps.config.walletUrl });
  const attestation = authenticator.create(await beginAddingPasskey(deps, person));
  await addPasskey(deps, { ...person, attestation, name: "x", requestId: "req_test" });
  return { id, authenticator };
};

describe("POST /sign-in/passkey (docs/spec/portal.md, Sign-in)", () => {
  it("sets a session cookie, and leads to the page that was requested before the sign-in", async () => {
    const { id, authenticator } = await makeHolder();
    const begun = await begin();
    expect([begun.status, begun.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const answer = await enter({ assertion: authenticator.get(begun.json), return_to: "/wallet/activity" });
    expect([answer.status, answer.json]).toEqual([200, { return_to: "/wallet/activity" }]);
    const [cookie = "", knownBrowser] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-pg_test=[\w-]{43}; .*Secure; HttpOnly; SameSite=Lax$/);
    expect(knownBrowser).toMatch(/^__Host-pg_test_known=[\w.:-]+; .*Secure; HttpOnly; SameSite=Lax$/);
    expect((await findSession(deps, cookie.split(";")[0] ?? ""))?.account.id).toBe(id);
  });

  it("removes the e-mail address of a form that was refused", async () => {
    const { authenticator } = await makeHolder();
    const [cookie = ""] = emailDraft.keep(deps, { email: "typed@example.com" }).split(";");
    const answer = await enter({ assertion: authenticator.get((await begin()).json) }, { cookie });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toContainEqual(expect.stringMatching(/_email_draft=; Max-Age=0;/));
  });

  it("never leads away from this origin (RFC 9700 §4.11)", async () => {
    const { authenticator } = await makeHolder();
    const assertion = authenticator.get((await begin()).json);
    expect((await enter({ assertion, return_to: "https://evil.example/" })).json).toEqual({ return_to: "/wallet" });
  });

  it("leads operators to the console and merchants' members to the dashboard", async () => {
    const [operator, member] = [await makeHolder(), await makeHolder()];
    await deps.db.prisma.account.update({ where: { id: operator.id }, data: { operatorRole: "viewer" } });
    const membership = { merchantId: (await makeMerchant(deps)).id, accountId: member.id, role: "viewer" as const };
    await deps.db.prisma.merchantMember.create({ data: { ...membership, createdAt: deps.clock.now() } });
    for (const [{ authenticator }, home] of [[operator, "/operator"] as const, [member, "/merchant"] as const]) {
      const assertion = authenticator.get((await begin()).json);
      expect((await enter({ assertion })).json).toEqual({ return_to: home });
    }
  });

  it("returns 401 for an unknown passkey and 409 for a used challenge, without a cookie", async () => {
    const stranger = makeAuthenticator({ origin: deps.config.walletUrl });
    const assertion = stranger.get((await begin()).json);
    for (const [status, code] of [
      [401, "passkey_refused"],
      [409, "passkey_challenge_gone"],
    ]) {
      const answer = await enter({ assertion });
      expect([answer.status, answer.json.type.split("#")[1]]).toEqual([status, code]);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
  });

  it("refuses another site's request, and creates no challenge for it", async () => {
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const before = await deps.db.prisma.passkeyChallenge.count();
    expect((await begin(foreign)).status).toBe(403);
    expect(await deps.db.prisma.passkeyChallenge.count()).toBe(before);
    const { authenticator } = await makeHolder();
    const answer = await enter({ assertion: authenticator.get((await begin()).json) }, foreign);
    expect([answer.status, answer.headers.get("set-cookie")]).toEqual([403, null]);
  });

  it.each([
    ["/assertion", {}],
    [
      "/assertion/id",
      { assertion: { ...makeAuthenticator({ origin: "https://x.example" }).get({ challenge: "c" }), id: "+/=" } },
    ],
    ["/assertion/response", { assertion: { id: "a", type: "public-key" } }],
  ])("names the missing or malformed field: %s", async (pointer, body) => {
    const { status, json } = await enter(body);
    expect(status).toBe(400);
    expect(json.errors).toEqual(expect.arrayContaining([{ pointer, detail: expect.any(String) }]));
  });
});
