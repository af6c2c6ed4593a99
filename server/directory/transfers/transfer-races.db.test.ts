import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { invariants } from "../../data/invariants/invariants.ts";
import { setSuspension } from "../../merchants/set-suspension.ts";
import { createAgentToken } from "../../oauth/initial-tokens/agent-tokens.ts";
import { deleteOwnClient } from "../../oauth/own-clients/delete-own-client.ts";
import { setListing } from "../merchant-entries/set-listing.ts";
import {
  auditOf,
  entryOfClient,
  historyOf,
  makeSide,
  outcomeOf,
  readEntry,
  registerAgent,
  type Side,
} from "./transfer.fixture.ts";

// Each race runs several times, because either side may win.

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

const requestId = "req_test";
const rounds = Array.from({ length: 8 }, (_, round) => round);
const operator = { actor: { kind: "operator", id: "acc_test" }, requestId } as const;

const makeOffer = async () => {
  const [from, to] = [await makeSide(deps), await makeSide(deps)];
  const [app, other] = [await from.registerApp(), await to.registerApp()];
  await from.verify("market.example");
  return { from, to, app, other, entry: await from.entryId(), offer: await from.offerTo(to.merchantId) };
};

const isTransferred = async ({ to, entry }: { to: Side; entry: string }) =>
  (await readEntry(deps, entry)).merchant_id === to.merchantId;

/** Every merchant's clients are in its own entry, and histories have no gaps. */
const expectIntact = async () => {
  for (const { name, find } of invariants) {
    if (/directory|participant/.test(name)) expect(await find(deps.db.sql), name).toEqual([]);
  }
};

