/** A list in a sentence, which must not grow with a thousand addresses. */
export function enumerate(texts: readonly string[], most = 50): string {
  const more = texts.length - most;
  return texts.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
