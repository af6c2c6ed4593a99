import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StoredPayment } from "./records.ts";
import { openStore, type Store } from "./store.ts";

let directory: string;
let store: Store;
beforeEach(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "simulator-store-"));
  store = openStore(directory);
});
afterEach(async () => {
  store.close();
  await rm(directory, { recursive: true });
});

const payment = (id: string): StoredPayment => ({
  id,
  account: "a",
  key: `key of ${id}`,
  requestHash: "h",
  status: "succeeded",
  declineCode: null,
  createdAt: 0,
  amount: 1,
  amountCaptured: 1,
  amountRefunded: 0,
  currency: "EUR",
  capture: "automatic",
  paymentMethod: "pm",
  chargeId: "chg",
});
const ids = () => store.list("a", 100, 0).map(({ id }) => id);

describe("concurrent requests", () => {
  test("share one commit, and each gets its own answer", async () => {
    const results = ["1", "2", "3"].map((id) => store.soon(() => store.accept(payment(id)).id));
    expect(ids()).toEqual([]);
    expect(await Promise.all(results)).toEqual(["1", "2", "3"]);
    expect(ids()).toEqual(["1", "2", "3"]);
  });

  test("a request that fails writes nothing and doesn't affect the other requests", async () => {
    const ask = (id: string) =>
      store.soon(() => {
        store.accept(payment(id));
        if (id === "2") throw new Error("no");
        return id;
      });
    const results = await Promise.allSettled(["1", "2", "3"].map(ask));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(ids()).toEqual(["1", "3"]);
  });
});
