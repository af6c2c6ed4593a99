import { describe, expect, it } from "vitest";
import { atomFindings, rssFindings } from "#e2e/support/answers/feed-validator.ts";
import { childrenOf, parseXml } from "#e2e/support/answers/xml.ts";
import { boardOf, incidentOf, maintenanceOf } from "../board.fixture.ts";
import type { Board } from "../board.ts";
import type { ComponentKey } from "../components.ts";
import { renderAtom } from "./atom.ts";
import { entityTag, feedOf } from "./feed.ts";
import { renderRss } from "./rss.ts";

const statusUrl = "https://status.paygrant.example";
const ordinary = boardOf({ incidents: [incidentOf()], maintenances: [maintenanceOf()] });

const rss = (board: Board, component: ComponentKey | null = null) =>
  renderRss(feedOf(board, { statusUrl, component, format: "rss" }));
const atom = (board: Board, component: ComponentKey | null = null) =>
  renderAtom(feedOf(board, { statusUrl, component, format: "atom" }));

const itemsOf = (board: Board) => {
  const [channel] = childrenOf(parseXml(rss(board)), "channel");
  return childrenOf(channel ?? parseXml("<none/>"), "item").map((item) =>
    Object.fromEntries(item.children.map(({ name, text }) => [name, text])),
  );
};

const hostile = [
  "</title><script>alert(1)</script>",
  "]]> & &amp; &#0; <!-- ",
  "\0\u0001\u000b\uFFFE control \u001b[31m",
  "\uD800 lone \uDC00 surrogates",
  "line\r\nbreaks\rof\nall\tkinds",
  "𝕏 ünïcode \u2028 \u202e",
  `"'`.repeat(50),
];
const hostileBoard = boardOf({
  incidents: hostile.map((text, index) =>
    incidentOf({
      id: `inc_<&"${index}`,
      title: text,
      updates: [
        { id: `upd_h${index}`, sequence: 1, state: "investigating", text, actor: text, at: new Date("2026-11-21Z") },
      ],
    }),
  ),
});

describe("the feeds are valid (RSS 2.0, RFC 4287)", () => {
  it.each([
    ["with updates", ordinary],
    ["before anything happened", boardOf()],
    ["with hostile text", hostileBoard],
  ])("%s", (_title, board) => {
    expect(rssFindings(rss(board), `${statusUrl}/status/feed.rss`)).toEqual([]);
    expect(atomFindings(atom(board), `${statusUrl}/status/feed.atom`)).toEqual([]);
  });

  it("a component has feeds with its own updates", () => {
    const [self, own] = [`${statusUrl}/status/components/sandbox/feed`, rss(ordinary, "sandbox")];
    expect(rssFindings(own, `${self}.rss`)).toEqual([]);
    expect(atomFindings(atom(ordinary, "sandbox"), `${self}.atom`)).toEqual([]);
    expect(own).toContain("Weekly reset");
    expect(own).not.toContain("Invoices");
  });
});

describe("feed items (docs/spec/status.md, Notifications)", () => {
  it("are one per update, newest first, with permalink, guid and affected components", () => {
    expect(itemsOf(ordinary)).toMatchObject([
      {
        title: "Identified: Invoices are slow to appear",
        link: `${statusUrl}/status/incidents/inc_1#upd_2`,
        guid: "tag:status.paygrant.example,2026-01-01:upd_2",
        pubDate: "Sat, 21 Nov 2026 10:05:00 GMT",
        category: "Billing engine",
      },
      { title: "Investigating: Invoices are slow to appear", pubDate: "Sat, 21 Nov 2026 09:47:00 GMT" },
      { title: "Scheduled: Weekly reset of the sandbox", link: `${statusUrl}/status/maintenance/mnt_1#upd_3` },
    ]);
  });

  it("don't exist for drafts and dismissed incidents", () => {
    const draft = incidentOf({ state: "draft", publicAt: null });
    expect(itemsOf(boardOf({ incidents: [draft] }))).toEqual([]);
    expect(itemsOf(boardOf({ incidents: [incidentOf({ state: "dismissed" })] }))).toEqual([]);
    const [first] = incidentOf().updates;
    const before = incidentOf({ updates: first ? [{ ...first, state: "draft" }] : [] });
    expect(itemsOf(boardOf({ incidents: [before] }))).toEqual([]);
  });

  it("have descriptions that are escaped for HTML readers", () => {
    const [, , , , , , item] = itemsOf(hostileBoard);
    expect(item?.["description"]).toBe(
      "<p>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</p><p>Affects: Billing engine</p>",
    );
    expect(item?.["title"]).toBe("Investigating: </title><script>alert(1)</script>");
  });

  it("have guids that never change and are the same in both formats", () => {
    const guids = itemsOf(ordinary).map(({ guid }) => guid);
    const more = boardOf({ ...ordinary, incidents: [incidentOf({ title: "Renamed" }), ...ordinary.incidents] });
    expect(itemsOf(more).map(({ guid }) => guid)).toEqual(expect.arrayContaining(guids));
    for (const guid of guids) expect(atom(ordinary)).toContain(`<id>${guid}</id>`);
  });
});

it("the entity tag is strong: it changes with every byte", () => {
  expect(entityTag(rss(ordinary))).toBe(entityTag(rss(structuredClone(ordinary))));
  expect(entityTag(rss(ordinary))).toMatch(/^"[\w-]{43}"$/);
  expect(entityTag(rss(hostileBoard))).not.toBe(entityTag(rss(ordinary)));
});

describe("the validator", () => {
  const self = `${statusUrl}/status/feed`;
  it.each([
    ["an element twice", (text: string) => text.replace("<language>", "<link>https://a.example</link><language>")],
    ["a date of another format", (text: string) => text.replace(/<pubDate>.*<\/pubDate>/, "<pubDate>2026</pubDate>")],
    ["a wrong weekday", (text: string) => text.replace("<pubDate>Sat", "<pubDate>Sun")],
    ["a guid twice", (text: string) => text.replaceAll("upd_1<", "upd_2<")],
    ["a guid that isn't a permalink", (text: string) => text.replace(' isPermaLink="false"', "")],
    ["another self link", (text: string) => text.replace("feed.rss", "feed.xml")],
  ])("finds an error in RSS: %s", (_title, spoil) =>
    expect(rssFindings(spoil(rss(ordinary)), `${self}.rss`)).not.toEqual([]),
  );

  it.each([
    ["no author", (text: string) => text.replace(/<author>.*<\/author>/, "")],
    ["no id", (text: string) => text.replace(/<id>.*<\/id>/, "")],
    ["a date without a zone", (text: string) => text.replace(/(<updated>.*)Z</, "$1<")],
    ["another namespace", (text: string) => text.replace("2005/Atom", "2005/Atom#")],
    [
      "not newest first",
      (text: string) =>
        text.replace(/<updated>.*<\/updated>(?=\n<category)/, "<updated>2020-01-01T00:00:00Z</updated>"),
    ],
  ])("finds an error in Atom: %s", (_title, spoil) =>
    expect(atomFindings(spoil(atom(ordinary)), `${self}.atom`)).not.toEqual([]),
  );

  it.each(["<rss>", "<a>&nbsp;</a>", "<a>\u0001</a>", "<b:a/>", "<!DOCTYPE a><a/>"])(
    "refuses text that isn't XML: %j",
    (text) => {
      expect(() => parseXml(text)).toThrow();
    },
  );
});
