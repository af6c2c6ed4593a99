"use client";
import { useLinkStatus } from "next/link";
import { useEffect, useState } from "react";

const delayMilliseconds = 150;

/**
 * Adds a hidden `data-pending` element to the link around it while the linked page loads, after a short delay, so that
 * fast pages show no indicator. The portal's stylesheet shows the indicator: a skeleton of a page for a link in the
 * navigation, a bar for any other link. The element is hidden, so that it adds no gap to a button.
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
