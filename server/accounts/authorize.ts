export {
  type AccessAction,
  type AccessActor,
  authorize,
  type Decision,
} from "./rules/authorize.ts";
export { type MerchantAction, type MerchantRole, merchantActions, riskyActions } from "./rules/merchant-actions.ts";
export {
  actionsBeforeSecondFactor,
  isOperatorRole,
  type OperatorAction,
  type OperatorRole,
  operatorActions,
  operatorRoles,
  riskyOperatorActions,
} from "./rules/operator-actions.ts";
