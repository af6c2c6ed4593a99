import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { openApiText } from "../../http/openapi/openapi-endpoint.ts";
import { readVariables, toConfig } from "../../platform/config.ts";

/** Signs of contorted English, which second-language readers don't understand at the first reading. */
const avoided =
  /\b(?:told|tells of|whoever|nobody|stands|anew|comes to be|holds from|as it stands|is met|what is due)\b/gi;

const avoidedIn = (text: string): string[] => text.match(avoided) ?? [];

type Found = { place: string; text: string };

/** String literals, template parts and JSX text of a source file, except module specifiers. */
const textsIn = (file: string): Found[] => {
  const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || isTemplatePart(node) || ts.isJsxText(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({ place: `${file}:${line + 1}`, text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

const isTemplatePart = (node: ts.Node): node is ts.TemplateMiddle | ts.TemplateTail =>
  ts.isTemplateMiddle(node) || ts.isTemplateTail(node);

const sourcesOf = (...folders: string[]): string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ["server/data/**"] }))
    .filter((file) => !/\.(?:test|fixture)\.tsx?$/.test(file))
    .sort();

/** Every text of a document, with its JSON pointer. */
const valuesOf = (value: unknown, pointer = ""): Found[] => {
  if (typeof value === "string") return [{ place: pointer, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => valuesOf(member, `${pointer}/${name}`));
};

/** A text without spaces that begins in lower case is an identifier or a value that programs compare. */
const isProse = ({ text }: Found): boolean => /\s|^[A-Z]/.test(text.trim());

const offending = (texts: readonly Found[]): string[] =>
  texts
    .filter(isProse)
    .flatMap(({ place, text }) => avoidedIn(text).map((word) => `${place}: "${word}" in ${text.trim()}`));

const openApiConfig = toConfig(
  readVariables({
    DATABASE_URL: "postgres://paygrant@127.0.0.1:5432/paygrant",
    MASTER_KEY: Buffer.alloc(32, 1).toString("base64url"),
    PAYGRANT_ENVIRONMENT: "sandbox",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    SIMULATOR_URL: "http://127.0.0.1:3003",
    SIMULATOR_KEY: "k",
  }),
);

describe("plain English", () => {
  test("the check finds the words to avoid", () => {
    expect(avoidedIn("Nobody was told what is due. It stands as it stands.")).toHaveLength(5);
    expect(avoidedIn("A standing permission is outstanding.")).toEqual([]);
  });

  test("the documents have no words to avoid", () => {
    const documents = [
      "README.md",
      "CONTRIBUTING.md",
      "packages/client/README.md",
      ...globSync("docs/**/*.md", { exclude: ["docs/plan/**"] }),
    ];
    expect(
      documents.flatMap((file) => avoidedIn(readFileSync(file, "utf8")).map((word) => `${file}: ${word}`)),
    ).toEqual([]);
  });

  test("the OpenAPI document has no words to avoid", () => {
    const texts = valuesOf(JSON.parse(openApiText(openApiConfig)));
    expect(texts.length).toBeGreaterThan(1000);
    expect(offending(texts)).toEqual([]);
  });

  test.each(["app", "components", "packages", "server"])("the texts of %s have no words to avoid", (folder) => {
    const texts = sourcesOf(folder).flatMap(textsIn);
    expect(texts.length).toBeGreaterThan(10);
    expect(offending(texts)).toEqual([]);
  });
});
