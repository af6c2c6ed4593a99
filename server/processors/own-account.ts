import type { OwnAccount, Processor } from "../deps/processor-port.ts";

/** Our own account at a processor that treats it like a merchant's account. */
export const ownAccountAt = (id: string, { pay, lookup }: Pick<Processor, "pay" | "lookup">): OwnAccount => ({
  id,
  pay: (request) =>
    pay({
      ...request,
      chargeId: request.key,
      account: id,
      capture: "automatic",
      payerPresence: "off_session",
      simulate: null,
    }),
  lookup: (request) => lookup({ ...request, chargeId: request.key, account: id }),
});
