import { Link } from "#components/ui/link.tsx";
import { InlineList } from "../../format/inline-list.tsx";
import { Pill, type Tone } from "../../ui/pill.tsx";
import styles from "./event-card.module.css";
import { EventTimeline, type TimelineUpdate } from "./timeline.tsx";

/** An incident or maintenance with its updates. @param href the permalink; null on the page of the event itself */
export const EventCard = ({
  title,
  href,
  label,
  tone,
  about,
  updates,
  now,
}: {
  title: string;
  href: string | null;
  label: string;
  tone: Tone;
  /** impact, components and time */
  about: readonly (string | null)[];
  updates: readonly TimelineUpdate[];
  now: Date;
}) => (
  <article className={`card ${styles.card}`}>
    <header className={styles.head}>
      <div>
        {href === null ? (
          <h1>{title}</h1>
        ) : (
          <h2>
            <Link href={href}>{title}</Link>
          </h2>
        )}
        <p className="small muted">
          <InlineList items={about} />
        </p>
      </div>
      <Pill tone={tone}>{label}</Pill>
    </header>
    {updates.length > 0 ? (
      <EventTimeline updates={updates} now={now} tone={tone} heading={href === null ? "h2" : "h3"} />
    ) : null}
  </article>
);
