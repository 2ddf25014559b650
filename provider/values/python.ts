/** As Pulumi's generator names a property in Python: `s3SSEAlgorithm` is `s3_sse_algorithm`. */
export function snake(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
