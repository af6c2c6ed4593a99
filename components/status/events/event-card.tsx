import Link from "next/link";
import type { ReactNode } from "react";
import { Pill, type Tone } from "../../ui/pill.tsx";
import styles from "./event-card.module.css";
import { Timeline, type TimelineUpdate } from "./timeline.tsx";

/** An incident or maintenance with what was told of it. @param href of its permalink; null: this is it. */
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
  /** what it concerns, when, how badly */
  about: ReactNode;
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
            <Link href={href} prefetch={false}>
              {title}
            </Link>
          </h2>
        )}
        <p className="small muted">{about}</p>
      </div>
      <Pill tone={tone}>{label}</Pill>
    </header>
    {updates.length > 0 ? (
      <Timeline updates={updates} now={now} tone={tone} heading={href === null ? "h2" : "h3"} />
    ) : null}
  </article>
);
