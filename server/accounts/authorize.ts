export {
  type AccessAction,
  type AccessActor,
  type AccessResource,
  authorize,
  type Decision,
} from "./rules/authorize.ts";
