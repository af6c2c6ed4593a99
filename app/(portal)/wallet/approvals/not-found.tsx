import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";

const NotFound = () => (
  <EmptyState
    isPage
    title="There is no such payment"
    act={<ButtonLink href="/wallet/approvals">All approvals</ButtonLink>}
  >
    It isn’t one that waits for you or did, or the address is mistyped.
  </EmptyState>
);

export default NotFound;
