import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isRecentProof } from "../rules/recent-proof.ts";

/** When and how the account of a session last proved its identity. */
export type Proof = { authTime: Date; acr: string };

/** The page asks the person to confirm their identity, then repeats the request. */
export const staleProofRefusal = (): DomainError =>
  new DomainError("forbidden", { code: "proof_too_old", message: "Confirm that it’s you, then try again." });

/** @throws DomainError proof_too_old. */
export const requireRecentProof = ({ clock }: Pick<Deps, "clock">, proof: Proof): void => {
  if (isRecentProof(proof.authTime, clock.now())) return;
  throw staleProofRefusal();
};
