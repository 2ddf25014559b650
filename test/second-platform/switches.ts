/**
 * The places where the specification leaves the behaviour open: sections and what they leave open as a comment, then
 * the readings that a real platform could follow. The first is the default: the most literal one.
 */
type ValuesOf<Text extends string> = Text extends `${infer First} | ${infer Rest}` ? First | ValuesOf<Rest> : Text;

/** Delays are counted in reads where possible, so that tests need no clock; the last value uses real time. */
const delays = "at once | after 2 reads | after 1 second";

/** Answers of operations whose response the specification marks "not shown". */
const unshownForms =
  "{} | empty body | status done | status success | status code object | true | null | text OK | 204 | 201 {} | 202 accepted | the changed record | message text";

const transport = {
  // 1: the exact Content-Type of answers is not named, nor compression, a byte order mark, or whether connections persist
  contentType: "application/json | application/json; charset=utf-8 | text/html | absent",
  contentEncoding: "none | gzip when accepted | deflate when accepted | gzip always",
  byteOrderMark: "no | yes",
  connection: "keep-alive | close after each answer | reset when idle for 20 ms",
  // 4, 4.2: paths are printed with or without a final slash; only for commands it is called optional
  trailingSlash: "as printed | optional | never | 308 to no slash",
  // 7: paths that do not exist
  unknownPath: "error body | HTML page | 200 HTML page | empty 404",
  // 9.3: how operations marked as to be deprecated announce it
  deprecation: "not at all | field in the body | 410",
  // 1: a request with a body but without the named Content-Type
  requestContentType: "not checked | 415",
  // 4.6, 4.14: whether a JSON body on GET reaches the service through what stands before it
  getBodies: "read | dropped | 400",
  // 8: rate limits: not shown
  rateLimit:
    "none | 429 each third, Retry-After 0 | 429 each third, no header | 429 each third, HTTP date | 503 each third | 449 each third | 403 each third",
  // 1: how close the service's clock is to the caller's
  serverClock: "right | 1 hour ahead | 1 hour behind",
} as const;

const forms = {
  // 7: error bodies for all failures but the sensor's; their statuses; whether some are sent under HTTP 200
  errorBody: "error object | message | error_code flat | HTML page",
  statusUnauthenticated: "401 | 404 | 200 login page",
  statusInvalid: "422 | 400",
  statusMissing: "404 | 410",
  refusalsUnder200: "none | missing | all",
  // 4: HTTP status of successful creations whose body is shown (only refresh and sensor name 200)
  successStatus: "200 | 201 on POST | 202 on POST",
  // 2: whether identifiers in answers are numbers throughout, and their range
  ids: "numbers | text | text inside lists | text when odd | numbers with fraction zero",
  newIds: "small | above 2^31 | above 2^40 | not rising",
  // 2: how a nullable field without a value is sent; fields beyond those listed
  nullFields: "null | absent | empty text",
  extraFields: "none | in records | in the envelope | names of other fields nested",
  // 1: ISO 8601 UTC is exemplified by one form only
  timestamps: "seconds, Z | milliseconds, Z | offset +00:00 | offset +0000 | basic form",
  // 4: which parameters are mandatory: not shown
  mandatory: "only those stated or without which nothing can be done | the obvious ones | all but those with a default",
  // 4: parameters no table names, or sent as null (only catalog_name may be) or as empty text
  unknownParameters: "ignored | refused",
  nullParameters: "as absent | refused",
  emptyTexts: "taken as sent | refused",
} as const;

export const whitelist = {
  // 2.1, 4.1: the spelling of a listed address; the field is called ip_cidr but described as an address
  whitelistSpelling: "as sent | compressed | with prefix length | upper case | expanded | expanded with prefix length",
  whitelistRanges: "refused | accepted",
  // 4.1: what add and delete refuse, and how (the status object is shown for success)
  whitelistInvalid: "refused | stored",
  whitelistRepeat: "second record | conflict | invalid",
  whitelistRefusals: "as elsewhere | status object under 200",
  // 4.1: what the answer carries besides the status
  whitelistAddAnswer: "status only | record beside | id in the status | empty message",
  whitelistDeleteUnknown: "missing | 200",
  // 4.1: when a record is listed, and no longer
  whitelistAddDelay: delays,
  whitelistDeleteDelay: delays,
  // 2.1, 4.1: the list: its order, an incomplete record among good ones, whether both times are always there, pages
  whitelistOrder: "oldest first | newest first | by address | changing",
  whitelistOddRecord: "none | without id | null ip_cidr | without ip_cidr | null id | {} | null",
  whitelistTimes: "both | absent | null",
  whitelistPages: "never | 2 a page with paging_info | 2 a page, nothing said",
  // 4.1: whether records of other accounts are listed
  whitelistScope: "own account | all accounts | all accounts, without account_id",
  // 4.1: what happens while support has not enabled whitelisting
  whitelistFeature: "enabled | not enabled, all refused | not enabled, add without effect",
} as const;

