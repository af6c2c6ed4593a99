import NextLink from "next/link";
import type { ComponentProps } from "react";
import { PendingMark } from "./pending-mark.tsx";

/** A link. In the portals, a sign shows that the linked page is loading (`PendingMark`). */
export const Link = ({ children, ...props }: ComponentProps<typeof NextLink>) => (
  <NextLink {...props}>
    {children}
    <PendingMark />
  </NextLink>
);
