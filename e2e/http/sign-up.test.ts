import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { postForm, send } from "../support/answers/wire.ts";
import { currentInstance } from "../support/instance.ts";

const { sandboxUrl } = currentInstance();

const demoPayer = "payer@demo.paygrant.test";
const password = "copper lantern 42";
const own = { origin: sandboxUrl };

const signUp = (email: string, more: Record<string, string> = {}, headers: Record<string, string> = own) =>
  postForm(
    `${sandboxUrl}/sign-up/account`,
    { name: "Grace Hopper", email, method: "password", password, ...more },
    headers,
  );

const cookieOf = (answer: { headers: Headers }): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .filter((pair) => !pair?.endsWith("="))
    .join("; ");

/**
 * The texts in the data that Next sends with a page for hydration. They are sorted and each is listed once, because the
 * order and the numbers of the data's rows depend on timing.
 */
const hydrationTexts = (html: string): string => {
  const pushed = [...html.matchAll(/self\.__next_f\.push\(\[1,("(?:[^"\\]|\\.)*")\]\)/g)];
  const rows = pushed.map(([, literal]) => JSON.parse(literal ?? '""') as string).join("");
  const texts = rows.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
  return [...new Set(texts)]
    .filter((text) => !/^"\$[A-Z@]*[0-9a-f]*"$/.test(text))
    .toSorted()
    .join("\n");
};

/** A response without the parts that differ between any two requests. The preloaded scripts depend on timing. */
const comparable = (text: string, email: string): string => {
  const same = text
    .replaceAll(email, "EMAIL")
    .replaceAll(encodeURIComponent(email), "EMAIL")
    .replace(/\breq_\w{24}/g, "")
    .replace(/nonce="[^"]*"|nonce\\?":\\?"[^"\\]*/g, "")
    .replace(/<script src="[^"]*" async="" ><\/script>/g, "")
    .replace(/"(?:b|buildId)":"[^"]*"/g, "");
  return same.replace(/<script >self\.__next_f[\s\S]*?<\/script>/g, "") + hydrationTexts(same);
};

/** All answers during a sign-up in which no correct code is entered. */
const walk = async (email: string): Promise<string[]> => {
  const begun = await signUp(email);
  const cookie = cookieOf(begun);
  const headers = { ...own, cookie };
  const page = await send(`${sandboxUrl}/sign-up/verify`, { headers: { cookie, accept: "text/html" } });
  const steps = [begun, page];
  for (const code of ["000000", "111111", "222222", "333333", "444444", "555555"])
    steps.push(await postForm(`${sandboxUrl}/sign-up/verification`, { code }, headers));
  steps.push(await postForm(`${sandboxUrl}/sign-up/code`, {}, headers));
  steps.push(await send(`${sandboxUrl}/sign-up/state`, { headers: { cookie } }));
  const signedIn = await postForm(`${sandboxUrl}/sign-in/session`, { email, password, return_to: "/wallet" }, own);
  steps.push(signedIn);
  return steps.map(({ status, headers: sent, text }) =>
    comparable(`${status} ${sent.get("location")} ${sent.getSetCookie().length} ${text}`, email),
  );
};

describe("sign-up (docs/spec/portal.md, Sign-up)", () => {
  test("every answer is the same for an address with an account and for one without", async () => {
    const unknown = `new-${randomBytes(6).toString("hex")}@example.test`;
    const [known, other] = [await walk(demoPayer), await walk(unknown)];
    expect(known).toEqual(other);
    expect(known[0]).toContain("303 /sign-up/verify");
    expect(known.at(-1)).toContain("303 /sign-up/verify");
    expect(known[2]).toContain("error=code_wrong");
    expect(known[7]).toContain("error=code_expired");
  });

  test("another site's page can't use any form of the sign-up", async () => {
    const paths = ["account", "verification", "code", "confirmation", "credential/password", "passkey/challenge"];
    for (const path of paths) {
      const answer = await postForm(`${sandboxUrl}/sign-up/${path}`, {}, { origin: "https://evil.example" });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.headers.get("set-cookie")).toBeNull();
    }
  });

  test("an unknown link counts as expired: the page says that it has expired, and its form redirects back to the page", async () => {
    const token = randomBytes(32).toString("base64url");
    const page = await send(`${sandboxUrl}/sign-up/confirm?token=${token}`, { headers: { accept: "text/html" } });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("This link has expired")]);
    const answer = await postForm(`${sandboxUrl}/sign-up/confirmation`, { token }, own);
    expect(answer.headers.get("location")).toBe("/sign-up/confirm");
  });

  test("never redirects to another origin (RFC 9700 §4.11)", async () => {
    const refused = await signUp("x", { return_to: "https://evil.example/" });
    expect(refused.headers.get("location")).toBe("/sign-up?return_to=%2Fwallet");
  });

  test("a script gets each problem by field", async () => {
    const answer = await signUp("x", { name: "", password: "short" }, { ...own, accept: "application/json" });
    expect([answer.status, answer.json]).toMatchObject([
      400,
      {
        problems: { name: "name_missing", email: "email_invalid", password: "password_too_short" },
        errors: [{ pointer: "/name" }, { pointer: "/email" }, { pointer: "/password" }],
      },
    ]);
  });

  test("pages of the sign-up keep the opener and allow redirects after forms", async () => {
    const page = await send(`${sandboxUrl}/sign-up`, { headers: { accept: "text/html" } });
    expect(page.headers.get("cross-origin-opener-policy")).toBeNull();
    expect(page.headers.get("content-security-policy")).not.toContain("form-action");
  });
});
