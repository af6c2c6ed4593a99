type Issue = { environment: "production" | "sandbox"; type: "invoice" | "credit_note" };

/** The series of a document. Each series is numbered separately per year. */
export const seriesOf = ({ environment, type }: Issue): string =>
  `${environment === "sandbox" ? "TEST-" : ""}${type === "invoice" ? "INV" : "CN"}`;

/** `INV-2026-000001`; in the sandbox `TEST-INV-2026-000001`. */
export const formatInvoiceNumber = (series: string, year: number, count: bigint): string =>
  `${series}-${year}-${count.toString().padStart(6, "0")}`;
