"use client";
import { useState } from "react";
import { Select } from "./field.tsx";

type Explained = { value: string; name: string; meaning: string };

/** A choice whose hint explains the selected option. */
export const ExplainedSelect = ({
  label,
  name,
  selected,
  options,
}: {
  label: string;
  name: string;
  selected: string;
  options: readonly Explained[];
}) => {
  const [value, setValue] = useState(selected);
  const hint = options.find((option) => option.value === value)?.meaning;
  return (
    <Select
      label={label}
      name={name}
      hint={hint}
      defaultValue={selected}
      onChange={(event) => setValue(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </Select>
  );
};
