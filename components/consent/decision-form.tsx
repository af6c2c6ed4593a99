"use client";
import { type FormEvent, type ReactNode, useRef } from "react";

/** Two clicks within this time are one double click. */
const doubleClickMilliseconds = 1_000;

/**
 * A native form. Its first submit button is hidden and disabled, so that Enter in a field doesn't submit the form
 * (HTML, implicit submission). While a field is invalid, Approve opens and focuses the field instead of sending the
 * form. A double click sends the form once. A later click sends it again, and the server repeats its response.
 */
export const DecisionForm = ({ action, children }: { action: string; children: ReactNode }) => {
  const sentAt = useRef(Number.NEGATIVE_INFINITY);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    const invalid = isApproval(event) ? event.currentTarget.querySelector<HTMLElement>("[aria-invalid=true]") : null;
    const isDoubleClick = event.timeStamp - sentAt.current < doubleClickMilliseconds;
    if (invalid || isDoubleClick) event.preventDefault();
    else sentAt.current = event.timeStamp;
    if (invalid) reveal(invalid).focus();
  };

  return (
    // A browser can't focus an invalid date in a closed row, so the row is opened first. When the payer goes back to
    // the page, a browser would restore the fields but not the amounts next to them, so autoComplete is off.
    <form
      method="post"
      action={action}
      autoComplete="off"
      onSubmit={submit}
      onInvalidCapture={({ target }) => reveal(target as HTMLElement)}
    >
      <button type="submit" disabled hidden />
      {children}
    </form>
  );
};

const isApproval = ({ nativeEvent }: FormEvent<HTMLFormElement>): boolean => {
  const { submitter } = nativeEvent as SubmitEvent;
  return submitter instanceof HTMLButtonElement && submitter.value === "approve";
};

const reveal = (field: HTMLElement): HTMLElement => {
  const row = field.closest("details");
  if (row) row.open = true;
  return field;
};
