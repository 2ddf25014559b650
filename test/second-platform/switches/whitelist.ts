import { delays } from "./define";

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
