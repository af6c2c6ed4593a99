import { describe, expect, it } from "vitest";
import { type SearchEntry, search, withoutBackticks } from "./search.ts";

const entry = (title: string, text = ""): SearchEntry => ({ title, text, kind: "Operation", href: `/docs/${title}` });
const entries = [
  entry("List charges", "GET /merchant_test/charges limit"),
  entry("Charge a mandate", "POST /merchant_test/charge capture_method"),
  entry("Refund", "charge_id amount"),
];
const titles = (query: string) => search(entries, query).map(({ title }) => title);

describe("search in the documentation", () => {
  it("finds entries that contain every word, in upper or lower case", () => {
    expect(titles("CAPTURE_method")).toEqual(["Charge a mandate"]);
    expect(titles("post charge")).toEqual(["Charge a mandate"]);
    expect(titles("operation refund")).toEqual(["Refund"]);
  });

  it("lists matches of the title first", () => {
    expect(titles("charge")).toEqual(["List charges", "Charge a mandate", "Refund"]);
    expect(titles("mandate charge")[0]).toBe("Charge a mandate");
  });

  it("ignores the backticks that mark code", () => {
    const marked = entry("Code `request_uri` is missing", "as `S256` needs");
    expect(search([marked], "code request_uri is")).toEqual([marked]);
    expect(search([marked], "`")).toEqual([]);
    expect(withoutBackticks(marked.title)).toBe("Code request_uri is missing");
  });

  it("finds nothing for an empty query or an unknown word", () => {
    expect([titles(" "), titles("charge nothing")]).toEqual([[], []]);
  });
});
