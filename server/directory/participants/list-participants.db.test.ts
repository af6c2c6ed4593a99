import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { makeKey } from "#e2e/support/oauth/oauth-client.ts";
import { planOf } from "#e2e/support/statements.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { serverParticipantId } from "../../kernel/server-participant-id.ts";
import { changeSettings } from "../../merchants/settings/change-settings.ts";
import { getSettings } from "../../merchants/settings/get-settings.ts";
import { registerClient } from "../../oauth/clients/register-client.ts";
import { createInitialAccessToken } from "../../oauth/initial-tokens/create-initial-access-token.ts";
import { enterServerParticipant } from "../../oauth/keys/server-participant.ts";
import { listParticipantHistory } from "./find-participant.ts";
import { listParticipants } from "./list-participants.ts";

let deps: TestDeps;
let merchantId: string;
let shop: string;
let agent: string;

const all = { limit: 20 };
const idsOf = async (filter: Omit<Parameters<typeof listParticipants>[1], "limit">) =>
  (await listParticipants(deps, { ...all, ...filter })).participants.map(({ id }) => id);

const info = { requestId: "req_test", ipAddress: "", userAgent: "" };
const register = async (extra: object, token: string | null = null): Promise<string> => {
  const metadata = { jwks: { keys: [(await makeKey()).publicJwk] }, ...extra };
  const authorization = token === null ? null : `Bearer ${token}`;
  const { client_id: id } = await registerClient(deps, { metadata, authorization, info });
  return (await deps.db.prisma.client.findUniqueOrThrow({ where: { id } })).participantId ?? "";
};

beforeAll(async () => {
  deps = await createTestDeps();
  const system = { kind: "system", id: "test" } as const;
  await deps.db.transaction((tx) => enterServerParticipant(deps, { tx, at: deps.clock.now(), actor: system }));
  ({ id: merchantId } = await makeMerchant(deps));
  const by = { actor: { kind: "operator", id: "acc_test" }, requestId: "req_test" } as const;
  const { token } = await createInitialAccessToken(deps, { kind: "merchant", merchantId, uses: 1, ...by });
  const own = { client_name: "Checkout", grant_types: ["client_credentials"], scope: "charges.read" };
  shop = await register(own, token);
  agent = await register({ client_name: "Bot", grant_types: ["client_credentials"], scope: "directory.write" });
});
afterAll(() => deps.close());

const setCurrency = async (currency: string) => {
  const { versions } = await getSettings(deps, { merchantId });
  const by = { actor: { kind: "merchant", id: "acc_owner" }, requestId: "req_test" } as const;
  const change = { merchantId, form: "details", change: { currency }, version: versions.details } as const;
  await changeSettings(deps, { ...change, ...by });
};