export const commands = {
  // 2.2, 4.2: the complete field list for every type: not shown
  submissionAnswer: "whole object | id and status | id only",
  // 2.2: whether and how created_at comes in the history
  commandCreatedAt: "timestamp | absent | null | epoch seconds | blank-separated UTC text",
  // 4.6, 2.2: where and when the history shows tags (no field of 2.2 is named for them), and those of a command without
  tagsPlace:
    "tags | command.tags | meta_data.tags | query_properties.tags | query_properties list | tags as comma text | tags as objects | tags as JSON text | never",
  tagsWhen: "with include_query_properties | always",
  tagsOfUntagged: "[] | null | absent",
  tagsDelay: delays,
  // 4.6: when a new command shows in the history, and in which order
  historyDelay: delays,
  historyOrder: "newest first | oldest first | unsorted",
  // 4.6, 8: next_page on the last page and previous_page on the first, their type, and more than the maximum of 100
  historyPageEnd: "null | absent | empty text | 0 | next number all the same | false",
  historyPageNumbers: "integers | text",
  historyPerPageAbove: "refused | cut to 100",
  // 4.6: spellings of true for include_query_properties
  historyFlag: "true | true or 1 | 1 only",
  // 2.2: whether the history carries the whole command object; an incomplete command among good ones
  historyCommandObject: "full | null | absent",
  historyOddRecord: "none | without command and times | null | null status",
  // 3: transitions and the set of status values: not shown
  statusCourse:
    "stays waiting | running, then done | running, then error | done at once | cancelled | unknown words | killed",
  // 2.2: the form of fields in all answers, and which answers carry uid
  submitTime: "epoch seconds | epoch text | ISO text | epoch milliseconds | null",
  qlog: "null | absent | JSON text | object",
  resolvedMacros: "null | list as sent | JSON text",
  uid: "refresh only | all | none",
  timeoutEcho: "null | 129600 | as text",
  nameEcho: "as sent | trimmed | lower case | null in the history",
  // 2.2, 4.3: the command object of a Spark command: not shown
  sparkCommandObject: "parameters sent | all parameters, null when unset | program only | {} | null",
  // 4.3: whether one source of the program is needed
  sparkSource: "not checked | exactly one",
  // 4.2, 4.5: command_type beside the refresh template
  refreshCommandType: "not needed | HiveCommand needed | must be absent",
  // 2.2, 4.5: loader_stable sent as text, answered as integer
  refreshStable: "integer | text as sent",
} as const;

export const things = {
  // 4.7, 2.3: how much of the created data store is answered, and what validation finds when not skipped
  dataStoreAnswer: "all fields | id only | id and name",
  dataStorePassword: "as sent | masked | null | absent",
  dataStoreValidation: "always well | fails | inactive, created",
  // 4.8, 2.7: how the expression is matched, what comes where no table is found, and which columns describe adds
  hiveFilter: "anywhere | whole name | anywhere, case ignored | glob",
  hiveEmpty: "[] | null | missing | {}",
  hiveColumns: "table columns | partition columns too | null | []",
  hiveOrder: "by name | as created",
  // 4.9: which of the two paths exists
  sensorPath: "both | heading only | examples only",
  // 4.9: status is called a string; what true and false mean
  sensorStatus: "text | boolean | capital text",
  sensorMeaning: "partition there | always true | always false | true from the third ask",
  // 4.10: response of add: not shown
  addPackagesAnswer: unshownForms,
  // 4.10: adding a package that is there, in that version or another
  packagePresent: "well | conflict | invalid",
  packageOtherVersion: "replaced | kept, well | conflict",
  // 4.10: where the parameters of the DELETE are
  packageRemoveSource: "body | query or body | query",
  // 4.10: a change while the previous one is being applied
  packageBusy: "accepted | conflict for 1 second",
  // 4.11: whether a rename changes the location
  folderLocationAfter: "last part changes | unchanged",
} as const;

