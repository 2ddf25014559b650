import { bodies, callOf, type Group, group, type Operation, parameterFaults } from "./calls";
import { operations } from "./operations";

const { spark, distCp, refresh, history } = operations;
const command = { command_type: "SparkCommand" };
const history1 = callOf(history, { query: { include_query_properties: "true" } });
const long = (count: number, letter = "a") => letter.repeat(count);
const withGood = (operation: Operation, changes: Record<string, object>) =>
  bodies(
    operation,
    Object.fromEntries(Object.entries(changes).map(([name, more]) => [name, { ...operation.good, ...more }])),
  );

/** The parameters of 4.2. */
const common: Group[] = [
  ...parameterFaults(spark, { name: "n", label: "l", tags: ["t"], macros: [{ a: "b" }], timeout: 60 }),
  ...withGood(spark, {
    "all common parameters": { name: "n", label: "l", tags: ["t", "u"], macros: [{ a: "1" }], timeout: 80 },
    "a name of 255": { name: long(255) },
    "a name of 256": { name: long(256) },
    "a name of 200 emoji": { name: long(200, "😀") },
    "a name with &": { name: "a&b" },
    "a name with <": { name: "a<b" },
    "a name with >": { name: "a>b" },
    "a name with a quote": { name: "it's" },
    "a name with a double quote": { name: 'a"b' },
    "a name with a tag": { name: "<b>a</b>" },
    "a name with blanks around": { name: " a " },
    "a name with a line end": { name: "a\nb" },
    "a tag of 255": { tags: [long(255)] },
    "a tag of 256": { tags: [long(256)] },
    "a tag of 200 emoji": { tags: [long(200, "😀")] },
    "an empty tag": { tags: [""] },
    "a tag that is a number": { tags: [1] },
    "a tag that is null": { tags: [null] },
    "the same tag twice": { tags: ["a", "a"] },
    "an empty macro": { macros: [{}] },
    "a macro of two variables": { macros: [{ a: "1", b: "2" }] },
    "two macros": { macros: [{ a: "1" }, { b: "2" }] },
    "a macro that is a number": { macros: [{ a: 1 }] },
    "a macro that is true": { macros: [{ a: true }] },
    "a macro that is null": { macros: [{ a: null }] },
    "a macro that is a list": { macros: [{ a: ["b"] }] },
    "a macro that is text": { macros: ["a=b"] },
    "a timeout of a year": { timeout: 31_536_000 },
    "another command type": { command_type: "HiveCommand" },
    "an unknown command type": { command_type: "PigCommand" },
    "the command type in lower case": { command_type: "sparkcommand" },
    "a template beside it": { template: "generic" },
    "the refresh template beside it": { template: "s3import" },
  }),
  ...bodies(spark, { "an empty body": {}, "only a name": { name: "x" } }),
];

