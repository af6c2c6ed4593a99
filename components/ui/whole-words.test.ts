import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { WholeWords } from "./whole-words.tsx";

const render = (...children: ReactNode[]) =>
  renderToStaticMarkup(createElement(WholeWords, null, ...children)).replaceAll(/ class="[^"]*"/g, "");

test.each([
  ["Send e-mail now", "<span>Send <span>e-mail</span> now</span>"],
  ["E-Mail-Adresse", "<span><span>E-Mail</span>-Adresse</span>"],
  ["Invoice INV-2026-000042", "<span>Invoice <span>INV-2026-000042</span></span>"],
  ["TEST-CN-2027-000003", "<span><span>TEST-CN-2027-000003</span></span>"],
])("keeps e-mail, or the number, in %j on one line", (text, expected) => {
  expect(render(text)).toBe(expected);
});

test.each(["Export CSV", "sign-in", "man_5Kq2mX9vB4nR8tW3yZ6pL1dF"])("%j stays as it is", (text) => {
  expect(render(text)).toBe(text);
});

test("adjacent texts stay one element, and other elements stay as they are", () => {
  const icon = createElement("i");
  expect(render(icon, "We e-mail ", "Ada", " ", 2, " times.")).toBe(
    "<i></i><span>We <span>e-mail</span> Ada 2 times.</span>",
  );
});
