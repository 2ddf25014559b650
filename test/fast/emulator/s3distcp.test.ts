import { describe, expect, test } from "vitest";
import { splitWords } from "../../../emulator/commands/shell-words";
import { refusal, testEmulator } from "./calls";

const { emulator, get, post } = testEmulator({ clock: "manual" });

const ends = "--src s3://in/a --dest s3://out/a";

const submit = (change: object) =>
  post("/commands", { command_type: "HadoopCommand", sub_command: "s3distcp", ...change });

async function end(change: object): Promise<{ status: string; qlog: string | null }> {
  expect((await submit(change)).status).toBe(200);
  emulator.advance(100);
  return (await get("/commands")).body.commands[0];
}

describe("rejected at submission", () => {
  const refused: [string, RegExp][] = [
    ["", /src/],
    ["--src s3://in/a", /dest/],
    ["--dest s3://out/a", /src/],
    ["--src s3://in_put/a --dest s3://out/a", /src: bucket/],
    ["--src s3://in/a --dest=s3n://out_put/a", /dest: bucket/],
    [`${ends} --groupBy '.*(a).*' --srcPattern '.*'`, /groupBy/],
    [`${ends} --srcPattern .*gz`, /single quotes/],
    [`${ends} --srcPattern ".*gz"`, /single quotes/],
    [`${ends} --groupBy=.*(gz)`, /single quotes/],
    ...["outputCodec zip", "s3SSEAlgorithm DES", "targetSize big", "targetSize 0", "multipartUploadChunkSize -1"]
      .concat("filesPerMapper 1.5", "frobnicate")
      .map((option): [string, RegExp] => [`${ends} --${option}`, new RegExp(option.split(" ")[0]!)]),
    [`${ends} --startingIndex 3`, /numberFiles/],
    [`${ends} --copyFromManifest`, /previousManifest/],
    [`${ends} --deleteOnSuccess=true`, /takes no value/],
    [`${ends} --tmpDir`, /needs a value/],
    [`${ends} --tmpDir --outputManifest`, /needs a value/],
    [`${ends} stray`, /stray/],
    [`${ends} --src s3://other/`, /twice/],
    [`${ends} --tmpDir 'open`, /not closed/],
  ];
  const parameters: [object, RegExp][] = [
    ...refused.map(([sub_command_args, message]): [object, RegExp] => [{ sub_command_args }, message]),
    [{ sub_command_args: ends, src: "s3://b/" }, /twice/],
    [{ src: "s3://a_b/", dest: "s3://c/" }, /bucket/],
    [{ src: "s3://a/", dest: "s3://c/", targetSize: "5" }, /targetSize/],
    [{ src: "s3://a/", dest: "s3://c/", deleteOnSuccess: "yes" }, /deleteOnSuccess/],
    [{ sub_command_args: 7 }, /sub_command_args/],
  ];
  test.each(parameters)("%j", async (change, message) => {
    expect(await submit(change)).toMatchObject({ status: 422, body: refusal(422, message) });
  });
});

test.each([
  ends,
  "--src=s3://in/a --dest=hdfs:///out_put/a",
  `-D mapreduce.job.queue=q -Dx=y -libjars a.jar ${ends}`,
  `${ends} --srcPattern '.*\\.gz'`,
  `${ends} --srcPattern plain.gz`,
  `'--src s3://in/a --dest s3://out/a --srcPattern .*gz'`,
  `${ends} --groupBy='.*/(\\w+)-.*' --targetSize 128 --outputCodec gz`,
  `${ends} --groupBy '(?<day>.*)'`,
  `${ends} --s3ServerSideEncryption --s3SSEAlgorithm SSE-C --encryptionKey k`,
  `${ends} --s3ServerSideEncryption --s3SSEAlgorithm SSE-KMS`,
  `${ends} --numberFiles --startingIndex 0 --outputManifest --previousManifest s3://m/x.gz --copyFromManifest`,
  "--src s3://in/a --dest s3://sealed-archive/x --s3ServerSideEncryption",
])("done: %s", async (sub_command_args) => {
  expect(await end({ sub_command_args })).toMatchObject({ status: "done", qlog: null });
});

describe("accepted, but the job fails", () => {
  test.each([
    [`${ends} --groupBy '.*gz'`, /parenthesised/],
    [`${ends} --groupBy '.*\\(gz\\)'`, /parenthesised/],
    [`${ends} --groupBy '(?:a|b).*'`, /parenthesised/],
    [`${ends} --groupBy '[(a)].*'`, /parenthesised/],
    [`${ends} --groupBy '(?<=a)b'`, /parenthesised/],
    [`${ends} --groupBy '(a'`, /parenthesised/],
    [`${ends} --s3ServerSideEncryption --s3SSEAlgorithm SSE-C`, /encryptionKey/],
    ["--src s3://in/a --dest s3://sealed-archive/x", /encrypted/],
    ["--src s3://in/a --dest s3://analytics-exports/present/", /exists/],
  ])("%s", async (sub_command_args, reason) => {
    expect(await end({ sub_command_args })).toMatchObject({ status: "error", qlog: expect.stringMatching(reason) });
  });

  test("a second copy to the same place", async () => {
    expect(await end({ sub_command_args: ends })).toMatchObject({ status: "done" });
    expect(await end({ sub_command_args: `${ends}/` })).toMatchObject({ status: "error" });
  });
});

test("an encryption key is masked in the log and in the state, and kept in the store", async () => {
  await submit({ sub_command_args: `${ends} --s3SSEAlgorithm SSE-C --encryptionKey 'top key'` });
  expect(JSON.stringify(emulator.requests())).not.toContain("top key");
  expect(JSON.stringify(emulator.state())).not.toContain("top key");
  expect(JSON.stringify(emulator.state({ secrets: true }))).toContain("top key");
});

test.each([
  ["", []],
  ["  a   b ", ["a", "b"]],
  ["'a b' \"c d\" e'f g'h", ["a b", "c d", "ef gh"]],
  ["'' x", ["", "x"]],
  ['"say \\"hi\\""', ['say "hi"']],
  ["a\\.b", ["a\\.b"]],
])("words of %j", (text, words) => {
  expect(splitWords(text).map((word) => word.text)).toEqual(words);
});
