import { delays, unshownForms } from "./define";

export const access = {
  // 2.6: a policy without elements
  policyEmpty: "accepted | refused | without effect | removes the policy",
  // 2.6: svc_users are not the ordinary user IDs; whether they are checked
  policyUserIds: "not checked | id of get_users | user_id of get_users",
  // 2.6, 4.14: whether the policy is kept as sent
  policyKept: "as sent | deny-all appended | actions sorted | ids sorted | all written out",
  // 4.14: response of view: not shown
  policyView:
    "list | JSON text | under policy | under policy as text | under object_policy | under object_policy.policy | under object_policy.policy as text | under policy.policy | list of one record",
  // 4.14: view of an object without a policy
  policyViewNone: "[] | {} | null | empty body | missing | policy null | policy [] | owner only",
  // 4.14: conditions in the view
  policyViewLists: "as sent | empty lists filled in | nulls filled in | unknown field beside | lists of objects",
  // 4.14: order of the elements in the view
  policyViewOrder: "as sent | deny first | reversed",
  // 4.14: ids in the view
  policyViewIds: "numbers | text",
  // 4.14: actions in the view
  policyViewAction: "as sent | comma text | upper case",
  // 4.14: fields beside those of an element
  policyViewExtras: "none | id and created_at | null fields",
  // 4.14: whether view also reads the query string
  policyViewSource: "body only | query or body",
  // 4.14: when a policy that was set is seen
  policyDelay: delays,
  // 4.13: assigning a role that is assigned
  roleAssigned: "done | conflict",
  // 2.5: account_id is string or integer
  accountId: "integer | text | absent",
  // 2.5, 4.12: how much of the creation result is answered
  accountAnswer: "all fields | token only | without token | extra fields | under account",
  // 5.3: when the new account's token works
  accountTokenReady: delays,
  // 2.4: credentials in the view
  accountSecrets: "shown | null",
  // 2.4, 4.12: idle_session_timeout in the view when none was set
  accountTimeout: "null | 1440 | text",
  // 2.8: envelope of get_users: not shown
  usersEnvelope:
    "users | list | account_users | users with paging_info | data.users | JSON object by id | users and other lists",
  // 4.12: which users get_users lists
  usersShown: "enabled and disabled | enabled only | all",
  // 2.8: field of an entry that tells enabled from disabled
  usersState: "none | is_enabled | status text | disabled flag | disabled_at | svc_user record",
  // 4.12: whether a long list is cut
  usersPages: "never | 3 a page with paging_info | 3 a page, nothing said",
  // 2.8: spelling of e-mail addresses
  usersEmailCase: "as registered | lower case",
  // 2.8: an incomplete entry among good ones
  usersOddEntry: "none | null email | without user_id | null | one user twice",
  // 2.8: form of get_pending_users: not shown
  pendingForm:
    "pending_users of records | list of records | list of e-mails | users of records | emails only under users | empty body when none",
  // 2.8: form of get_user_emails: not shown
  emailsForm:
    "emails of texts | list of texts | user_emails of texts | records with email | pairs of id and email | comma text",
  // 4.12: which users get_user_emails lists
  emailsShown: "enabled and disabled | enabled only | all",
  // 4.10 to 4.14: responses that are not shown, but for that of adding packages
  unshownAnswer: unshownForms,
  // 4.12: when an enabled user is listed as such
  enableDelay: delays,
} as const;