export const access = {
  // 2.6: a policy without elements
  policyEmpty: "accepted | refused | without effect | removes the policy",
  // 2.6: svc_users are not the ordinary user IDs; whether they are checked
  policyUserIds: "not checked | id of get_users | user_id of get_users",
  // 2.6, 4.14: whether the policy is kept as sent
  policyKept: "as sent | deny-all appended | actions sorted | ids sorted | all written out",
  // 4.14: response of view: not shown, nor that of an object without a policy
  policyView:
    "list | JSON text | under policy | under policy as text | under object_policy | under object_policy.policy | under object_policy.policy as text | under policy.policy | list of one record",
  policyViewNone: "[] | {} | null | empty body | missing | policy null | policy [] | owner only",
  // 4.14: conditions in the view, its order, ids and actions, and other fields beside those of an element
  policyViewLists: "as sent | empty lists filled in | nulls filled in | unknown field beside | lists of objects",
  policyViewOrder: "as sent | deny first | reversed",
  policyViewIds: "numbers | text",
  policyViewAction: "as sent | comma text | upper case",
  policyViewExtras: "none | id and created_at | null fields",
  // 4.14: whether view also reads the query string
  policyViewSource: "body only | query or body",
  // 4.14: when a policy that was set is seen
  policyDelay: delays,
  // 4.13: assigning a role that is assigned
  roleAssigned: "done | conflict",
  // 2.5, 4.12: account_id is string or integer; how much of the creation result is answered
  accountId: "integer | text | absent",
  accountAnswer: "all fields | token only | without token | extra fields | under account",
  // 5.3: when the new account's token works
  accountTokenReady: delays,
  // 2.4, 4.12: credentials in the view, and idle_session_timeout when none was set
  accountSecrets: "shown | null",
  accountTimeout: "null | 1440 | text",
  // 2.8, 4.12: get_users is not shown: its envelope, whom it lists, what tells enabled from disabled, pages, odd entries
  usersEnvelope:
    "users | list | account_users | users with paging_info | data.users | JSON object by id | users and other lists",
  usersShown: "enabled and disabled | enabled only | all",
  usersState: "none | is_enabled | status text | disabled flag | disabled_at | svc_user record",
  usersPages: "never | 3 a page with paging_info | 3 a page, nothing said",
  usersEmailCase: "as registered | lower case",
  usersOddEntry: "none | null email | without user_id | null | one user twice",
  // 2.8, 4.12: get_pending_users and get_user_emails: not shown
  pendingForm:
    "pending_users of records | list of records | list of e-mails | users of records | emails only under users | empty body when none",
  emailsForm:
    "emails of texts | list of texts | user_emails of texts | records with email | pairs of id and email | comma text",
  emailsShown: "enabled and disabled | enabled only | all",
  // 4.10 to 4.14: responses that are not shown, but for that of adding packages
  unshownAnswer: unshownForms,
  // 4.12: when an enabled user is listed as such
  enableDelay: delays,
} as const;

const catalogue = { ...transport, ...forms, ...whitelist, ...commands, ...things, ...access };

export type SwitchName = keyof typeof catalogue;

export type Switches = { [K in SwitchName]: ValuesOf<(typeof catalogue)[K]> };

/** Every switch and its values; the first is the default. */
export const switchCatalogue: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(catalogue).map(([name, values]) => [name, values.split(" | ")]),
);

/** The defaults overlaid with the given values; throws on a misspelt name or value, which is a bug in the test. */
export function resolveSwitches(given: Partial<Switches> = {}): Switches {
  const resolved: Record<string, string> = {};
  for (const [name, values] of Object.entries(switchCatalogue)) resolved[name] = values[0]!;
  for (const [name, value] of Object.entries(given)) {
    const values = switchCatalogue[name];
    if (!values) throw new Error(`no switch is called ${name}`);
    if (value === undefined) continue;
    if (!values.includes(value)) throw new Error(`switch ${name} has no value ${value}`);
    resolved[name] = value;
  }
  return resolved as Switches;
}
