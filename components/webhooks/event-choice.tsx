"use client";
import { useId, useState } from "react";
import styles from "./webhooks.module.css";

/** Every kind of event, those that are added later too, or chosen ones. */
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
        <label className={styles.choice}>
          <input type="radio" name="which" value="all" defaultChecked={!isSome} onChange={() => setIsSome(false)} />
          Every kind, also those that are added later
        </label>
        <label className={styles.choice}>
          <input type="radio" name="which" value="some" defaultChecked={isSome} onChange={() => setIsSome(true)} />
          Only these
        </label>
      </div>
      {isSome ? (
        <div className={styles.kinds}>
          {eventTypes.map((type) => (
            <label key={type} className={styles.choice}>
              <input type="checkbox" name="event" value={type} defaultChecked={chosen.includes(type)} />
              {type}
            </label>
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
