import { z } from "zod";
import { fieldRefusal } from "../../kernel/errors.ts";
import { currencyProblem, isCurrency } from "../../kernel/money/money.ts";

export const currencyQuery = z.string().refine(isCurrency, currencyProblem).optional();

/** A date is the first instant of this UTC day. */
export const instantQuery = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: "must be an RFC 3339 date, or date and time",
  })
  .optional();

/** The half-open range [from, to). @throws DomainError for an empty range. */
export const toRange = (query: { from?: string | undefined; to?: string | undefined }) => {
  const from = query.from === undefined ? null : new Date(query.from);
  const to = query.to === undefined ? null : new Date(query.to);
  if (from && to && from >= to) throw fieldRefusal("#to", "must be after from");
  return { from, to };
};
