import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SiteLinks } from "./page-frame.tsx";

test.each([true, false])("the header links to sign-up only if everyone may sign up: %s", (isSignUpOpen) => {
  const page = renderToStaticMarkup(createElement(SiteLinks, { demoUrl: "/demo", isSignUpOpen }));
  expect(page.includes('href="/sign-up"')).toBe(isSignUpOpen);
});
