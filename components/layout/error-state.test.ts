import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, test, vi } from "vitest";
import { ErrorState } from "./error-state.tsx";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["en", "Something went wrong on our side", "include error ID 42."],
  ["de", "Bei uns ist ein Fehler aufgetreten", "die Fehler-ID 42."],
])("an internal error has a page in the language of the document: %s", (lang, title, ids) => {
  vi.stubGlobal("document", { documentElement: { lang } });
  const error = Object.assign(new Error("hidden"), { digest: "42" });
  const page = renderToStaticMarkup(createElement(ErrorState, { error, retry: () => {} }));
  expect(page).toContain(title);
  expect(page).toContain(ids);
  expect(page).not.toContain("hidden");
});
