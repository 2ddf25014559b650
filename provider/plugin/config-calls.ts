import { settingSpecs } from "../api/setting-specs";
import { plainUrl } from "../api/settings";
import {
  changedSettings,
  configFailures,
  isTokenUnsaid,
  ownSettings,
  replacingSettings,
  secretSettings,
  settingsOf,
  settingWarnings,
} from "../core/provider-config";
import { pathsOf } from "../core/secrets";
import { changesAnswer } from "./diff";
import { fromStruct, toStruct } from "./marshal";
import { checkFailure } from "./resources";
import { askedWith, type Session } from "./session";
import { messages } from "./stubs";

const newBaseUrl =
  "the base URL changes: from now on the resources of this provider are looked up at the new address, and are not created there. If it is a different platform, use a separate provider.";

const newToken =
  'apiToken is not known yet. If it belongs to another account than before, "pulumi up" will fail at everything that this provider manages. Pass accountId as well (the id of the Account that the token comes from), and all of it is replaced.';

/** The engine's calls about the provider itself: its configuration. */
export const configMethods = (session: Session) => ({
  /** Returns only what was given: settings from the environment, above all the token, stay out of the state. */
  CheckConfig: session.method(messages.CheckRequest, async (request) => {
    const given = fromStruct(request.getNews());
    const log = session.log.about(request.getUrn());
    for (const warning of settingWarnings(given, request.getUrn())) log.warn(warning);
    const config = ownSettings(given);
    return new messages.CheckResponse()
      .setInputs(toStruct(config, pathsOf(secretSettings)))
      .setFailuresList(configFailures(given, request.getUrn()).map(checkFailure));
  }),

  DiffConfig: session.method(messages.DiffRequest, async (request) => {
    const before = ownSettings(fromStruct(request.getOldInputs() ?? request.getOlds()));
    const after = ownSettings(fromStruct(request.getNews()));
    const changed = changedSettings(before, after);
    const urlIn = (given: typeof before) => plainUrl(String(given["baseUrl"] ?? process.env[settingSpecs.baseUrl.env]));
    if (before["baseUrl"] !== undefined && urlIn(before) !== urlIn(after))
      session.log.about(request.getUrn()).warn(newBaseUrl);
    if (isTokenUnsaid(before, after)) session.log.about(request.getUrn()).warn(newToken);
    const replacing = await replacingSettings(before, after, askedWith);
    return changesAnswer([...new Set([...changed, ...replacing])], replacing, before, after);
  }),

  Configure: session.method(messages.ConfigureRequest, async (request) => {
    const given = ownSettings(fromStruct(request.getArgs()));
    session.configure(settingsOf(given), given);
    return new messages.ConfigureResponse().setSupportspreview(true).setAcceptsecrets(true).setAcceptoutputs(true);
  }),
});
