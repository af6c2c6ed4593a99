"use client";
import { useId, useState } from "react";
import { Choice } from "../../ui/choice.tsx";
import styles from "./webhooks.module.css";

/** All events, including future ones, or a selection. */
export const EventChoice = ({
  eventTypes,
  chosen,
  error,
}: {
  eventTypes: readonly string[];
  chosen: readonly string[];
  error: string | null;
}) => {
  const id = useId();
  const [isSome, setIsSome] = useState(chosen.length > 0);
  return (
    <fieldset className={styles.events} aria-describedby={error ? id : undefined}>
      <legend>Events</legend>
      <div>
        <Choice type="radio" name="which" value="all" defaultChecked={!isSome} onChange={() => setIsSome(false)}>
          All events, including future ones
        </Choice>
        <Choice type="radio" name="which" value="some" defaultChecked={isSome} onChange={() => setIsSome(true)}>
          Selected events
        </Choice>
      </div>
      {isSome ? (
        <div className={styles.eventTypes}>
          {eventTypes.map((type) => (
            <Choice key={type} type="checkbox" name="event" value={type} defaultChecked={chosen.includes(type)}>
              {type}
            </Choice>
          ))}
        </div>
      ) : null}
      {error ? (
        <p id={id} className={styles.error} role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  );
};
