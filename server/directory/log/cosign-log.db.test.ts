import { afterAll, beforeAll, expect, test } from "vitest";
import { readCheckpoint } from "#e2e/support/peers/log-verifier.ts";
import { startWitness } from "#e2e/support/peers/log-witness.ts";
import { anotherNode, createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { insertParticipant } from "../../data/directory/participant-changes.ts";
import { parseLogWitnesses } from "../../platform/settings/log-witnesses.ts";
import { recordVersion } from "../participants/record-version.ts";
import { cosignLog } from "./cosign-log.ts";
import { publishWholeLog } from "./publish-log.ts";
import { getCheckpoint, getVerifierKey } from "./published-log.ts";

let deps: TestDeps;
let witness: Awaited<ReturnType<typeof startWitness>>;
beforeAll(async () => {
  witness = await startWitness(() => getVerifierKey(deps));
  const logWitnesses = parseLogWitnesses(witness.setting);
  deps = await createTestDeps({ config: { logWitnesses, outboundLoopback: true } });
});
afterAll(async () => {
  await deps.close();
  await witness.close();
});

let participants = 0;
/** Publishes a checkpoint with `count` more entries. */
const grow = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) {
    participants += 1;
    const id = `ptc_witnessed${participants}`;
    await deps.db.sqlTransaction(async (sql) => {
      const at = deps.clock.now();
      await insertParticipant(sql, { id, role: "client", merchantId: null, displayName: id, legalName: null, at });
      await recordVersion(sql, { id, change: "registered", changedBy: "client", at, environment: "sandbox" });
    });
  }
  await publishWholeLog(deps);
};
const cosigners = async (): Promise<string[]> => {
  const { note, cosignatures } = await getCheckpoint(deps);
  expect(readCheckpoint(note + cosignatures, await getVerifierKey(deps)).size).toBe(participants);
  return cosignatures.split("\n").slice(0, -1);
};

test("a witness cosigns each checkpoint once, with a proof from the tree that it cosigned before", async () => {
  await grow(3);
  expect(await cosigners()).toEqual([]);
  const node = await anotherNode(deps);
  const counts = await Promise.all([cosignLog(deps), cosignLog(node), cosignLog(deps)]);
  await node.close();
  expect(counts.toSorted()).toEqual([0, 0, 1]);
  expect(await cosigners()).toEqual([expect.stringMatching(/^— witness\.example\/w1 [A-Za-z0-9+/]{102}==$/)]);
  expect(await cosignLog(deps)).toBe(0);
  await grow(300);
  expect(await cosigners()).toEqual([]);
  expect(await cosignLog(deps)).toBe(1);
  expect(await cosigners()).toHaveLength(1);
  expect(witness.takeRequests()).toEqual(["POST /submit/add-checkpoint old 0", "POST /submit/add-checkpoint old 3"]);
});

test("after an answer of the witness was lost, the next submission begins at the size that the witness states", async () => {
  await grow(2);
  await deps.db.prisma.directoryLogWitness.updateMany({ data: { size: 3 } });
  expect(await cosignLog(deps)).toBe(1);
  expect(await cosigners()).toHaveLength(1);
  expect(witness.takeRequests()).toEqual(["POST /submit/add-checkpoint old 3", "POST /submit/add-checkpoint old 303"]);
});

test.each<[string, (request: string) => { status: number; text: string }]>([
  ["an error", () => ({ status: 503, text: "later" })],
  ["a cosignature of another checkpoint", () => ({ status: 200, text: witness.cosign("log\n1\nAAAA\n") })],
  ["a line of another key", () => ({ status: 200, text: "— other.example AAAA\n" })],
  ["a size that the log doesn't have yet", () => ({ status: 409, text: "100000\n" })],
])("%s is not published, and the witness is asked again after a delay", async (_title, answer) => {
  await grow(1);
  witness.answerWith(answer);
  expect(await cosignLog(deps)).toBe(0);
  expect(await cosigners()).toEqual([]);
  witness.answerWith(null);
  witness.takeRequests();
  expect(await cosignLog(deps)).toBe(0);
  expect(witness.takeRequests()).toEqual([]);
  deps.clock.advance(1);
  expect(await cosignLog(deps)).toBe(1);
  expect(await cosigners()).toHaveLength(1);
});

test("a cosignature never applies to a checkpoint under another name", async () => {
  const renamed = { ...deps, config: { ...deps.config, discoveryUrl: "https://directory.example" } };
  await publishWholeLog(renamed);
  expect((await getCheckpoint(deps)).cosignatures).toBe("");
});
