import type { Deps } from "../../deps/deps.ts";
import { getJson } from "../../platform/outbound/get-json.ts";
import { neededResolvers } from "../../platform/outbound/needed-resolvers.ts";
import { OutboundError } from "../../platform/outbound/outbound.ts";
import { judgeRecords, proofRecordName, proofUrl, provesClaim } from "../rules/domain.ts";

type Claim = { participantId: string; domain: string; token: string };
type ProofDeps = Pick<Deps, "outbound" | "dns" | "log" | "config">;

/**
 * `problem` is for the participant. `unconfirmed`: the only DNS resolver returns the record, but two must. `busy`: too
 * many requests are in progress, so nothing is known.
 */
export type Proof = { is: "found" } | { is: "missing" | "unconfirmed"; problem: string } | { is: "busy" };

/**
 * Looks for the token of a claim in the domain's well-known document and in its TXT record. Either one is enough.
 */
export const findProof = async (deps: ProofDeps, claim: Claim): Promise<Proof> => {
  const [document, record] = await Promise.all([proofByDocument(deps, claim), proofByRecord(deps, claim)]);
  if (document.is === "found") return document;
  if (record.is === "found") return record;
  if (document.is === "busy" || record.is === "busy") return { is: "busy" };
  return { is: record.is, problem: `${document.problem} ${record.problem}` };
};

/** Why a request failed, in terms that the participant may see. */
const failures: Readonly<Record<Exclude<OutboundError["problem"], "busy">, string>> = {
  bad_address: "The domain can’t be reached.",
  unreachable: "The domain has no public IP address that responds.",
  timed_out: "The domain does not answer within 5 seconds.",
  too_large: "The file is larger than 64 KiB.",
  bad_answer: "The file is not returned with status 200 as JSON.",
};

const proofByDocument = async ({ outbound, log }: ProofDeps, claim: Claim): Promise<Proof> => {
  try {
    const { value } = await getJson(outbound, proofUrl(claim.domain), { canWait: true });
    if (provesClaim(value, claim)) return { is: "found" };
    return { is: "missing", problem: "The file does not contain the proof." };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    log.info({ host: claim.domain, problem: error.message }, "domain verification");
    return error.problem === "busy" ? { is: "busy" } : { is: "missing", problem: failures[error.problem] };
  }
};

const proofByRecord = async ({ dns, config }: ProofDeps, { domain, token }: Claim): Promise<Proof> => {
  const name = proofRecordName(domain);
  try {
    const verdict = judgeRecords(await dns.txtAtEach(name), { token, needed: neededResolvers(config) });
    if (verdict === "proved") return { is: "found" };
    if (verdict === "unconfirmed")
      return { is: verdict, problem: "The TXT record can’t be confirmed by a second DNS resolver. Use the file." };
    return { is: "missing", problem: `At least one DNS resolver didn’t return the TXT record ${name} with the proof.` };
  } catch (error) {
    if (error instanceof OutboundError && error.problem === "busy") return { is: "busy" };
    throw error;
  }
};
