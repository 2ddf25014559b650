import { delays } from "./define";

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
