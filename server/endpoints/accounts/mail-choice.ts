import { z } from "zod";
import { chooseNotificationByLink } from "../../accounts/notifications/choose-notification-by-link.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { plainPage } from "../../contract/error-page.ts";
import type { DomainError } from "../../kernel/errors.ts";
import { languageOf } from "../../kernel/messages/languages.ts";
import { translator } from "../../kernel/messages/translator.ts";
import { answerForm, formContract, pathWith, redirectTo } from "./native-form.ts";

const page = "/notifications";
const shared = { tag: "Wallet", auth: { kind: "none" }, rateLimit: "person" } as const;

// Mail services add parameters to links; unsubscribing must still work.
const linkQuery = z.object({ token: z.string().min(1).max(200) });

/** RFC 8058 §3.2: mail programs post here. The endpoint uses no redirect, cookie or confirmation. */
export const unsubscribeMailEndpoint = defineEndpoint({
  ...shared,
  method: "POST",
  path: "/notifications/unsubscribe",
  operationId: "unsubscribeFromMail",
  summary: "Switch off one kind of e-mail with one click. Any body is accepted, such as `List-Unsubscribe=One-Click`",
  standards: ["RFC 8058"],
  errors: "page",
  errorCodes: ["mail_choice_not_found"],
  request: { query: linkQuery, otherParameters: "ignored" },
  responses: {
    200: {
      description: "Switched off. If this kind was off already, the response is the same",
      contentType: "text/html",
      schema: z.string(),
    },
  },
  async handle({ deps, info }, { query: { token } }) {
    const { kind, locale } = await chooseNotificationByLink(deps, { token, isOn: false, requestId: info.requestId });
    const t = translator(locale, "notifications");
    return plainPage({
      status: 200,
      language: languageOf(locale),
      title: t(`kinds.${kind}`),
      text: t("link.off"),
      note: "",
      link: { href: pathWith(page, { token }), label: t("link.change") },
    });
  },
});

/** Called if a browser opens the link in the e-mail's header. Changes nothing: the page that follows has a button. */
export const unsubscribeMailPageEndpoint = defineEndpoint({
  ...shared,
  method: "GET",
  path: "/notifications/unsubscribe",
  operationId: "askToUnsubscribeFromMail",
  summary: "Go to the page that switches one kind of e-mail off",
  standards: ["RFC 8058"],
  errors: "page",
  errorCodes: [],
  request: { query: linkQuery, otherParameters: "ignored" },
  responses: { 303: { description: "Redirects to the page" } },
  handle: async (_context, { query: { token } }) => redirectTo(pathWith(page, { token })),
});

/** Handles the form on that page. */
export const chooseMailEndpoint = defineEndpoint({
  ...formContract,
  path: "/notifications/choice",
  operationId: "chooseMail",
  summary: "Switch one kind of e-mail off or on with the token of a link in an e-mail",
  errorCodes: ["cross_origin"],
  request: {
    content: "form",
    body: z.strictObject({ token: z.string().max(200).default(""), choice: z.enum(["off", "on"]) }),
    example: { token: "acc_3f.charge_failed.x", choice: "off" },
  },
  responses: { 303: { description: "Redirects back to the page" } },
  handle({ deps, info, request }, { body: { token, choice } }) {
    const refused = (_error: DomainError) => redirectTo(pathWith(page, { token }));
    return answerForm<never>({ deps, request }, refused, async () => {
      await chooseNotificationByLink(deps, { token, isOn: choice === "on", requestId: info.requestId });
      return redirectTo(pathWith(page, { token, saved: "1" }));
    });
  },
});
