import { at, type OpenPoint, status } from "./open-point";

const area = "Commands";

/** Of S3DistCp. */
export const copyPoints: readonly OpenPoint[] = [
  {
    id: "copy-source-and-target",
    area,
    section: "4.4",
    open: "Whether `src` and `dest` must be given",
    emulator: "422 without",
    second: "Not checked",
    provider: "Requires both at preview, unless all arguments are given as one text",
    seen: [
      status(
        /^commands\.s3distcp\/(sub_command_args omitted|neither source nor target|a (source|target) alone|no arguments at all)$/,
        422,
        200,
      ),
    ],
  },
  {
    id: "copy-option-in-both-places",
    area,
    section: "4.4",
    open: "An option given as a parameter and within `sub_command_args`",
    emulator: "422",
    second: "The parameter wins",
    otherWay: { switches: { distCpParameters: "refused" } },
    provider: "Sends `sub_command_args` only, built from the options",
    seen: [status(/^commands\.s3distcp\/an option in both places$/, 422, 200)],
  },
  {
    id: "copy-argument-text",
    area,
    section: "4.4",
    open: "How strictly `sub_command_args` is read at submission",
    emulator: "422 for unknown or repeated options, values of flags, stray words and open quotes",
    second: "Takes what it understands",
    provider: "Quotes each value so that every shell splits it alike, and refuses open quotes at preview",
    seen: [
      status(
        /^commands\.s3distcp\/(an unknown option|an option twice|a flag with a value|a word that is no option|an open quote)$/,
        422,
        200,
      ),
    ],
  },
  {
    id: "copy-sizes",
    area,
    section: "4.4",
    open: "Whether sizes may be 0, and when an integer within `sub_command_args` is checked",
    emulator: "At least 1, checked at submission",
    second: "0 is accepted; integers within the text are not checked",
    provider: "Requires at least 1 at preview",
    seen: [
      status(/^commands\.s3distcp\/(targetSize that is text|(targetSize|multipartUploadChunkSize) zero)$/, 422, 200),
    ],
  },
  {
    id: "copy-companions",
    area,
    section: "4.4",
    open: "`startingIndex` without `numberFiles`, `copyFromManifest` without `previousManifest`",
    emulator: "422",
    second: "Accepted",
    otherWay: { switches: { distCpCompanions: "refused alone" } },
    provider: "Refuses both at preview",
    seen: [status(/^commands\.s3distcp\/(startingIndex (zero|alone)|copyFromManifest alone)$/, 422, 200)],
  },
  {
    id: "copy-order-of-options",
    area,
    section: "4.4",
    open: "In which order options given as parameters are added to `sub_command_args`",
    emulator: "As in the table",
    second: "Texts, integers, then flags",
    provider: "Sends `sub_command_args` only",
    seen: [at(/^command\.sub_command_args$/, /^commands\.s3distcp\/options as parameters$/)],
  },
  {
    id: "copy-escaped-parentheses",
    area,
    section: "4.4, 7",
    open: "A `groupBy` whose only parentheses are escaped, such as `\\(a\\)`",
    emulator: "The command ends in `error`",
    second: "Continues like any other",
    word: {
      says: "4.4: the expression must contain a parenthesised group, otherwise the step fails; `\\(` is not a group",
      departs: "second platform",
    },
    provider: "Refuses it at preview",
    seen: [
      at(
        /^commands\[0\]\.(status|start_time|end_time|qlog)$/,
        /^commands\.s3distcp\/groupBy with escaped parentheses \(2\)$/,
      ),
    ],
  },
  {
    id: "copy-group-without-capture",
    area,
    section: "4.4, 7",
    open: "Whether `(?:a)`, which captures nothing, is a parenthesised group",
    emulator: "No: the command ends in `error`",
    second: "Yes",
    provider: "Refuses it at preview: there would be nothing to group by",
    seen: [
      at(
        /^commands\[0\]\.(status|start_time|end_time|qlog)$/,
        /^commands\.s3distcp\/groupBy with a group that keeps nothing \(2\)$/,
      ),
    ],
  },
  {
    id: "copy-existing-output",
    area,
    section: "4.4",
    open: "A copy to a directory that an earlier copy has made",
    emulator: "The command ends in `error`",
    second: "Continues like any other: it keeps no directories",
    word: { says: "4.4: the output directory must not exist before the job", departs: "second platform" },
    provider: "With `wait`, `error` fails the resource",
    seen: [
      at(/^commands\[0\]\.(status|start_time|end_time|qlog)$/, /^commands\.s3distcp\/twice to the same target \(3\)$/),
    ],
  },
];
