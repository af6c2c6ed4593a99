import { Fragment } from "react";

/** A long path or name breaks between its parts. */
export const Breakable = ({ path }: { path: string }) =>
  path.split(/(?<=[/._-])(?=.)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text keep their order
    <Fragment key={index}>
      {index === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ));
