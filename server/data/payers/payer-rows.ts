import type { Place } from "../../kernel/pagination.ts";
import type { SqlValue } from "../client.ts";

export type PayerFilters = {
  mandateId: string | null;
  clientId: string | null;
  merchantId: string | null;
  createdFrom: Date | null;
  createdTo: Date | null;
};

export type PayerPage = { payerId: string; after: Place | null; limit: number };

/** A table with `payer_id`, `merchant_id`, `mandate_id` and `agent_client_id`, and the same indexes as `charge`. */
type PayerTable = { name: string; state: string; stateType: string };

export const chargeTable: PayerTable = { name: "charge", state: "state", stateType: "charge_state" };
export const refundTable: PayerTable = { name: "refund", state: "status", stateType: "text" };

export type Bind = (value: SqlValue, type: string) => string;

type Input = PayerFilters & PayerPage & { states: readonly string[] | null };

/** The parts of a statement's name that identify its filters, except the filters in the `key` of `payerRows`. */
export const filterKeys = ({ merchantId, createdFrom, createdTo, after }: Omit<PayerFilters & PayerPage, "limit">) => [
  ...(merchantId === null ? [] : ["merchant"]),
  ...(createdFrom ? ["from"] : []),
  ...(createdTo ? ["to"] : []),
  ...(after ? ["after"] : []),
];

/**
 * SQL for the payer's newest rows of a table that match all filters: at most `limit` + 1. If a filter has its own
 * index, the rows are read from this index: for each mandate or state, one page is read in order. So a rare state or an
 * agent with few rows is found without reading a long history.
 */
export const payerRows = (table: PayerTable, input: Input, bind: Bind): { key: string; sql: string } => {
  const { payerId, merchantId, createdFrom, createdTo, after, limit } = input;
  const payer = bind(payerId, "text");
  const sorted = `ORDER BY c.created_at DESC, c.id DESC LIMIT ${bind(limit + 1, "int")}`;
  const conditions = [`c.payer_id = ${payer}`];
  if (merchantId !== null) conditions.push(`c.merchant_id = ${bind(merchantId, "text")}`);
  if (createdFrom) conditions.push(`c.created_at >= ${bind(createdFrom, "timestamptz")}`);
  if (createdTo) conditions.push(`c.created_at < ${bind(createdTo, "timestamptz")}`);
  if (after) conditions.push(`(c.created_at, c.id) < (${bind(after.at, "timestamptz")}, ${bind(after.id, "text")})`);
  const source = sourceOf(table, input, { bind, payer });
  if (source.condition) conditions.push(source.condition);
  const page = `SELECT * FROM ${table.name} c WHERE ${conditions.join(" AND ")} ${sorted}`;
  const sql = source.each ? `SELECT c.* FROM ${source.each} AS source CROSS JOIN LATERAL (${page}) c ${sorted}` : page;
  return { key: source.key, sql };
};

type Source = {
  key: string;
  /** one row per index range; absent: a single range */
  each?: string;
  condition?: string;
};

/** Most charges and refunds succeed: this state narrows a list less than an agent or mandate. Other states are rare. */
const isRare = (states: readonly string[]): boolean => !states.includes("succeeded");

const sourceOf = (
  { state, stateType }: PayerTable,
  { mandateId, clientId, states }: Pick<Input, "mandateId" | "clientId" | "states">,
  { bind, payer }: { bind: Bind; payer: string },
): Source => {
  const list = states && `${bind([...states], "text[]")}::${stateType}[]`;
  const owner = mandateId !== null ? "mandate" : clientId !== null ? "client" : "all";
  if (states && (isRare(states) || owner === "all")) {
    const conditions = [`c.${state} = source`];
    if (owner === "mandate") conditions.push(`c.mandate_id = ${bind(mandateId, "text")}`);
    if (owner === "client") conditions.push(`c.agent_client_id = ${bind(clientId, "text")}`);
    return { key: `${owner},states`, each: `unnest(${list})`, condition: conditions.join(" AND ") };
  }
  if (owner === "all") return { key: owner };
  const [key, inStates] = list ? [`${owner},paid`, ` AND c.${state} = ANY (${list})`] : [owner, ""];
  if (owner === "mandate") return { key, condition: `c.mandate_id = ${bind(mandateId, "text")}${inStates}` };
  const each = `(SELECT m.id FROM mandate m WHERE m.payer_id = ${payer} AND m.client_id = ${bind(clientId, "text")})`;
  return { key, each, condition: `c.mandate_id = source.id${inStates}` };
};
