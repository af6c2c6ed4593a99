import { Table } from "../ui/table.tsx";
import styles from "./rate-limits.module.css";

type Quota = { requests: number; seconds: number } | null;
type Quotas = { address: Quota; client: Quota };
export type Limits = {
  classes: Readonly<Record<string, Quotas>>;
  /** by operation, what it doesn't share with its class */
  endpoints: Readonly<Record<string, Partial<Quotas>>>;
};

const figures = new Intl.NumberFormat("en");

const spell = (quota: Quota | undefined): string =>
  quota === undefined
    ? "its\u00a0class’s"
    : quota === null
      ? "no\u00a0limit"
      : `${figures.format(quota.requests)} in\u00a0${figures.format(quota.seconds)}\u00a0s`;

/** What each class of operations allows, and each operation that is set by itself, as this service is set up. */
export const RateLimits = ({ limits }: { limits: Limits }) => (
  <section id="rate-limits" className={styles.limits} aria-labelledby="rate-limits-title">
    <h2 id="rate-limits-title">Rate limits</h2>
    <p>
      Operations of one class share an allowance, per address and per client; one that is listed by its own name has its
      own. It may be used at once and fills again evenly. Answers tell how you stand in <code>RateLimit</code>; past the
      allowance the answer is 429, and <code>Retry-After</code> says how long to wait. <code>budget</code> counts the
      answers of verify-mandate that tell something of a mandate’s limits, for each merchant and mandate. A refused
      client authentication, or a refused access token, counts as ten requests of its address.
    </p>
    <Table caption="Rate limits by class and operation" columns={["Class or operation", "Per address", "Per client"]}>
      <tbody>
        {Object.entries<Partial<Quotas>>({ ...limits.classes, ...limits.endpoints }).map(
          ([name, { address, client }]) => (
            <tr key={name}>
              <td className={styles.name}>
                <code>{name}</code>
              </td>
              <td>{spell(address)}</td>
              <td>{spell(client)}</td>
            </tr>
          ),
        )}
      </tbody>
    </Table>
  </section>
);
