import NextLink from "next/link";
import type { ComponentProps } from "react";
import { PendingMark } from "./pending-mark.tsx";
import { WholeWords } from "./whole-words.tsx";

/** A link. In the portals, a sign shows that the linked page is loading (`PendingMark`). */
export const Link = ({ children, ...props }: ComponentProps<typeof NextLink>) => (
  <NextLink {...props}>
    <WholeWords>{children}</WholeWords>
    <PendingMark />
  </NextLink>
);
