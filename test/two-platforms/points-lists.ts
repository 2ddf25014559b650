import { at, type OpenPoint, status } from "./open-point";

const whitelist = "IP whitelist";
const history = "Command history";

const whitelistPoints: readonly OpenPoint[] = [
  {
    id: "whitelist-ranges",
    area: whitelist,
    section: "2.1, 4.1",
    open: "Whether `ip_cidr`, described as an address, takes a range such as `192.0.2.0/24`",
    emulator: "Yes",
    second: "422",
    otherWay: { switches: { whitelistRanges: "accepted" } },
    provider: "Sends ranges; a refusal shows the platform's words",
    seen: [status(/^whitelist\.add\/(an IPv4 range.*|an IPv4 address as a range|an IPv6 range|everything)$/, 200, 422)],
  },
  {
    id: "whitelist-repeated-add",
    area: whitelist,
    section: "4.1",
    open: "Adding an address that is listed already, in the same or another spelling",
    emulator: "409",
    second: "Success, and a second record",
    otherWay: { readings: { whitelistDuplicate: "second-record" } },
    provider: "Looks at the list first and takes over what is there; a 409 means the same",
    seen: [
      status(
        /^whitelist\/(add twice.* \(2\)|add what the seed lists|add another spelling.*|add in the other account)$/,
        409,
        200,
      ),
      at(/^account_whitelisted_ips$/, /^whitelist\/add twice, then list \(3\)$/),
    ],
  },
];

const historyPoints: readonly OpenPoint[] = [
  {
    id: "history-flag",
    area: history,
    section: "4.6",
    open: "Spellings of `include_query_properties` beside `true` and `false`",
    emulator: "422",
    second: 'Read as false; `"true"` as text in the body as true',
    provider: "Sends `true` in the query",
    seen: [status(/^commands\.history\/query properties (1|TRUE|in words|(as text|1) in the body)$/, 422, 200)],
  },
  {
    id: "history-reversed-range",
    area: history,
    section: "4.6",
    open: "A `start_date` after `end_date`",
    emulator: "422",
    second: "An empty list",
    provider: "Passes either on",
    seen: [status(/^commands\.history\/from the end to the start$/, 422, 200)],
  },
  {
    id: "history-impossible-date",
    area: history,
    section: "4.6",
    open: "A day that does not exist, such as 30 February",
    emulator: "422",
    second: "Read as 1 March",
    provider: "Sends the dates as they are",
    seen: [status(/^commands\.history\/no such day$/, 422, 200)],
  },
  {
    id: "history-both-places",
    area: history,
    section: "4.6",
    open: "A parameter that is both in the query and in the body",
    emulator: "The body wins",
    second: "The query wins",
    otherWay: { switches: { historyBothSources: "body wins" } },
    provider: "Uses the query only",
    seen: [at(/^(commands|paging_info\.(per_page|next_page))$/, /^commands\.history\/a parameter in both places$/)],
  },
  {
    id: "history-default-start",
    area: history,
    section: "4.6, 8",
    open: "Where the default window of 30 days starts when `end_date` has no time",
    emulator: "At the start of the day 30 days before",
    second: "At the end of that day, so the day itself is left out",
    provider: "Always sends `start_date` when it looks for a command",
    seen: [at(/^commands$/, /^commands\.history\/up to 30 days after a command$/)],
  },
];

/** Of the two lists: the whitelist and the command history. */
export const listPoints: readonly OpenPoint[] = [...whitelistPoints, ...historyPoints];
