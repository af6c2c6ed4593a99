"use client";
import { useLinkStatus } from "next/link";
import { useEffect, useState } from "react";

const delayMilliseconds = 150;

/**
 * Marks the link around it while the linked page loads, after a short delay, so that fast pages show no sign. For a
 * marked link in the navigation, the portal's stylesheet shows the outline of a page; for any other link, a bar.
 * The mark is hidden, so that it adds no gap to a button.
 */
export const PendingMark = () => {
  const { pending } = useLinkStatus();
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!pending) return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), delayMilliseconds);
    return () => clearTimeout(timer);
  }, [pending]);
  return isShown ? <span data-pending="" hidden /> : null;
};
