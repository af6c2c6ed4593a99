import { z } from "zod";
import { emailDraft } from "../../../accounts/drafts/email-draft.ts";
import { signUpDraft } from "../../../accounts/drafts/sign-up-draft.ts";
import { readCookie } from "../../../accounts/rules/cookie.ts";
import { safeReturnTo } from "../../../accounts/rules/return-to.ts";
import { beginSignUp } from "../../../accounts/sign-up/begin-sign-up.ts";
import type { SignUpFields, SignUpProblems } from "../../../accounts/sign-up/rules/sign-up-form.ts";
import { defineEndpoint, type EndpointRequest } from "../../../contract/endpoint.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { defaultLocales, languages, localeInLanguage } from "../../../kernel/messages/languages.ts";
import { preferredLanguage, readLanguageTag, readTimeZone } from "../../../kernel/text/preferences.ts";
import { answerForm, formContract, goTo, pathWith, redirectTo } from "../native-form.ts";
import { nextPage } from "./sign-up-contract.ts";

/** The form shows an error for a missing field. */
const body = z.strictObject({
  name: z.string().max(300).default(""),
  email: z.string().max(320).default(""),
  method: z.enum(["passkey", "password"]).default("password"),
  password: z.string().max(1_000).default(""),
  return_to: z.string().max(4_000).optional(),
  invitation: z.string().max(100).optional(),
  // The browser's preferences, which the page's script adds.
  locale: z.string().max(100).default(""),
  time_zone: z.string().max(100).default(""),
});

/** Handles a native form: redirects to the page for the code, or back to the form with the entered values. */
export const beginSignUpEndpoint = defineEndpoint({
  ...formContract,
  path: "/sign-up/account",
  operationId: "beginSignUp",
  summary: "Sign up with a name, an e-mail address, and a passkey or a password",
  errorCodes: ["sign_up_invalid", "sign_up_invite_only", "sign_up_closed", "too_many_attempts", "cross_origin"],
  request: {
    content: "form",
    body,
    example: {
      name: "Grace Hopper",
      email: "grace@example.com",
      method: "password",
      password: "correct horse battery staple",
      return_to: "/wallet",
    },
  },
  responses: nextPage,
  handle({ deps, info, request }, { body: form }) {
    const { name, email, method, password } = form;
    const fields: SignUpFields = { name, email, method, password };
    const returnTo = safeReturnTo(form.return_to);
    const invitation = form.invitation || null;
    const refused = (error: DomainError) => {
      const problems = (error.members["problems"] as SignUpProblems | undefined) ?? { form: error.code };
      const path = pathWith("/sign-up", { return_to: returnTo, ...(invitation ? { invitation } : {}) });
      const draft = signUpDraft.keep(deps, { name, email, method, problems });
      return redirectTo(path, [draft, emailDraft.keep(deps, { email })]);
    };
    return answerForm({ deps, request }, refused, async () => {
      const locale = localeOf(form.locale, request.headers);
      const timeZone = readTimeZone(form.time_zone) ?? "UTC";
      const begun = await beginSignUp(deps, { fields, returnTo, invitation, locale, timeZone, info });
      if (begun.kind === "invalid") throw invalidRefusal(begun.problems);
      const cookieHeader = request.headers.get("cookie");
      const drafts = [signUpDraft, emailDraft].flatMap((draft) => draft.remove(deps, cookieHeader));
      return goTo(request, "/sign-up/verify", [begun.cookie, ...drafts]);
    });
  },
});

/** The browser's language, unless the visitor chose the other one in the footer. */
const localeOf = (sent: string, headers: EndpointRequest["headers"]): string => {
  const own = readLanguageTag(sent) ?? preferredLanguage(headers.get("accept-language")) ?? defaultLocales.en;
  const chosen = readCookie("language", headers.get("cookie"));
  const language = languages.find((known) => known === chosen);
  return language ? localeInLanguage(own, language) : own;
};

const details: Readonly<Record<string, string>> = {
  name_missing: "is missing",
  name_invalid: "must be at most 80 characters of plain text",
  email_invalid: "must be an e-mail address, for example name@example.com",
  email_not_invited: "must be the address to which the invitation was sent",
  password_too_short: "must have at least 12 characters",
  password_too_long: "must have at most 128 characters",
  password_has_email: "must not contain the e-mail address",
  password_common: "is one of the most common passwords",
};

const invalidRefusal = (problems: SignUpProblems): DomainError =>
  new DomainError("invalid", {
    code: "sign_up_invalid",
    message: "Check the fields that have an error, then try again.",
    errors: Object.entries(problems).map(([field, code]) => ({ pointer: `/${field}`, detail: details[code] ?? code })),
    members: { problems },
  });
