import { findLogCheckpoint } from "../../data/directory/log/log.ts";
import {
  claimWitness,
  saveCosignature,
  saveWitnessFailure,
  type WitnessState,
} from "../../data/directory/log/witnesses.ts";
import type { LogWitness } from "../../deps/config.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { findCosignature } from "../rules/log/cosignature.ts";
import { proveConsistency } from "./prove.ts";

const timeoutMilliseconds = 5_000;
/** Longer than a request and its repetition take. After this time, another worker may ask the witness. */
const leaseSeconds = 15;
const maxBytes = 16 * 1024;
const maxDelaySeconds = 300;

type CosignDeps = Pick<Deps, "db" | "clock" | "config" | "outbound" | "log">;
type Submission = { witness: LogWitness; size: number; body: string; note: string };

/**
 * Asks each witness of LOG_WITNESSES to cosign the latest checkpoint (C2SP tlog-witness). The checkpoint is published
 * without waiting for the cosignatures. After a failure, a witness is asked again after a growing delay of at most five
 * minutes.
 * Any number of processes may call this function concurrently: each witness is asked by one of them at a time.
 * @returns the number of new cosignatures.
 */
export const cosignLog = async (deps: CosignDeps): Promise<number> => {
  const checkpoint = await findLogCheckpoint(deps.db.sql);
  if (!checkpoint) return 0;
  const { size, note } = checkpoint;
  const body = note.slice(0, note.indexOf("\n\n") + 1);
  const cosigned = await Promise.all(
    deps.config.logWitnesses.map((witness) => cosignBy(deps, { witness, size, body, note })),
  );
  return cosigned.filter(Boolean).length;
};

const cosignBy = async (deps: CosignDeps, submission: Submission): Promise<boolean> => {
  const now = deps.clock.now();
  const { witness, size, body } = submission;
  const { key } = witness;
  const leaseUntil = addSeconds(now, leaseSeconds);
  const state = await claimWitness(deps.db.sql, { key, body, now, leaseUntil });
  if (!state) return false;
  try {
    const cosignature = await requestCosignature(deps, submission, state.size);
    await saveCosignature(deps.db.sql, { key, size, body, cosignature, at: deps.clock.now() });
    return true;
  } catch (err) {
    deps.log.warn({ err, witness: witness.name, failures: state.failures + 1 }, "a witness didn't cosign the log");
    const nextAttemptAt = addSeconds(deps.clock.now(), delayAfter(state));
    await saveWitnessFailure(deps.db.sql, { key, nextAttemptAt });
    return false;
  }
};

const delayAfter = ({ failures }: WitnessState): number => Math.min(maxDelaySeconds, 2 ** Math.min(failures, 10));

/** @throws Error if there is no valid cosignature. */
const requestCosignature = async (deps: CosignDeps, submission: Submission, oldSize: number): Promise<string> => {
  let answer = await addCheckpoint(deps, submission, oldSize);
  // The witness cosigned a tree of another size, for example if its last answer was lost.
  const knownSize = answer.status === 409 ? readSize(answer.text) : null;
  if (knownSize !== null && knownSize !== oldSize && knownSize <= submission.size) {
    answer = await addCheckpoint(deps, submission, knownSize);
  }
  if (answer.status !== 200) throw new Error(`the witness answered ${answer.status}: ${answer.text.slice(0, 200)}`);
  const cosignature = findCosignature(answer.text, submission);
  if (cosignature === null) throw new Error("the witness answered without a valid cosignature");
  return cosignature;
};

const addCheckpoint = async (
  deps: CosignDeps,
  { witness, size, note }: Submission,
  oldSize: number,
): Promise<{ status: number; text: string }> => {
  const proof = await proveConsistency(deps, { from: oldSize, to: size });
  const lines = [`old ${oldSize}`, ...proof.map((hash) => hash.toString("base64")), ""];
  const { status, body } = await deps.outbound.request({
    url: `${witness.submissionUrl}/add-checkpoint`,
    method: "POST",
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: `${lines.join("\n")}\n${note}`,
    maxBytes,
    timeoutMilliseconds,
    canWait: true,
  });
  return { status, text: body.toString() };
};

/** C2SP tlog-witness: the size of the tree that the witness cosigned last, in decimal. */
const readSize = (text: string): number | null => (/^(0|[1-9]\d{0,14})\n$/.test(text) ? Number(text) : null);
