import { unknownYet } from "../../../policies";
import { casesOf } from "./cases";
import { resource } from "./resource";

const ip = (ipCidr: unknown, name = "it") => resource("WhitelistedIp", { ipCidr }, { name });
const list = (properties: object, name = "it", provider?: string) =>
  resource("IpWhitelist", { ...properties }, { name, ...(provider && { provider }) });
const eighths = Array.from({ length: 256 }, (_, index) => `${index}.0.0.0/8`);
const some = eighths.slice(0, 16);
const sixteenths = Array.from({ length: 1000 }, (_, index) => `${(0x2000 + index).toString(16)}::/16`);
const narrow = { options: { minIpv4Prefix: 8, minIpv6Prefix: 48 } };
casesOf("whole-internet", [
  ["everything", [ip("0.0.0.0/0"), ip("::/0")], ["it ipCidr", "it ipCidr"]],
  [
    "a half, and a quarter",
    [list({ addresses: ["128.0.0.0/1", "64.0.0.0/2"] })],
    ["it addresses[0]", "it addresses[1]"],
  ],
  ["all IPv6 addresses in use", [ip("2000::/3")], ["it ipCidr"]],
  [
    "a /8, a /16 of IPv6 and single addresses are fine",
    [list({ addresses: ["10.0.0.0/8", "2001::/16", "203.0.113.7", "2001:db8::1"] })],
    [],
  ],
  [
    "narrower limits",
    [list({ addresses: ["10.0.0.0/8", "2001:db8::/32"] })],
    ["it addresses[0]", "it addresses[1]"],
    { options: { minIpv4Prefix: 16, minIpv6Prefix: 48 } },
  ],
  ["no limit", [ip("0.0.0.0/0"), list({ addresses: eighths })], [], { options: { minIpv4Prefix: 0 } }],
  ["everything in ranges that are small enough", [list({ addresses: eighths })], ["it addresses"]],
  ["everything, declared one by one", eighths.map((range, index) => ip(range, `ip-${index}`)), ["ip-0 the"]],
  ["one range of every two", [list({ addresses: eighths.filter((_, index) => index % 2 === 0) })], ["it addresses"]],
  ["much of IPv6", [list({ addresses: sixteenths })], ["it addresses"]],
  ["a list and single addresses", [list({ addresses: eighths.slice(0, 16) }), ip("99.0.0.0/8", "other")], ["it the"]],
  ["a sixteenth is not a large part, however often it is listed", [list({ addresses: [...some, ...some] })], []],
  ["narrower limits say nothing about all together", [list({ addresses: some })], [], narrow],
  [
    "ranges of several providers, which may have tokens of one account",
    [list({ addresses: some }), list({ addresses: eighths.slice(16, 32) }, "other", "urn:other")],
    ["it the"],
  ],
  ["all of IPv4 as IPv6 spells it", [ip("::ffff:0:0/96"), ip("::ffff:10.0.0.0/104", "fine")], ["it ipCidr"]],
  ["prefixes that are none", [ip("10.0.0.0/x"), ip("10.0.0.0/33"), ip("10.0.0.0/-1"), ip("::/129")], []],
  ["what is no address is for the provider to refuse", [ip("anywhere"), ip(7)], []],
  ["unknown items beside known ones", [list({ addresses: [unknownYet, "0.0.0.0/0"] })], ["it addresses[1]"]],
]);

const vpn = { options: { addresses: ["198.51.100.10"] } };
casesOf("way-back-in", [
  [
    "an exclusive list without keep, or with an empty one",
    [list({ exclusive: true, addresses: [] }), list({ exclusive: true, addresses: [], keep: [] })],
    ["it keep", "it keep"],
  ],
  [
    "an exclusive list with keep, also one that is unknown",
    [list({ exclusive: true, addresses: [], keep: ["192.0.2.1"] }), list({ exclusive: true, keep: unknownYet })],
    [],
  ],
  ["other lists remove only their own", [list({ addresses: ["192.0.2.1"] }), list({ exclusive: unknownYet })], []],
  ["the required address is missing", [ip("192.0.2.1")], ["it the"], vpn],
  ["a range that contains it is enough", [ip("192.0.2.1"), list({ addresses: ["198.51.100.0/24"] })], [], vpn],
  ["an exclusive list with it needs no keep", [list({ exclusive: true, addresses: ["198.51.100.10"] })], [], vpn],
  ["keep does not put it on the list", [list({ addresses: ["192.0.2.1"], keep: ["198.51.100.10"] })], ["it the"], vpn],
  ["an unknown address may be it", [ip("192.0.2.1"), ip(unknownYet)], [], vpn],
]);

casesOf("one-exclusive-whitelist", [
  [
    "two in one stack",
    [list({ exclusive: true }, "a"), list({ exclusive: true }, "b")],
    ["a exclusive", "b exclusive"],
  ],
  ["one beside others", [list({ exclusive: true }, "a"), list({}, "b"), list({ exclusive: unknownYet }, "c")], []],
  [
    "two of two providers, which may be two accounts",
    [list({ exclusive: true }, "a", "urn:x"), list({ exclusive: true }, "b", "urn:y")],
    [],
  ],
  [
    "in another stack than the owner's",
    [list({ exclusive: true })],
    ["it exclusive"],
    { options: { ownerStack: "prod" } },
  ],
  [
    "in the owner's, with and without the project",
    [list({ exclusive: true })],
    [],
    { options: { ownerStack: "project/dev" } },
  ],
  ["in the owner's", [list({ exclusive: true })], [], { options: { ownerStack: "dev" } }],
]);
