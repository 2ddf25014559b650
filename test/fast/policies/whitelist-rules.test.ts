import { unknownYet } from "../../../policies";
import { casesOf, resource } from "./cases";

const ip = (ipCidr: unknown, name = "it") => resource("WhitelistedIp", { ipCidr }, { name });
const list = (properties: object, name = "it", provider?: string) =>
  resource("IpWhitelist", { ...properties }, { name, provider });
const listing = (...addresses: unknown[]) => list({ addresses });
const eighths = Array.from({ length: 256 }, (_, index) => `${index}.0.0.0/8`);
const some = eighths.slice(0, 16);
const more = list({ addresses: eighths.slice(16, 32) }, "other", "urn:other");
const everySecond = eighths.filter((_, index) => index % 2 === 0);
const sixteenths = Array.from({ length: 1000 }, (_, index) => `${(0x2000 + index).toString(16)}::/16`);
casesOf("whole-internet", [
  ["everything", "it ipCidr, it ipCidr", ip("0.0.0.0/0"), ip("::/0")],
  ["a half, and a quarter", "it addresses[0], it addresses[1]", listing("128.0.0.0/1", "64.0.0.0/2")],
  ["all IPv6 addresses in use", "it ipCidr", ip("2000::/3")],
  ["a /8, a /16 of IPv6 and single ones", "", listing("10.0.0.0/8", "2001::/16", "203.0.113.7", "2001:db8::1")],
  ["everything in ranges that are small enough", "it addresses", listing(...eighths)],
  ["everything, declared one by one", "ip-0 the", ...eighths.map((range, index) => ip(range, `ip-${index}`))],
  ["one range of every two", "it addresses", listing(...everySecond)],
  ["much of IPv6", "it addresses", listing(...sixteenths)],
  ["a list and single addresses", "it the", listing(...some), ip("99.0.0.0/8", "other")],
  ["a sixteenth is not a large part, however often it is listed", "", listing(...some, ...some)],
  ["ranges of several providers, which may have tokens of one account", "it the", listing(...some), more],
  ["all of IPv4 as IPv6 spells it", "it ipCidr", ip("::ffff:0:0/96"), ip("::ffff:10.0.0.0/104", "fine")],
  ["prefixes that are none", "", ip("10.0.0.0/x"), ip("10.0.0.0/33"), ip("10.0.0.0/-1"), ip("::/129")],
  ["what is no address is for the provider to refuse", "", ip("anywhere"), ip(7)],
  ["unknown items beside known ones", "it addresses[1]", listing(unknownYet, "0.0.0.0/0")],
]);
const limits = (minIpv4Prefix: number) => ({ options: { minIpv4Prefix, minIpv6Prefix: 48 } });
const narrower = "it addresses[0], it addresses[1]";
casesOf("whole-internet", [["narrower limits", narrower, listing("10.0.0.0/8", "2001:db8::/32")]], limits(16));
casesOf("whole-internet", [["they say nothing about all together", "", listing(...some)]], limits(8));
casesOf("whole-internet", [["no limit", "", ip("0.0.0.0/0"), listing(...eighths)]], limits(0));

const exclusive = (more: object, name = "it", provider?: string) => list({ exclusive: true, ...more }, name, provider);
casesOf("way-back-in", [
  ["an exclusive list without keep", "it keep", exclusive({ addresses: [] })],
  ["one with an empty keep", "it keep", exclusive({ addresses: [], keep: [] })],
  ["one with keep, also if it is unknown", "", exclusive({ keep: ["192.0.2.1"] }), exclusive({ keep: unknownYet })],
  ["other lists remove only their own", "", listing("192.0.2.1"), list({ exclusive: unknownYet })],
]);
const [vpn, own] = ["198.51.100.10", listing("192.0.2.1")];
casesOf(
  "way-back-in",
  [
    ["the required address is missing", "it the", own],
    ["a range that contains it is enough", "", ip("192.0.2.1"), listing("198.51.100.0/24")],
    ["an exclusive list with it needs no keep", "", exclusive({ addresses: [vpn] })],
    ["keep does not put it on the list", "it the", list({ addresses: ["192.0.2.1"], keep: [vpn] })],
    ["an unknown address may be it", "", own, ip(unknownYet)],
  ],
  { options: { addresses: [vpn] } },
);

const [a, b] = ["a", "b"].map((name) => exclusive({}, name));
const ofTwoProviders = ["a", "b"].map((name) => exclusive({}, name, `urn:${name}`));
casesOf("one-exclusive-whitelist", [
  ["two in one stack", "a exclusive, b exclusive", a!, b!],
  ["one beside others", "", a!, list({}, "b"), list({ exclusive: unknownYet }, "c")],
  ["two of two providers, which may be two accounts", "", ...ofTwoProviders],
]);
const owner = (ownerStack: string) => ({ options: { ownerStack } });
casesOf("one-exclusive-whitelist", [["in another stack than the owner's", "a exclusive", a!]], owner("prod"));
for (const stack of ["dev", "project/dev"])
  casesOf("one-exclusive-whitelist", [[`in the owner's, named ${stack}`, "", a!]], owner(stack));
