import { afterEach, beforeEach, expect, test } from "vitest";
import { makeMerchant } from "#e2e/support/factories.ts";
import { startWebhookReceiver, type WebhookReceiver } from "#e2e/support/peers/webhook-receiver.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import type { Deps } from "../../deps/deps.ts";
import { addEndpoint } from "../endpoints/create-endpoint.ts";
import { createWebhookSender } from "./send-deliveries.ts";
import { sendTestEvent } from "./send-test-event.ts";

const by = { actor: { kind: "system", id: "test" }, requestId: "req_test" } as const;

let deps: TestDeps;
let receiver: WebhookReceiver;
beforeEach(async () => {
  deps = await createTestDeps({ config: { webhookLoopback: true } });
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  receiver.close();
  await deps.close();
});

/** Ends this database's connections. New connections refuse to write, as to a primary that was demoted. */
const demote = async () => {
  const other = await anotherNode(deps);
  const [{ name }] = await other.db.prisma.$queryRaw<[{ name: string }]>`SELECT current_database() AS name`;
  await other.db.prisma.$executeRawUnsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  await other.db.prisma.$queryRaw`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await other.close();
};

test("an attempt that can't be recorded, because the database was lost, is logged as a warning", async () => {
  const owner = { kind: "merchant", id: (await makeMerchant(deps)).id } as const;
  const { endpointId } = await deps.db.sqlTransaction((sql) =>
    addEndpoint(deps, sql, { owner, url: receiver.url, ...by }),
  );
  await sendTestEvent(deps, { ownerId: owner.id, endpointId, eventType: "charge.succeeded", data: {}, ...by });
  const logged: [string, string][] = [];
  const losing: Deps = {
    ...deps,
    log: {
      ...deps.log,
      warn: (_, message) => logged.push(["warn", message]),
      error: (_, message) => logged.push(["error", message]),
    },
    webhookOutbound: {
      ...deps.webhookOutbound,
      async request(sent) {
        const answer = await deps.webhookOutbound.request(sent);
        await demote();
        return answer;
      },
    },
  };
  const sender = createWebhookSender();
  expect(await sender.begin(losing)).toBe(1);
  await sender.allEnded();
  expect(receiver.received).toHaveLength(1);
  expect(logged).toEqual([["warn", "webhook attempt not recorded"]]);
});
