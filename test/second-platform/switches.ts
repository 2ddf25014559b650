/**
 * The places where the specification leaves the behaviour open: the section and what it leaves open as a comment, then
 * the readings that a real platform could follow. The first is the default: the most literal one.
 */
type ValuesOf<Text extends string> = Text extends `${infer First} | ${infer Rest}` ? First | ValuesOf<Rest> : Text;

/** Delays are counted in reads where possible, so that tests need no clock; the last value uses real time. */
const delays = "at once | after 2 reads | after 1 second";

/** Answers of operations whose response the specification marks "not shown". */
const unshownForms =
  "{} | empty body | status done | status success | status code object | true | null | text OK | 204 | 201 {} | 202 accepted | the changed record | message text";

const transport = {
  // 1: bodies are JSON; the exact Content-Type of answers is not named
  contentType: "application/json | application/json; charset=utf-8 | text/html | absent",
  // 1: whether answers are compressed
  contentEncoding: "none | gzip when accepted | deflate when accepted | gzip always",
  // 1: whether JSON text may begin with a byte order mark
  byteOrderMark: "no | yes",
  // 1: whether connections persist
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
  // 7: error bodies for all failures but the sensor's
  errorBody: "error object | message | error_code flat | HTML page",
  // 5, 7: status for a missing or unknown token
  statusUnauthenticated: "401 | 404 | 200 login page",
  // 7: status for a request that breaks a rule
  statusInvalid: "422 | 400",
  // 7: status for a thing that does not exist
  statusMissing: "404 | 410",
  // 7: whether failures are sent under HTTP 200 with the error in the body
  refusalsUnder200: "none | missing | all",
  // 4: HTTP status of successful creations whose body is shown (only refresh and sensor name 200)
  successStatus: "200 | 201 on POST | 202 on POST",
  // 2: whether identifiers in answers are numbers throughout
  ids: "numbers | text | text inside lists | text when odd | numbers with fraction zero",
  // 2: range of new identifiers
  newIds: "small | above 2^31 | above 2^40 | not rising",
  // 2: how a nullable field without a value is sent
  nullFields: "null | absent | empty text",
  // 2.2, 2.8: fields beyond those listed
  extraFields: "none | in records | in the envelope | names of other fields nested",
  // 1: ISO 8601 UTC is exemplified by one form only
  timestamps: "seconds, Z | milliseconds, Z | offset +00:00 | offset +0000 | basic form",
  // 4: which parameters are mandatory: not shown
  mandatory: "only those stated or without which nothing can be done | the obvious ones | all but those with a default",
  // 4: parameters no table names
  unknownParameters: "ignored | refused",
  // 4: a parameter sent as null (only catalog_name may be)
  nullParameters: "as absent | refused",
  // 4: a parameter sent as empty text
  emptyTexts: "taken as sent | refused",
} as const;

export const whitelist = {
  // 2.1: in which spelling a listed address comes back
  whitelistSpelling: "as sent | compressed | with prefix length | upper case | expanded | expanded with prefix length",
  // 2.1, 4.1: the field is called ip_cidr but described as an address
  whitelistRanges: "refused | accepted",
  // 4.1: a text that is not an address
  whitelistInvalid: "refused | stored",
  // 4.1: adding an address that is listed already
  whitelistRepeat: "second record | conflict | invalid",
  // 4.1: form of a failed add or delete (the status object is shown for success)
  whitelistRefusals: "as elsewhere | status object under 200",
  // 4.1: what the answer carries besides the status
  whitelistAddAnswer: "status only | record beside | id in the status | empty message",
  // 4.1: deleting an unknown id
  whitelistDeleteUnknown: "missing | 200",
  // 4.1: when a new record is listed
  whitelistAddDelay: delays,
  // 4.1: when a deleted record is gone from the list
  whitelistDeleteDelay: delays,
  // 4.1: order of the list
  whitelistOrder: "oldest first | newest first | by address | changing",
  // 4.1: an incomplete record among good ones
  whitelistOddRecord: "none | without id | null ip_cidr | without ip_cidr | null id | {} | null",
  // 2.1: whether both times are always there
  whitelistTimes: "both | absent | null",
  // 4.1: whether a long list is cut
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
  // 4.6, 2.2: where the history shows tags (no field of 2.2 is named for them)
  tagsPlace:
    "tags | command.tags | meta_data.tags | query_properties.tags | query_properties list | tags as comma text | tags as objects | tags as JSON text | never",
  // 4.6: whether tags are ever there without include_query_properties
  tagsWhen: "with include_query_properties | always",
  // 4.6: tags of a command without any
  tagsOfUntagged: "[] | null | absent",
  // 4.6: when the tags of a new command show
  tagsDelay: delays,
  // 4.6: when a new command shows in the history
  historyDelay: delays,
  // 4.6: order of the history
  historyOrder: "newest first | oldest first | unsorted",
  // 4.6: next_page on the last page and previous_page on the first
  historyPageEnd: "null | absent | empty text | 0 | next number all the same | false",
  // 4.6: type of the page numbers
  historyPageNumbers: "integers | text",
  // 4.6, 8: per_page above the maximum of 100
  historyPerPageAbove: "refused | cut to 100",
  // 4.6: spellings of true for include_query_properties
  historyFlag: "true | true or 1 | 1 only",
  // 2.2: whether the history carries the whole command object
  historyCommandObject: "full | null | absent",
  // 2.2: an incomplete command among good ones
  historyOddRecord: "none | without command and times | null | null status",
  // 3: transitions and the set of status values: not shown
  statusCourse:
    "stays waiting | running, then done | running, then error | done at once | cancelled | unknown words | killed",
  // 2.2: form of submit_time in all answers
  submitTime: "epoch seconds | epoch text | ISO text | epoch milliseconds | null",
  // 2.2: value of qlog
  qlog: "null | absent | JSON text | object",
  // 2.2: value of resolved_macros
  resolvedMacros: "null | list as sent | JSON text",
  // 2.2: which answers carry uid
  uid: "refresh only | all | none",
  // 2.2, 4.2: timeout when none was submitted
  timeoutEcho: "null | 129600 | as text",
  // 2.2: whether the name comes back as sent
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
  // 4.7: how much of the created data store is answered
  dataStoreAnswer: "all fields | id only | id and name",
  // 2.3: the password in the answer
  dataStorePassword: "as sent | masked | null | absent",
  // 4.7: what validation finds when not skipped
  dataStoreValidation: "always well | fails | inactive, created",
  // 4.8: how the expression is matched
  hiveFilter: "anywhere | whole name | anywhere, case ignored | glob",
  // 4.8: no table found
  hiveEmpty: "[] | null | missing | {}",
  // 2.7: which columns describe adds
  hiveColumns: "table columns | partition columns too | null | []",
  // 4.8: order of the tables
  hiveOrder: "by name | as created",
  // 4.9: which of the two paths exists
  sensorPath: "both | heading only | examples only",
  // 4.9: status is called a string
  sensorStatus: "text | boolean | capital text",
  // 4.9: what true and false mean
  sensorMeaning: "partition there | always true | always false | true from the third ask",
  // 4.10: response of add: not shown
  addPackagesAnswer: unshownForms,
  // 4.10: adding a package that is there in that version
  packagePresent: "well | conflict | invalid",
  // 4.10: adding another version of a package that is there
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