const sparkCalls: Group[] = [
  ...parameterFaults(spark, {
    command_type: "SparkCommand",
    program: "print(1)",
    language: "python",
    arguments: "--x",
    user_program_arguments: "a b",
    retry: 2,
    retry_delay: 5,
    app_id: "a1",
    pool: "p",
  }),
  ...parameterFaults(
    { ...spark, name: "commands.spark script", good: { ...command, script_location: "s3://b/x.py" } },
    { script_location: "s3://b/x.py", language: "python" },
  ),
  ...parameterFaults(
    { ...spark, name: "commands.spark sql", good: { ...command, sql: "select 1", language: "sql" } },
    { sql: "select 1", language: "sql" },
  ),
  ...parameterFaults(
    {
      ...spark,
      name: "commands.spark cmdline",
      good: { ...command, cmdline: "spark-submit x", language: "command_line" },
    },
    { cmdline: "spark-submit x", language: "command_line" },
  ),
  ...bodies(spark, {
    "no source at all": { ...command, language: "python" },
    "a script alone": { ...command, script_location: "s3://b/x.py" },
    "program and script": { ...spark.good, script_location: "s3://b/x.py" },
    "program and sql": { ...command, program: "a", sql: "select 1", language: "sql" },
    "sql as scala": { ...command, sql: "select 1", language: "scala" },
    "a program as sql": { ...command, program: "select 1", language: "sql" },
    "a cmdline as python": { ...command, cmdline: "x", language: "python" },
    "a program as command_line": { ...command, program: "x", language: "command_line" },
    "cmdline and program": { ...command, cmdline: "x", program: "y" },
    "cmdline and arguments": { ...command, cmdline: "x", arguments: "y" },
    "cmdline and retry": { ...command, cmdline: "x", retry: 1 },
    "cmdline and pool": { ...command, cmdline: "x", pool: "p" },
    "cmdline and app_id": { ...command, cmdline: "x", app_id: "a", label: "l" },
    "cmdline and common parameters": { ...command, cmdline: "x", label: "l", name: "n", tags: ["t"], timeout: 60 },
    "cmdline and macros": { ...command, cmdline: "x", macros: [{ a: "b" }] },
  }),
  ...withGood(spark, {
    scala: { language: "scala" },
    py: { language: "py" },
    R: { language: "R" },
    r: { language: "r" },
    "Python in upper case": { language: "PYTHON" },
    java: { language: "java" },
    "retry 1": { retry: 1 },
    "retry 3": { retry: 3 },
    "retry 4": { retry: 4 },
    "retry_delay alone": { retry_delay: 5 },
    "app_id with label": { app_id: "a", label: "l" },
    "app_id alone": { app_id: "a" },
    "all of the table": { arguments: "--a", user_program_arguments: "b", retry: 1, retry_delay: 1, pool: "p" },
    "a program of many lines": { program: "a\nb\nc" },
    "an S3DistCp parameter": { src: "s3://a/b" },
  }),
];

const args = (text: string) => ({ ...distCp.good, sub_command_args: text });
const both = "--src s3://from/a --dest s3://to/b";
const options = {
  ...command,
  command_type: "HadoopCommand",
  sub_command: "s3distcp",
  src: "s3://a/b",
  dest: "s3://c/d",
};

