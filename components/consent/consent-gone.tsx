import { ButtonLink } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

const words = {
  expired: {
    title: "This request has gone stale",
    text: "It stayed open for more than 15 minutes, so nothing was allowed. Go back to the app that sent you here and start again.",
  },
  completed: {
    title: "This request has been answered",
    text: "It was approved or declined already, perhaps in another tab. What you allow and what you stop is in your wallet.",
  },
  unknown: {
    title: "There is no such request",
    text: "The address may be incomplete, or the request may be gone. Go back to the app that sent you here and start again.",
  },
} as const;

/** Instead of the question: why it can't be asked any more, and what to do. */
export const ConsentGone = ({ reason }: { reason: keyof typeof words }) => (
  <EmptyState
    isPage
    title={words[reason].title}
    act={
      <ButtonLink href="/wallet" prefetch={false}>
        Open my wallet
      </ButtonLink>
    }
  >
    {words[reason].text}
  </EmptyState>
);
