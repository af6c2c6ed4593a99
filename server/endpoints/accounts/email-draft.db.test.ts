import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { emailDraft } from "../../accounts/drafts/email-draft.ts";
import { provideDeps } from "../../http/runtime.ts";
import { mount } from "../../http/serve.ts";
import { requestResetEndpoint } from "./request-reset.ts";
import { signInEndpoint } from "./sign-in.ts";
import { signInByRecoveryCodeEndpoint } from "./sign-in-by-recovery-code.ts";
import { beginSignUpEndpoint } from "./sign-up/begin.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  provideDeps(deps);
});
afterAll(() => deps.close());

const forms = {
  "/sign-in/session": mount(signInEndpoint),
  "/sign-in/recovery-code": mount(signInByRecoveryCodeEndpoint),
  "/reset/request": mount(requestResetEndpoint),
  "/sign-up/account": mount(beginSignUpEndpoint),
};
type Path = keyof typeof forms;

const send = async (path: Path, fields: Record<string, string>, cookie = "") => {
  const { baseUrl } = deps.config;
  const headers = { accept: "text/html", "content-type": "application/x-www-form-urlencoded", origin: baseUrl, cookie };
  const body = new URLSearchParams(fields).toString();
  return forms[path].POST(new Request(`${baseUrl}${path}`, { method: "POST", headers, body }));
};
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

it.each([
  ["/sign-in/session", { password: "wrong" }, 1],
  ["/sign-in/recovery-code", { code: "0000-0000-0000" }, 1],
  ["/reset/request", {}, 4],
] as const)("%s keeps only the e-mail address of a refused form, encrypted", async (path, secret, attempts) => {
  const email = `${path.replaceAll("/", "")}@example.com`;
  let response = new Response();
  for (let attempt = 0; attempt < attempts; attempt++) response = await send(path, { email, ...secret });
  expect([response.status, response.headers.get("location")]).toEqual([303, expect.stringContaining("error=")]);
  expect(response.headers.get("location")).not.toContain("example.com");
  expect(cookiesOf(response)).not.toContain("example.com");
  expect(emailDraft.open(deps, cookiesOf(response))).toEqual({ email });
});

it("removes the address when a form of the same browser is accepted", async () => {
  const kept = await send("/sign-in/session", { email: "draft@example.com", password: "wrong" });
  const accepted = await send("/reset/request", { email: "draft@example.com" }, cookiesOf(kept));
  expect(accepted.headers.get("location")).toContain("sent=1");
  expect(accepted.headers.getSetCookie()).toEqual([expect.stringMatching(/_email_draft=; Max-Age=0;/)]);
});

it("keeps the address of a refused sign-up for the other forms, and removes it when a sign-up is accepted", async () => {
  const fields = { name: "Ada", email: "new@example.com", method: "password" };
  const refused = await send("/sign-up/account", { ...fields, password: "short" });
  expect([refused.status, refused.headers.get("location")]).toEqual([303, expect.stringMatching(/^\/sign-up\?/)]);
  expect(emailDraft.open(deps, cookiesOf(refused))).toEqual({ email: fields.email });
  const password = "correct horse battery staple";
  const accepted = await send("/sign-up/account", { ...fields, password }, cookiesOf(refused));
  expect(accepted.headers.get("location")).toBe("/sign-up/verify");
  expect(accepted.headers.getSetCookie()).toContainEqual(expect.stringMatching(/_email_draft=; Max-Age=0;/));
});

it("ignores a cookie that was changed", () => {
  const [pair = ""] = emailDraft.keep(deps, { email: "a@example.com" }).split(";");
  expect(emailDraft.open(deps, pair)).toEqual({ email: "a@example.com" });
  expect(emailDraft.open(deps, `${pair}x`)).toBeNull();
});
