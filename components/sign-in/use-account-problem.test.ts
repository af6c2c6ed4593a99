import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "use-intl";
import { expect, test } from "vitest";
import { useAccountProblem } from "./use-account-problem.ts";

const problems = {
  failed: "Something went wrong on our side. Please try again.",
  too_many_attempts: "Too many attempts. Wait a few minutes, then try again.",
} as const;
const Message = ({ code }: { code: string | null }) => useAccountProblem()(code);
const shown = (code: string | null): string => {
  const children = createElement(Message, { code });
  const props = { locale: "en", timeZone: "UTC", messages: { "account-access": { problems } }, children };
  return renderToStaticMarkup(createElement(IntlProvider, props));
};

test("shows the general message for an unknown code, also for names that objects inherit, such as constructor", () => {
  expect([shown(null), shown("too_many_attempts")]).toEqual(["", problems.too_many_attempts]);
  for (const code of ["constructor", "__proto__", "a.b", "unknown"]) expect(shown(code)).toBe(problems.failed);
});
