const own = /^(?:pulumi-nodejs:dynamic\/dataplatform|dataplatform:index):(\w+)$/;

/** The type of one of our resources, whichever mode created it: `WhitelistedIp`. Undefined for all others. */
export function ownType(token: string): string | undefined {
  return own.exec(token)?.[1];
}

/** The type of an instance of our provider. */
export const providerToken = "pulumi:providers:dataplatform";
