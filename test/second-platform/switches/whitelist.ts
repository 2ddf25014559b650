import { delays } from "./define";

export const whitelist = {
  // 2.1: in which spelling a listed address comes back
  whitelistSpelling: "as sent | compressed | with prefix length | upper case | expanded | expanded with prefix length",
  // 2.1, 4.1: the field is called ip_cidr but described as an address
  whitelistRanges: "refused | accepted | accepted, host bits cleared",
  // 4.1: a text that is not an address
  whitelistInvalid: "refused | stored | 200 with status_code 422",
  // 4.1: adding an address that is listed already
  whitelistRepeat:
    "second record | 200, nothing added | conflict | invalid | 200 with status_code 422 | updated_at renewed",
  // 4.1: form of a failed add or delete (the status object is shown for success)
  whitelistRefusals: "as elsewhere | status object | status object under 200",
  // 4.1: what the answer carries besides the status
  whitelistAddAnswer: "status only | record beside | id in the status | empty message",
  // 4.1: deleting an unknown id
  whitelistDeleteUnknown: "missing | 200 | 200 with status_code 404",
  // 4.1: a percent-encoded comma in the list of ids
  whitelistDeleteComma: "decoded | not decoded",
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
  // 8: how many records an account may have
  whitelistLimit: "none | 4, then invalid | 4, then 200 without effect",
  // 4.1: what happens while support has not enabled whitelisting
  whitelistFeature: "enabled | not enabled, add refused | not enabled, all refused | not enabled, add without effect",
  // 4.1, 5.4: login is limited to listed addresses; whether API calls are is unsaid
  whitelistEnforced: "login only | API calls too",
} as const;
