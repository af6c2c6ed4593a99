import { createRequire } from "node:module";
import { Body } from "@react-email/body";
import { Button } from "@react-email/button";
import { Container } from "@react-email/container";
import { Head } from "@react-email/head";
import { Heading } from "@react-email/heading";
import { Hr } from "@react-email/hr";
import { Html } from "@react-email/html";
import { Link } from "@react-email/link";
import { Preview } from "@react-email/preview";
import { Section } from "@react-email/section";
import { Text } from "@react-email/text";
import { createElement as h, type ReactNode } from "react";
import type { Language } from "../../../kernel/messages/languages.ts";
import { type Draft, type MailBlock, type MailFooter, pageAddress } from "./mail-body.ts";
import { darkStyles, style } from "./mail-styles.ts";

/** Loaded by Node itself: pages queue mail too, and Next refuses an import of `react-dom/server` in their code. */
const { renderToStaticMarkup }: typeof import("react-dom/server") = createRequire(import.meta.url)("react-dom/server");

type Frame = { footer: MailFooter; language: Language; isSandbox: boolean };

/** Renders a mail for mail programs: tables and inline styles, no script, no pictures, in light and dark. */
export const renderHtml = (draft: Draft, { footer, language, isSandbox }: Frame): string => {
  const [first] = draft.blocks;
  const head = h(
    Head,
    null,
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("meta", { name: "color-scheme", content: "light dark" }),
    h("meta", { name: "supported-color-schemes", content: "light dark" }),
    h("title", null, draft.subject),
    h("style", null, darkStyles),
  );
  const card = h(
    Container,
    { className: "card", style: style.card },
    brand(isSandbox),
    h(Heading, { as: "h1", className: "ink", style: style.heading }, draft.subject),
    ...draft.blocks.map((block, index) => h(Section, { key: index }, blockElement(block))),
    h(Hr, { className: "line", style: style.line }),
    ...footer.map((part, index) => h(Text, { key: index, className: "muted", style: style.footer }, footerPart(part))),
  );
  const body = h(
    Body,
    { className: "canvas", style: style.body },
    typeof first === "string" ? h(Preview, null, first) : null,
    // `Container` renders a table with role="presentation", so the landmark `main` is outside of it.
    h("main", null, card),
  );
  return `<!doctype html>${renderToStaticMarkup(h(Html, { lang: language, dir: "ltr" }, head, body))}`;
};

const brand = (isSandbox: boolean): ReactNode =>
  h(
    Text,
    { className: "ink", style: style.brand },
    h("span", { className: "mark", style: style.mark, "aria-hidden": true }, "P"),
    "Paygrant",
    isSandbox ? h("span", { className: "sandbox", style: style.sandbox }, "Sandbox") : null,
  );

const paragraph = (text: ReactNode): ReactNode => h(Text, { className: "ink", style: style.text }, text);

const blockElement = (block: MailBlock): ReactNode => {
  if (typeof block === "string") return paragraph(block);
  if ("code" in block) return h(Text, { className: "code", style: style.code }, block.code);
  if ("button" in block) {
    const { label, href } = block.button;
    return h(Button, { href: pageAddress(href), className: "button", style: style.button }, label);
  }
  if ("link" in block) return paragraph(linkElement(block.link));
  if ("list" in block) {
    const items = block.list.map((item) => h("li", { key: item, className: "ink", style: style.item }, item));
    return h("ul", { style: style.list }, items);
  }
  return h("table", { role: "presentation", style: style.facts }, h("tbody", null, block.facts.map(factRow)));
};

const factRow = ([name, value]: readonly [string, string]): ReactNode =>
  h(
    "tr",
    { key: name },
    h("td", { className: "muted", style: style.factName }, name),
    h("td", { className: "ink", style: style.factValue }, value),
  );

const footerPart = (part: MailFooter[number]): ReactNode => (typeof part === "string" ? part : linkElement(part.link));

const linkElement = ({ label, href }: { label: string; href: string }): ReactNode =>
  h(Link, { href: pageAddress(href), className: "link", style: style.link }, label);
