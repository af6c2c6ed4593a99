import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { postForm, send } from "../support/answers/wire.ts";
import { currentInstance, query } from "../support/instance.ts";

const { sandboxUrl } = currentInstance();
const known = "merchant@demo.paygrant.test";
const unknown = "unknown@demo.paygrant.test";

type Answer = Awaited<ReturnType<typeof send>>;

/** Everything that a caller sees, except what differs between any two requests. */
const visible = ({ status, text, headers }: Answer) => ({
  status,
  text: text.replaceAll(/req_\w+/g, "req"),
  headers: [...headers]
    .filter(([name]) => !["date", "x-request-id", "ratelimit"].includes(name))
    // The typed values, encrypted with a new nonce.
    .map(([name, value]) => [name, value.replace(/(?<=_draft=)v1[\w.-]+/, "sealed")]),
});

const post = (path: string, fields: Record<string, string>, accept = "application/json") =>
  postForm(`${sandboxUrl}${path}`, fields, { origin: sandboxUrl, accept });

describe("answers don't reveal whether an address has an account (docs/spec/portal.md, Password reset)", () => {
  test.each([
    ["/reset/request", {}, "application/json"],
    ["/reset/request", { return_to: "/consent/abc" }, "text/html"],
    ["/sign-in/recovery-code", { code: "0000-0000-0000" }, "application/json"],
    ["/sign-in/recovery-code", { code: "0000-0000-0000" }, "text/html"],
    ["/sign-in/session", { password: "wrong" }, "application/json"],
  ])("%s answers in the same way for a known and an unknown address: %o, %s", async (path, fields, accept) => {
    const answers = [];
    for (const email of [known, unknown]) answers.push(visible(await post(path, { ...fields, email }, accept)));
    expect(answers[0]).toEqual(answers[1]);
  });
});

describe("the e-mail to an address without an account (docs/spec/portal.md, Password reset)", () => {
  test("is in the language that the visitor chose", async () => {
    const email = `${randomUUID()}@example.test`;
    const headers = { origin: sandboxUrl, cookie: "language=de", "accept-language": "en" };
    expect((await postForm(`${sandboxUrl}/reset/request`, { email }, headers)).status).toBe(303);
    const { rows } = await query((client) => client.query("SELECT subject FROM mail WHERE recipient = $1", [email]));
    expect(rows).toEqual([{ subject: "[Sandbox] Zu dieser Adresse gibt es kein Konto" }]);
  });
});

describe("pages that work without signing in", () => {
  test.each([
    "/reset/password?token=unknown",
    "/reset/password",
    "/email-change?token=unknown",
    "/email-change",
    "/reset?error=__proto__",
    "/sign-in/recovery?error=%00",
  ])("%s opens without a session", async (path) => {
    const { status } = await send(`${sandboxUrl}${path}`, { headers: { accept: "text/html" } });
    expect(status).toBe(200);
  });

  test.each([
    ["/reset/save", { token: "unknown", password: "staple on a blue moon" }, 409, "reset_link_gone"],
    ["/sign-in/recovery-code", { email: "x", code: "x" }, 401, "recovery_code_refused"],
  ])("%s refuses unknown secrets", async (path, fields, status, code) => {
    const answer = await post(path, fields as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(`#${code}`);
    expect(answer.headers.get("set-cookie")).toBeNull();
  });

  test.each(["/reset/request", "/reset/save", "/sign-in/recovery-code", "/email-change/confirm"])(
    "%s refuses another site's form",
    async (path) => {
      const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
      expect((await postForm(`${sandboxUrl}${path}`, {}, foreign)).status).toBe(403);
    },
  );
});