describe("the filters of the list of participants (docs/spec/directory.md, API)", () => {
  test("select by role, status, environment and each kind of capability", async () => {
    expect(await idsOf({ role: "authorization_server" })).toEqual([serverParticipantId]);
    expect(await idsOf({ capability: "par" })).toEqual([serverParticipantId]);
    expect(await idsOf({ capability: "webhooks" })).toEqual([serverParticipantId]);
    expect(await idsOf({ capability: "rar:payment_mandate_v1", role: "authorization_server" })).toHaveLength(1);
    expect(await idsOf({ capability: "grant:client_credentials" })).toEqual(expect.arrayContaining([shop, agent]));
    expect(await idsOf({ capability: "grant:password" })).toEqual([]);
    expect(await idsOf({ status: "active" })).toEqual([serverParticipantId]);
    expect((await idsOf({ status: "pending" })).toSorted()).toEqual([agent, shop].toSorted());
    expect(await idsOf({ environment: deps.config.environment })).toHaveLength(3);
    expect(await idsOf({ environment: "production" })).toEqual([]);
    expect(await idsOf({ q: "bot", status: "pending" })).toEqual([agent]);
    expect(await idsOf({ q: "bot", status: "active" })).toEqual([]);
  });

  test("a merchant's currency becomes a capability of its entry when the setting changes", async () => {
    expect(await idsOf({ currency: "SEK" })).toEqual([serverParticipantId]);
    await setCurrency("SEK");
    expect(await idsOf({ currency: "SEK", role: "merchant" })).toEqual([shop]);
    expect(await idsOf({ capability: "currency:SEK", role: "merchant" })).toEqual([shop]);
    expect(await idsOf({ currency: "SEK", capability: "dpop", role: "merchant" })).toEqual([]);
    const { versions } = await listParticipantHistory(deps, { id: shop, before: null, limit: 1 });
    expect(versions).toMatchObject([
      {
        change: "capabilities_changed",
        changedBy: "merchant",
        diff: [{ op: "add", path: "/capabilities/currencies/0", value: "SEK" }],
      },
    ]);
  });

  test("the matches are counted up to a maximum, and pages can begin with the newest change", async () => {
    const { count } = await listParticipants(deps, { ...all, limit: 1, countUpTo: 10 });
    expect(count).toBe(3);
    expect((await listParticipants(deps, { ...all, q: "bot", countUpTo: 10 })).count).toBe(1);
    expect((await listParticipants(deps, { ...all, countUpTo: 2 })).count).toBe(2);
    const seen: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 3; pages++) {
      const page = await listParticipants(deps, { ...all, order: "newest", limit: 1, cursor });
      seen.push(...page.participants.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    }
    expect(seen).toEqual((await idsOf({})).toReversed());
  });

  test.each([
    ["a host name", "Booking.com", ["booking", "Booking.c", "booking.com"]],
    ["a host name among other words", "Shop.example and Sons", ["sons shop.exam", "shop"]],
    ["vowel signs", "हिन्दी दुकान", ["हिन्दी", "दुका", "दुकान हिन्दी"]],
    ["tone marks", "ร้านกาแฟ", ["ร้าน", "ร้านกาแฟ"]],
    ["a typographic apostrophe", "O’Brien", ["o’brien", "O’Br"]],
    ["an accent that is typed as a separate character", "Café du Monde", ["Cafe\u0301", "mond cafe\u0301"]],
    ["numbers", "12.5 -3", ["12.5", "12.5 -3"]],
    ["characters of the search syntax", "Rock'n'Roll & Co", ["rock'n", "& 'roll", "\\ roll | co:*"]],
  ])("a name with %s is found by its words and their beginnings", async (_title, displayName, texts) => {
    const rename = (name: string) =>
      deps.db.prisma.participant.update({ where: { id: agent }, data: { displayName: name } });
    await rename(displayName);
    const found = await Promise.all(texts.map(async (q) => ((await idsOf({ q })).includes(agent) ? q : null)));
    await rename("Bot");
    expect(found).toEqual(texts);
  });

  test("any text can be searched for", async () => {
    const syntax = fc.string({
      unit: fc.constantFrom("a", "é", " ", "'", "\\", ":", "*", "&", "|", "!", "(", ")", "<", "-", ">"),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(syntax, fc.string({ unit: "grapheme" })), async (text) => {
        const q = text.replaceAll("\0", "");
        expect(await idsOf({ q })).toBeInstanceOf(Array);
      }),
      { numRuns: 300 },
    );
  });

  describe("with 20,000 more participants", () => {
    beforeAll(async () => {
      // Only the newest 1,000 have the word Late in their names and are active.
      await deps.db.prisma.$executeRaw`
        INSERT INTO participant (id, roles, display_name, version, facets, created_at, updated_at)
        SELECT 'ptc_many' || n, '{client}', 'Many' || CASE WHEN n % 4 = 0 THEN ' Common' ELSE '' END || CASE WHEN n <= 1000 THEN ' Late' ELSE '' END
                 || CASE WHEN n % 7000 = 1 THEN ' Rare' ELSE '' END, 0,
               ARRAY['role:client', CASE WHEN n <= 1000 THEN 'status:active' ELSE 'status:pending' END,
                     CASE WHEN n % 4000 = 0 THEN 'currency:ISK' ELSE 'grant:authorization_code' END],
               now(), date_trunc('milliseconds', now() - n / 2 * interval '1 second')
          FROM generate_series(1, 20000) n`;
      await deps.db.prisma.$executeRawUnsafe("ANALYZE participant");
    });

    type Search = { q?: string; status?: string; currency?: string; updatedSince?: Date };
    const searches: Search[] = ["rare", "common", "late", "com lat", "m"].flatMap((q) => [
      { q },
      { q, status: "active" },
      { q, currency: "ISK" },
    ]);
    const all = [...searches, { status: "active" }, { currency: "ISK" }, { currency: "XPF" }, {}];

    /** The expected result, from a simple and slow statement. */
    const expectedOf = async ({ q = "", status, currency, updatedSince }: Search): Promise<string[]> => {
      const words = q.split(" ").map((word) => `\\m${word}`);
      const facets = [...(status ? [`status:${status}`] : []), ...(currency ? [`currency:${currency}`] : [])];
      const rows = await deps.db.prisma.$queryRaw<{ id: string }[]>`
        SELECT id FROM participant WHERE display_name ~* ALL (${words}) AND facets @> ${facets}
           AND updated_at >= coalesce(${updatedSince ?? null}::timestamptz, '-infinity') ORDER BY updated_at, id`;
      return rows.map(({ id }) => id);
    };

    test("pages have the same participants in the same order as a simple statement, for common, rare and new matches", async () => {
      const updatedSince = new Date(
        (await deps.db.prisma.participant.findUniqueOrThrow({ where: { id: "ptc_many900" } })).updatedAt,
      );
      for (const search of [...all, ...all.map((one) => ({ ...one, updatedSince }))]) {
        const expected = await expectedOf(search);
        for (const order of ["oldest", "newest"] as const) {
          const inOrder = order === "oldest" ? expected : expected.toReversed();
          const seen: string[] = [];
          for (let cursor: string | undefined, pages = 0; pages < 3; pages++) {
            const page = await listParticipants(deps, { ...search, limit: 90, order, cursor, countUpTo: 1001 });
            expect(page.count).toBe(Math.min(1001, expected.length));
            seen.push(...page.participants.map(({ id }) => id));
            if (page.nextCursor === null) break;
            cursor = page.nextCursor;
          }
          expect(seen, `${order} ${JSON.stringify(search)}`).toEqual(inOrder.slice(0, 270));
        }
      }
    });

    test("a page reads only the next participants in the list, or the matches in an index", async () => {
      for (const order of ["oldest", "newest"] as const) {
        for (const search of all) {
          const lines = await planOf(deps.db, () => listParticipants(deps, { ...search, limit: 20, order }));
          const about = `${order} ${JSON.stringify(search)}`;
          expect(lines, about).not.toContain("Seq Scan on participant ");
          // Each participant or index entry that is read hits at least one page. The search for `common` alone finds its
          // matches among the next participants in the list. The others read all matches in an index.
          const [, buffers] = /shared hit=(\d+)/.exec(lines) ?? [];
          const isNear = search.q === "common" && Object.keys(search).length === 1;
          expect(Number(buffers), about).toBeLessThan(isNear ? 700 : 1800);
        }
      }
    });
  });
});
