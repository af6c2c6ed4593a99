import { expect, test } from "vitest";
import * as paygrant from "#client";
import type {
  ChargeObject,
  ChargeRequest,
  RefundObject,
  RefundRequest,
  VerifyRequest,
} from "#server/charges/charge/charge.wire.ts";
import type { ChargeState } from "#server/charges/rules/charge-states.ts";
import type { Participant } from "#server/directory/participants/participant.wire.ts";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import { send } from "../../support/answers/wire.ts";
import { currentInstance } from "../../support/instance.ts";

/** The types and error codes of the client package agree with the server. */

type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name;
type Same<Left, Right> = [Left] extends [Right] ? ([Right] extends [Left] ? true : false) : false;
type SameMembers<Wire, Ours> = Same<Camel<keyof Wire>, keyof Ours>;
type MembersOfAll<Union> = Union extends unknown ? keyof Union : never;

/** If only one side has a member or state, this doesn't compile. */
const agreements: {
  charge: SameMembers<ChargeObject, paygrant.Charge>;
  chargeState: Same<ChargeState, paygrant.ChargeStatus>;
  chargeRequest: Same<Camel<keyof ChargeRequest> | "idempotencyKey", MembersOfAll<paygrant.PaymentToCharge>>;
  verifyRequest: Same<Camel<keyof VerifyRequest>, MembersOfAll<paygrant.PaymentToVerify>>;
  refund: SameMembers<RefundObject, paygrant.Refund>;
  refundRequest: Same<Camel<keyof RefundRequest> | keyof paygrant.ChargeAct, keyof paygrant.ChargeToRefund>;
  mandate: SameMembers<PaymentMandateDetails, paygrant.MandateRequest>;
  participant: SameMembers<Participant, paygrant.Participant>;
  capabilities: SameMembers<Participant["capabilities"], paygrant.Participant["capabilities"]>;
  limits: SameMembers<Participant["capabilities"]["limits"], paygrant.Participant["capabilities"]["limits"]>;
  health: SameMembers<NonNullable<Participant["health"]>, NonNullable<paygrant.Participant["health"]>>;
  federationEntity: SameMembers<
    NonNullable<Participant["federation_entity"]>,
    NonNullable<paygrant.Participant["federationEntity"]>
  >;
} = {
  charge: true,
  chargeState: true,
  chargeRequest: true,
  verifyRequest: true,
  refund: true,
  refundRequest: true,
  mandate: true,
  participant: true,
  capabilities: true,
  limits: true,
  health: true,
  federationEntity: true,
};

test("objects and requests have the members of the server's schemas", () => {
  expect(new Set(Object.values(agreements))).toEqual(new Set([true]));
});

const operations = [
  "authorizationServerMetadata",
  "registerClient",
  "pushAuthorizationRequest",
  "token",
  "revokeToken",
  "getMandateCredential",
  "getStatusList",
  "verifyMandate",
  "createCharge",
  "captureCharge",
  "voidCharge",
  "createRefund",
  "listCharges",
];

const toError = (serverCode: string): paygrant.ProblemError =>
  new paygrant.ProblemError({
    status: 400,
    serverCode,
    title: "",
    detail: "",
    errors: [],
    reasons: [],
    decline: null,
    retryAfterSeconds: null,
    requestId: null,
  });

type Operation = { operationId: string; responses: { default?: { "x-error-codes"?: string[] } } };

test("the package's closed union contains every error code of the operations that the package calls", async () => {
  const { json } = await send(`${currentInstance().sandboxUrl}/openapi.json`);
  const paths = Object.values(json?.["paths"] ?? {}) as Record<string, Operation>[];
  const called = paths
    .flatMap((path) => Object.values(path))
    .filter(({ operationId }) => operations.includes(operationId));
  expect(called.map(({ operationId }) => operationId).sort()).toEqual(operations.toSorted());
  const codes = new Set(called.flatMap(({ responses }) => responses.default?.["x-error-codes"] ?? []));
  expect(codes.size).toBeGreaterThan(25);
  expect([...codes].filter((code) => toError(code).code !== code)).toEqual([]);
});
