import {
  changedSettings,
  configFailures,
  ownSettings,
  secretSettings,
  settingsOf,
  settingWarnings,
} from "../core/provider-config";
import { pathsOf } from "../core/secrets";
import { changesAnswer } from "./diff";
import { fromStruct, toStruct } from "./marshal";
import { checkFailure } from "./resources";
import type { Session } from "./session";
import { messages } from "./stubs";

type CheckRequest = InstanceType<typeof messages.CheckRequest>;
type CheckResponse = InstanceType<typeof messages.CheckResponse>;
type DiffRequest = InstanceType<typeof messages.DiffRequest>;
type DiffResponse = InstanceType<typeof messages.DiffResponse>;
type ConfigureRequest = InstanceType<typeof messages.ConfigureRequest>;
type ConfigureResponse = InstanceType<typeof messages.ConfigureResponse>;

/** The engine's calls about the provider itself: its configuration. */
export class ConfigCalls {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Returns only what was given: settings from the environment, above all the token, stay out of the state. */
  async checkConfig(request: CheckRequest): Promise<CheckResponse> {
    const given = fromStruct(request.getNews());
    const log = this.#session.log.about(request.getUrn());
    for (const warning of settingWarnings(given, request.getUrn())) log.warn(warning);
    const config = ownSettings(given);
    const answer = new messages.CheckResponse();
    answer.setInputs(toStruct(config, pathsOf(secretSettings)));
    answer.setFailuresList(configFailures(config).map(checkFailure));
    return answer;
  }

  async diffConfig(request: DiffRequest): Promise<DiffResponse> {
    const before = ownSettings(fromStruct(request.getOldInputs() ?? request.getOlds()));
    const after = ownSettings(fromStruct(request.getNews()));
    const changed = changedSettings(before, after);
    if (changed.includes("baseUrl") && before["baseUrl"] !== undefined) {
      this.#session.log
        .about(request.getUrn())
        .warn(
          "the base URL changes: from now on the resources of this provider are looked up at the new address, and are not created there. If it is a different platform, use a separate provider.",
        );
    }
    return changesAnswer(changed, [], before, after);
  }

  async configure(request: ConfigureRequest): Promise<ConfigureResponse> {
    const given = ownSettings(fromStruct(request.getArgs()));
    this.#session.configure(settingsOf(given), given);
    const answer = new messages.ConfigureResponse();
    answer.setSupportspreview(true);
    answer.setAcceptsecrets(true);
    answer.setAcceptoutputs(true);
    return answer;
  }
}
