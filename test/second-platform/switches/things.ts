import { unshownForms } from "./define";

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
