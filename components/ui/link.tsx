import NextLink from "next/link";
import type { ComponentProps } from "react";
import { PendingMark } from "./pending-mark.tsx";

/** A link that shows in the portals that its page is loading (`PendingMark`). */
export const Link = ({ children, ...props }: ComponentProps<typeof NextLink>) => (
  <NextLink {...props}>
    {children}
    <PendingMark />
  </NextLink>
);
