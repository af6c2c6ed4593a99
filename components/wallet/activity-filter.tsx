import { ButtonLink, SubmitButton } from "../ui/button.tsx";
import { Select } from "../ui/field.tsx";
import styles from "./activity-filter.module.css";

const shows = {
  paid: "Paid",
  under_way: "Under way",
  failed: "Failed",
  refunded: "Refunded",
} as const;

export type Show = keyof typeof shows;
export const isShow = (text: string | undefined): text is Show => text !== undefined && Object.hasOwn(shows, text);

export type ActivityQuery = { mandate?: string; show?: Show; after?: string };

const addressOf = (query: ActivityQuery): string => {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value));
  return parameters.size > 0 ? `/wallet/activity?${parameters}` : "/wallet/activity";
};

/** Filters live in the address, by a native GET form. */
export const ActivityFilter = ({
  query,
  mandates,
}: {
  query: ActivityQuery;
  mandates: readonly { id: string; label: string }[];
}) => (
  <form method="get" action="/wallet/activity" className={styles.form}>
    <Select label="Mandate" name="mandate" defaultValue={query.mandate ?? ""}>
      <option value="">All mandates</option>
      {mandates.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </Select>
    <Select label="Show" name="show" defaultValue={query.show ?? ""}>
      <option value="">Everything</option>
      {Object.entries(shows).map(([value, label]) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </Select>
    <SubmitButton>Filter</SubmitButton>
    {query.mandate || query.show ? (
      <ButtonLink href="/wallet/activity" variant="quiet">
        Clear
      </ButtonLink>
    ) : null}
  </form>
);

export const Pager = ({ query, next }: { query: ActivityQuery; next: string | null }) => {
  const { after, ...first } = query;
  return (
    <nav className={styles.pager} aria-label="Pages">
      {after ? (
        <ButtonLink href={addressOf(first)} size="small">
          Newest
        </ButtonLink>
      ) : (
        <span />
      )}
      {next ? (
        <ButtonLink href={addressOf({ ...query, after: next })} size="small">
          Older
        </ButtonLink>
      ) : null}
    </nav>
  );
};
