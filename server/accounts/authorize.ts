export {
  type AccessAction,
  type AccessActor,
  authorize,
  type Decision,
} from "./rules/authorize.ts";
