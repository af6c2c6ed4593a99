import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

const NotFound = () => (
  <EmptyState
    isPage
    title="There is no such mandate"
    act={<ButtonLink href="/wallet/mandates">All mandates</ButtonLink>}
  >
    It isn’t one of yours, or the address is mistyped.
  </EmptyState>
);

export default NotFound;
