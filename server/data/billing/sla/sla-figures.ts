import { type Sql, statement } from "../../client.ts";

/**
 * `title`: the component's name. `uptime` in percent with three decimals. `page`: the URL of the component's month on
 * the status page.
 */
export type SlaFigureRow = {
  component: string;
  title: string;
  uptime: string;
  creditPercent: number;
  dayHash: string;
  page: string;
};

const insert = statement<never>(
  "insert_sla_figures",
  `INSERT INTO billing_sla_figure (month, component, title, uptime, credit_percent, day_hash, page, computed_at)
   SELECT $1::date, f.component, f.title, f.uptime, f.percent, f.hash, f.page, $2::timestamptz
     FROM unnest($3::text[], $4::text[], $5::numeric[], $6::int[], $7::text[], $8::text[])
       AS f (component, title, uptime, percent, hash, page)
   ON CONFLICT DO NOTHING`,
);

/** A figure is computed once for a component and month, and never replaced. */
export const insertSlaFigures = async (
  sql: Sql,
  { month, at, figures }: { month: Date; at: Date; figures: readonly SlaFigureRow[] },
): Promise<void> => {
  await sql.query(insert, [
    month,
    at,
    figures.map(({ component }) => component),
    figures.map(({ title }) => title),
    figures.map(({ uptime }) => uptime),
    figures.map(({ creditPercent }) => creditPercent),
    figures.map(({ dayHash }) => dayHash),
    figures.map(({ page }) => page),
  ]);
};

const list = statement<SlaFigureRow>(
  "list_sla_figures",
  `SELECT component, title, uptime::text AS uptime, credit_percent AS "creditPercent", day_hash AS "dayHash", page
     FROM billing_sla_figure WHERE month = $1::date`,
);

export const listSlaFigures = (sql: Sql, month: Date): Promise<SlaFigureRow[]> => sql.query(list, [month]);
