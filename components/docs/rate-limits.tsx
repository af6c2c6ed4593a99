import { formatCount } from "../format/text.ts";
import { Table } from "../ui/table.tsx";
import styles from "./rate-limits.module.css";

type Quota = { requests: number; seconds: number } | null;
type Quotas = { address: Quota; client: Quota };
export type Limits = {
  classes: Readonly<Record<string, Quotas>>;
  /** limits of single operations that differ from the limits of their class */
  endpoints: Readonly<Record<string, Partial<Quotas>>>;
};

const spell = (quota: Quota | undefined): string =>
  quota === undefined
    ? "same\u00a0as\u00a0its\u00a0class"
    : quota === null
      ? "no\u00a0limit"
      : `${formatCount(quota.requests)} in\u00a0${formatCount(quota.seconds)}\u00a0s`;

export const RateLimitIntro = () => (
  <p>
    Operations of one class share an allowance, per IP address and per client. An operation that is listed by name has a
    separate allowance. The whole allowance can be used immediately and refills evenly. Responses report the remaining
    allowance in <code>RateLimit</code>. When the allowance is used up, responses have status 429, and{" "}
    <code>Retry-After</code> says how long to wait. <code>budget</code> limits how often a merchant learns about the
    limits of one mandate. It counts responses of verify-mandate that contain remaining limits or a refusal because of a
    limit, and such refusals of charges and announcements. <code>page</code> is the class of the pages that browsers
    load. A refused client authentication, or a refused access token, counts as ten requests from the caller’s IP
    address.
  </p>
);

/** The limits of this service, by class and by operation. */
export const RateLimits = ({ limits }: { limits: Limits }) => (
  <div className={styles.limits}>
    <Table
      caption="Rate limits by class and operation"
      columns={["Class or operation", { figure: "Per IP address" }, { figure: "Per client" }]}
      isInOrder
    >
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
  </div>
);
