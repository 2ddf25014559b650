const secretNames = new Set([
  "db_passwd",
  "gateway_private_key",
  "acc_key",
  "secret",
  "storage_access_key",
  "storage_secret_key",
  "compute_access_key",
  "compute_secret_key",
  "authentication_token",
  "encryptionKey",
  "token",
]);

export const masked = "***";

/** A copy of a JSON value with secret fields, and keys in S3DistCp arguments, masked. */
export function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => {
      if (secretNames.has(name) && content !== null && content !== "" && typeof content !== "object")
        return [name, masked];
      if (name === "sub_command_args" && typeof content === "string") return [name, maskArguments(content)];
      return [name, mask(content)];
    }),
  );
}

function maskArguments(text: string): string {
  return text.replace(/(--encryptionKey[=\s]+)('[^']*'|"[^"]*"|\S+)/g, `$1${masked}`);
}
