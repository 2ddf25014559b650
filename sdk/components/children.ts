import * as pulumi from "@pulumi/pulumi";
import { Provider } from "../provider";
import type { Account } from "../resources/account";
import { sharedSettings } from "./provider-settings";

interface Setup {
  readonly component: pulumi.ComponentResource;
  readonly name: string;
  readonly movedFrom: Readonly<Record<string, string>> | undefined;
  /** Whether a part of the component goes into the account that the component creates. */
  readonly isInNewAccount: (part: string) => boolean;
}

/** The names and options of a component's children: their parent, their provider, and what they were called before. */
export class Children {
  readonly #setup: Setup;
  #accountProvider: Provider | undefined;

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  /** With the component's name: two components of a program must not have children of the same type and name. */
  nameOf(...parts: readonly string[]): string {
    return [this.#setup.name, ...parts].join("-");
  }

  /** `path` is the child's place in the arguments, and what `movedFrom` calls it: `dataStores.orders`. */
  optionsOf(path: string, others: pulumi.CustomResourceOptions = {}): pulumi.CustomResourceOptions {
    const { component, movedFrom, isInNewAccount } = this.#setup;
    const before = movedFrom?.[path];
    const provider = isInNewAccount(path.split(".", 1)[0]!) ? this.#accountProvider : undefined;
    return {
      ...others,
      parent: component,
      ...(before !== undefined && { aliases: aliasesOf(before, component) }),
      ...(provider && { provider }),
    };
  }

  /** The provider for a new account, with all other settings of the provider that the component has. */
  useAccount({ id, authenticationToken }: Account): Provider {
    const settings = sharedSettings(this.#setup.component.getProvider("dataplatform:index:Account"));
    const { parent, aliases = [] } = this.optionsOf("accountProvider");
    const args = { ...settings, apiToken: authenticationToken, accountId: id };
    this.#accountProvider = new Provider(this.nameOf("account"), args, { parent: parent!, aliases });
    return this.#accountProvider;
  }
}

/**
 * At the top level of the program, or in an environment. The URN of a child has the type of its parent, but not the
 * parent's name, so this component stands for any environment.
 */
function aliasesOf(name: string, component: pulumi.Resource): pulumi.Alias[] {
  return [pulumi.rootStackResource, component].map((parent) => ({ name, parent }));
}
