import NextLink from "next/link";
import type { ComponentProps } from "react";
import { PendingMark } from "./pending-mark.tsx";
import { WholeWords } from "./whole-words.tsx";

/**
 * A link. In the portals, a sign shows that the linked page is loading (`PendingMark`). Linked pages aren't prefetched:
 * a page of a portal has about 40 links, and each would be a request to the process that also serves tokens.
 */
export const Link = ({ children, ...props }: ComponentProps<typeof NextLink>) => (
  <NextLink prefetch={false} {...props}>
    <WholeWords>{children}</WholeWords>
    <PendingMark />
  </NextLink>
);
