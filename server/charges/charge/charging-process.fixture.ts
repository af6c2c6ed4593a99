import { newId } from "../../kernel/ids.ts";
import { approveCharge } from "../approvals/approve-charge.ts";
import { requestCharge } from "./answers.fixture.ts";
import { makeProcessDeps } from "./process-deps.fixture.ts";

/**
 * A process that makes charges until it is killed. It writes each answer to stdout as one JSON line. Arguments: the
 * URLs of the database and the simulator, the simulator's key, and the standing permissions as JSON.
 */
const [databaseUrl = "", simulatorUrl = "", simulatorKey = "", permissionsJson = "[]"] = process.argv.slice(2);
/** If `payerId` isn't null, the process approves waiting charges, as this payer would do in the wallet. */
type Permission = { mandateId: string; merchantId: string; clientId: string; payerId: string | null };
const permissions = JSON.parse(permissionsJson) as Permission[];

const deps = makeProcessDeps({ databaseUrl, simulatorUrl, simulatorKey });

const approve = async (chargeId: string, payerId: string) => {
  const proof = { authTime: new Date(), acr: "urn:paygrant:acr:password" };
  const { state } = await approveCharge(deps, { chargeId, payerId, proof, requestId: "r" });
  if (state === "succeeded") console.log(JSON.stringify({ chargeId, status: 201 }));
};

const chargeWithoutEnd = async (permission: Permission) => {
  for (;;) {
    const idempotencyKey = newId("req");
    const request = {
      mandate_id: permission.mandateId,
      amount: 7,
      currency: "EUR",
      payer_presence: "in_session",
    } as const;
    try {
      const answer = await requestCharge(deps, { ...permission, requestId: "r", idempotencyKey, request });
      const { chargeId, status } = answer;
      console.log(JSON.stringify({ chargeId, status }));
      if (permission.payerId !== null && status === 202) await approve(chargeId, permission.payerId);
    } catch {
      // The charge was refused, or another process that it needs was killed. No charge was acknowledged.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
};
console.log(JSON.stringify({ ready: true }));
await Promise.all([...permissions, ...permissions].map(chargeWithoutEnd));