describe("concurrent changes of an offered entry (docs/spec/directory.md, Transfers)", () => {
  test("only one of four parallel acceptances succeeds", async () => {
    for (const _ of rounds.slice(0, 4)) {
      const { from, to, entry, offer } = await makeOffer();
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => outcomeOf(to.accept(offer))));
      expect(outcomes.toSorted()).toEqual(["done", ...Array(3).fill("transfer_not_open")]);
      expect((await historyOf(deps, entry)).filter(({ change }) => change === "transferred")).toHaveLength(1);
      expect((await auditOf(deps, from.merchantId)).length).toBe(2);
    }
    await expectIntact();
  });

  test("if an offer is accepted and concurrently canceled or declined, exactly one of the two succeeds", async () => {
    for (const round of rounds) {
      const made = await makeOffer();
      const { from, to, offer } = made;
      const end = () => (round % 2 === 0 ? from.cancel(offer) : to.decline(offer));
      const acts = [() => to.accept(offer), end];
      const [accepted, ended] = await Promise.all(
        (round % 4 < 2 ? acts : acts.toReversed()).map((act) => outcomeOf(act())),
      );
      expect([accepted, ended].toSorted()).toEqual(["done", "transfer_not_open"]);
      const row = await deps.db.prisma.participantTransfer.findUniqueOrThrow({ where: { id: offer } });
      expect(await isTransferred(made)).toBe(row.state === "accepted");
    }
    await expectIntact();
  });

  test("if an acceptance and a withdrawal are concurrent, the former owner never withdraws the new owner's entry", async () => {
    for (const round of rounds) {
      const made = await makeOffer();
      const { from, to, entry, offer } = made;
      const { merchantId, accountId } = from;
      const acts = [
        () => to.accept(offer),
        () => setListing(deps, { merchantId, accountId, isListed: false, requestId }),
      ];
      const order = round % 2 === 0 ? acts : acts.toReversed();
      const outcomes = await Promise.all(order.map((act) => outcomeOf(act())));
      const [accepted, withdrawn] = round % 2 === 0 ? outcomes : outcomes.toReversed();
      const { status } = await readEntry(deps, entry);
      if (accepted === "done") {
        expect(await isTransferred(made)).toBe(true);
        expect(status).toBe("pending");
        // The withdrawal is refused if it read the entry before the transfer, and done if it found the new entry.
        expect(["not_own_participant", "done"]).toContain(withdrawn);
      } else {
        expect([accepted, withdrawn, status]).toEqual(["participant_withdrawn", "done", "withdrawn"]);
        expect(await isTransferred(made)).toBe(false);
      }
    }
    await expectIntact();
  });

  test("if an acceptance is concurrent with the suspension of either side, the suspended side's entry is suspended", async () => {
    for (const round of rounds) {
      const made = await makeOffer();
      const { from, to, offer } = made;
      const suspended = round % 2 === 0 ? from : to;
      const act = { merchantId: suspended.merchantId, isSuspended: true, reason: "Test", ...operator };
      const acts = [() => to.accept(offer), () => setSuspension(deps, act)];
      const order = round % 4 < 2 ? acts : acts.toReversed();
      const outcomes = await Promise.all(order.map((one) => outcomeOf(one())));
      const refused = suspended === from ? "participant_suspended" : "recipient_suspended";
      expect(outcomes.toSorted()).toEqual(outcomes.includes(refused) ? ["done", refused].toSorted() : ["done", "done"]);
      expect(await isTransferred(made)).toBe(!outcomes.includes(refused));
      expect((await readEntry(deps, await suspended.entryId())).status).toBe("suspended");
    }
    await expectIntact();
  });

  test("if an acceptance is concurrent with registrations and deletions of clients, each client is in its merchant's entry", async () => {
    for (const _ of rounds) {
      const made = await makeOffer();
      const { from, to, app, other, entry, offer } = made;
      const agents = {
        participantId: entry,
        clientId: app,
        requestId,
        options: { uses: 5, scopes: ["directory.write"] },
      };
      const { token } = await createAgentToken(deps, agents);
      const remove = (side: Side, clientId: string) =>
        deleteOwnClient(deps, {
          merchantId: side.merchantId,
          clientId,
          actor: { kind: "merchant", id: "acc" },
          requestId,
        });
      const work = [
        from.registerApp(),
        to.registerApp(),
        registerAgent(deps, token),
        to.accept(offer),
        registerAgent(deps, token),
        from.registerApp(),
        to.registerApp(),
        remove(from, app),
        remove(to, other),
      ];
      const [first, second, agent, accepted, agentToo, third, fourth, ...deleted] = await Promise.allSettled(work);
      expect(accepted?.status).toBe("fulfilled");
      expect(deleted.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
      expect(await isTransferred(made)).toBe(true);
      const idOf = (result: PromiseSettledResult<unknown> | undefined) =>
        result?.status === "fulfilled" && typeof result.value === "string" ? result.value : null;
      for (const result of [first, second, third, fourth]) expect(idOf(result)).not.toBeNull();
      const fresh = await from.entryId();
      // The token is refused after the transfer. An agent that was registered earlier moves to the former owner's new
      // entry.
      for (const result of [agent, agentToo]) {
        const id = idOf(result);
        if (id !== null) expect(await entryOfClient(deps, id)).toBe(fresh);
        else expect(await outcomeOf(Promise.reject((result as PromiseRejectedResult).reason))).toBe("invalid_token");
      }
    }
    await expectIntact();
  });

  test("acceptances by two merchants that offered each other their entries don't deadlock, and no entry is lost", async () => {
    for (const _ of rounds) {
      const { from, to, entry, offer } = await makeOffer();
      const back = await to.offerTo(from.merchantId);
      const outcomes = await Promise.all([outcomeOf(to.accept(offer)), outcomeOf(from.accept(back))]);
      expect(outcomes).toEqual(["own_entry_offered", "own_entry_offered"]);
      await to.cancel(back);
      const third = await makeSide(deps);
      const chain = await to.offerTo(third.merchantId);
      const both = await Promise.all([outcomeOf(to.accept(offer)), outcomeOf(third.accept(chain))]);
      // If the recipient's own entry was transferred to the third merchant first, the recipient can accept the offer.
      expect(both[1]).toBe("done");
      expect(["done", "own_entry_offered"]).toContain(both[0]);
      expect(await isTransferred({ to, entry })).toBe(both[0] === "done");
    }
    await expectIntact();
  });

  test("only one of several parallel offers of an entry is made", async () => {
    const [from, ...receivers] = await Promise.all([1, 2, 3, 4].map(() => makeSide(deps)));
    if (!from) throw new Error("no merchant");
    const outcomes = await Promise.all(receivers.map(({ merchantId }) => outcomeOf(from.offerTo(merchantId))));
    expect(outcomes.toSorted()).toEqual(["done", "transfer_offered", "transfer_offered"]);
  });

  test("an acceptance and a concurrent offer of the same entry don't deadlock, and the entry is transferred", async () => {
    const third = await makeSide(deps);
    for (const round of rounds) {
      const made = await makeOffer();
      const { from, to, offer } = made;
      const acts = [() => to.accept(offer), () => from.offerTo(third.merchantId)];
      const order = round % 2 === 0 ? acts : acts.toReversed();
      const outcomes = await Promise.all(order.map((act) => outcomeOf(act())));
      const [accepted, offered] = round % 2 === 0 ? outcomes : outcomes.toReversed();
      expect(accepted).toBe("done");
      // The other offer is refused if it read the entry before the transfer, and done if it found the new entry.
      expect(["transfer_offered", "not_own_participant", "done"]).toContain(offered);
      expect(await isTransferred(made)).toBe(true);
    }
    await expectIntact();
  });

  test("if a merchant without an entry accepts one and registers its first app concurrently, it gets the offered entry", async () => {
    for (const _ of rounds) {
      const [from, to] = [await makeSide(deps), await makeSide(deps, { isEnrolled: false })];
      const entry = await from.entryId();
      const offer = await from.offerTo(to.merchantId);
      const [accepted, registered] = await Promise.all([outcomeOf(to.accept(offer)), outcomeOf(to.registerApp())]);
      expect([registered, ["done", "entry_changed"].includes(accepted)]).toEqual(["done", true]);
      if (accepted !== "done") await to.accept(offer);
      expect(await to.entryId()).toBe(entry);
    }
    await expectIntact();
  });
});
