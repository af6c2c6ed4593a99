"use client";
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import fieldStyles from "./field.module.css";
import { describedBy, FieldFrame } from "./field-frame.tsx";
import styles from "./suggest-field.module.css";

type SuggestFieldProps = {
  label: string;
  name: string;
  /** texts that the list offers */
  options: readonly string[];
  defaultValue?: string;
  hint?: ReactNode;
  error?: ReactNode;
  required?: boolean;
};

const maxShown = 8;

/** Options that contain every word of the text. Options that start with the text are first. */
const matchesOf = (options: readonly string[], text: string): string[] => {
  const typed = text.trim().toLowerCase();
  const words = typed.split(/\s+/);
  const found = options.filter((option) => words.every((word) => option.toLowerCase().includes(word)));
  return found
    .toSorted((a, b) => Number(b.toLowerCase().startsWith(typed)) - Number(a.toLowerCase().startsWith(typed)))
    .slice(0, maxShown);
};

/**
 * A text field with a list of suggestions (WAI-ARIA APG, Combobox with list autocomplete). It is uncontrolled: the form
 * sends its text, which may be a text that the list doesn't offer.
 */
export const SuggestField = ({ label, name, options, defaultValue, hint, error, required }: SuggestFieldProps) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [matches, setMatches] = useState<readonly string[]>([]);
  const [active, setActive] = useState(-1);
  const show = (text: string | null) => {
    setMatches(text === null ? [] : matchesOf(options, text));
    setActive(-1);
  };
  const take = (option: string) => {
    if (input.current) input.current.value = option;
    input.current?.dispatchEvent(new Event("change", { bubbles: true }));
    show(null);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) =>
    handleKey({ matches, active, show, take, setActive }, event);
  const isOpen = matches.length > 0;
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} className={styles.field}>
      <input
        ref={input}
        id={id}
        name={name}
        defaultValue={defaultValue}
        required={required}
        className={fieldStyles.control}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-list` : undefined}
        aria-activedescendant={matches[active] === undefined ? undefined : `${id}-${active}`}
        {...describedBy(id, { hint, error })}
        autoComplete="off"
        maxLength={200}
        onChange={(event) => show(event.target.value)}
        onKeyDown={onKeyDown}
        onBlur={() => show(null)}
      />
      {isOpen ? <Suggestions id={id} label={label} matches={matches} active={active} take={take} /> : null}
    </FieldFrame>
  );
};

const Suggestions = ({
  id,
  label,
  matches,
  active,
  take,
}: {
  id: string;
  label: string;
  matches: readonly string[];
  active: number;
  take: (option: string) => void;
}) => (
  <div id={`${id}-list`} role="listbox" aria-label={label} className={styles.list}>
    {matches.map((option, index) => (
      // The field keeps the focus, so that its list stays open until the click ends.
      <div
        key={option}
        id={`${id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === active}
        className={styles.option}
        onMouseDown={(event) => {
          event.preventDefault();
          take(option);
        }}
      >
        {option}
      </div>
    ))}
  </div>
);

type List = {
  matches: readonly string[];
  active: number;
  show: (text: string | null) => void;
  take: (option: string) => void;
  setActive: (index: number) => void;
};

/** Arrow keys move in the list, Enter selects the active option, Escape closes the list. */
const handleKey = ({ matches, active, show, take, setActive }: List, event: KeyboardEvent<HTMLInputElement>): void => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const chosen = matches[active];
  if (step !== undefined) {
    event.preventDefault();
    if (matches.length === 0) {
      show(event.currentTarget.value);
      return;
    }
    const from = active < 0 && step < 0 ? 0 : active;
    setActive((from + step + matches.length) % matches.length);
  } else if (event.key === "Enter" && chosen !== undefined) {
    event.preventDefault();
    take(chosen);
  } else if (event.key === "Escape" && matches.length > 0) {
    event.preventDefault();
    show(null);
  }
};