const distCpCalls: Group[] = [
  ...parameterFaults(distCp, {
    sub_command: "s3distcp",
    sub_command_args: both,
    srcPattern: "a",
    groupBy: "(a)",
    targetSize: 5,
    outputCodec: "gz",
    s3ServerSideEncryption: true,
    s3SSEAlgorithm: "AES256",
    encryptionKey: "k",
    multipartUploadChunkSize: 16,
    startingIndex: 3,
    tmpDir: "hdfs:///tmp",
  }),
  ...bodies(distCp, {
    "only source and target as parameters": options,
    "options as parameters": { ...options, groupBy: "(a.*)", targetSize: 64, outputCodec: "gz", deleteOnSuccess: true },
    "a flag that is false": { ...options, deleteOnSuccess: false },
    "an option in both places": { ...args(both), src: "s3://x/y" },
    "another sub_command": { ...distCp.good, sub_command: "jar" },
    "neither source nor target": { command_type: "HadoopCommand", sub_command: "s3distcp" },
    "a source alone": args("--src s3://a/b"),
    "a target alone": args("--dest s3://a/b"),
    "options with =": args("--src=s3://a/b --dest=s3://c/d"),
    "generic options": args(`-Dmapreduce.job.maps=3 ${both}`),
    "an unknown option": args(`${both} --colour red`),
    "an option twice": args(`${both} --src s3://x/y`),
    "an option without its value": args(`${both} --outputCodec`),
    "a flag with a value": args(`${both} --deleteOnSuccess=true`),
    "a word that is no option": args(`${both} word`),
    "an open quote": args(`${both} --srcPattern 'a`),
    "a bucket with an underscore": args("--src s3://a_b/c --dest s3://c/d"),
    "a target bucket with an underscore": args("--src s3://a/c --dest s3n://c_d/d"),
    "an underscore in the path": args("--src s3://a/b_c --dest hdfs:///c_d"),
    "srcPattern and groupBy": args(`${both} --srcPattern a --groupBy (a)`),
    "srcPattern with a bare star": args(`${both} --srcPattern .*gz`),
    "srcPattern with a star in double quotes": args(`${both} --srcPattern ".*gz"`),
    "srcPattern with a quoted star": args(`${both} --srcPattern '.*gz'`),
    "the whole text in quotes": args(`'${both} --srcPattern .*gz'`),
    "srcPattern as a parameter with a star": { ...options, srcPattern: ".*gz" },
    "an unknown codec": args(`${both} --outputCodec zip`),
    "an unknown algorithm": args(`${both} --s3SSEAlgorithm MD5`),
    "targetSize that is text": args(`${both} --groupBy (a) --targetSize big`),
    "targetSize alone": args(`${both} --targetSize 5`),
    "startingIndex alone": args(`${both} --startingIndex 5`),
    "copyFromManifest alone": args(`${both} --copyFromManifest`),
    "no arguments at all": args(""),
  }),
  group("commands.s3distcp/groupBy without a group", callOf(distCp, { body: args(`${both} --groupBy abc`) }), {
    ...history1,
    after: 10,
  }),
  group(
    "commands.s3distcp/groupBy with escaped parentheses",
    callOf(distCp, { body: args(`${both} --groupBy '\\(a\\)'`) }),
    { ...history1, after: 10 },
  ),
  group(
    "commands.s3distcp/groupBy with a group that keeps nothing",
    callOf(distCp, { body: args(`${both} --groupBy '(?:a)'`) }),
    { ...history1, after: 10 },
  ),
  group("commands.s3distcp/SSE-C without a key", callOf(distCp, { body: args(`${both} --s3SSEAlgorithm SSE-C`) }), {
    ...history1,
    after: 10,
  }),
  group("commands.s3distcp/SSE-KMS without a key", callOf(distCp, { body: args(`${both} --s3SSEAlgorithm SSE-KMS`) }), {
    ...history1,
    after: 10,
  }),
  group(
    "commands.s3distcp/twice to the same target",
    callOf(distCp),
    { ...callOf(distCp), after: 10 },
    { ...history1, after: 10 },
  ),
];

const refreshCalls: Group[] = [
  ...parameterFaults(refresh, {
    template: "s3import",
    db_name: "default",
    hive_table: "orders",
    loader_stable: "10",
    loader_stable_mult: "5",
    label: "l",
  }),
  ...withGood(refresh, {
    "with its command type": { command_type: "HiveCommand" },
    "with another command type": { command_type: "SparkCommand" },
    "all parameters": { loader_stable: "10", loader_stable_mult: "5", name: "n", tags: ["t"], timeout: 60 },
    "loader_stable in words": { loader_stable: "ten" },
    "an unknown template": { template: "dbimport" },
    "a table with a dot": { hive_table: "a.b" },
    "a table with a blank": { hive_table: "a b" },
    "a Spark parameter": { program: "print(1)" },
  }),
  group("commands.refresh/of an unknown table", callOf(refresh, { body: { ...refresh.good, hive_table: "nothing" } }), {
    ...history1,
    after: 10,
  }),
];

const life: Group[] = [
  group("commands.life/at once", callOf(spark), history1),
  group("commands.life/while it runs", callOf(spark), { ...history1, after: 2 }),
  group("commands.life/after a while", callOf(spark), { ...history1, after: 10 }),
  group(
    "commands.life/of all users",
    { ...callOf(spark), as: "systemUser" },
    callOf(history, { query: { all_users: "1" } }),
  ),
];

export const commandCalls: readonly Group[] = [...common, ...sparkCalls, ...distCpCalls, ...refreshCalls, ...life];
