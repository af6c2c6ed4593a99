"use client";
import { useLinkStatus } from "next/link";
import { useEffect, useState } from "react";

const delayMilliseconds = 150;

/**
 * Marks the page of the link around it as loading, after a short delay, so that fast pages show no sign. The portal's
 * stylesheet shows the outline of a page for a link of the navigation, and a bar for any other link.
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
