import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAgentClient, makeMerchant, makePayer } from "#e2e/support/factories.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { listWebhookContacts } from "./webhook-contacts.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

test("notifies the owners and admins of the merchant whose endpoint was disabled, but no other members or merchants", async () => {
  const [{ id: merchantId }, other] = [await makeMerchant(deps), await makeMerchant(deps)];
  const join = async (role: "owner" | "admin" | "developer" | "viewer", to = merchantId) => {
    const { id } = await makePayer(deps);
    await deps.db.prisma.merchantMember.create({
      data: { merchantId: to, accountId: id, role, createdAt: deps.clock.now() },
    });
    return `${id.toLowerCase()}@example.test`;
  };
  const expected = [await join("owner"), await join("admin")];
  await Promise.all([join("developer"), join("viewer"), join("owner", other.id)]);
  const contacts = await listWebhookContacts(deps.db.sql, { kind: "merchant", id: merchantId });
  expect(contacts.toSorted()).toEqual(expected.toSorted());
});

test("notifies a client's contacts that are e-mail addresses, at most five (RFC 7591 §2)", async () => {
  const { id } = await makeAgentClient(deps);
  const contactsOf = () => listWebhookContacts(deps.db.sql, { kind: "client", id });
  expect(await contactsOf()).toEqual([]);
  const keep = (contacts: string[]) =>
    deps.db.prisma.client.update({ where: { id }, data: { metadata: { contacts } } });
  await keep([
    "b@example.test",
    "Jane Doe, phone 123",
    "a@example.test",
    "b@example.test",
    "two words@example.test",
    "c@d@example.test",
  ]);
  expect(await contactsOf()).toEqual(["a@example.test", "b@example.test"]);
  await keep(Array.from({ length: 9 }, (_, index) => `c${index}@example.test`));
  expect(await contactsOf()).toHaveLength(5);
});
