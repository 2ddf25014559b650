export type ByName<T> = Readonly<Record<string, T>>;

export function mapped<From, To>(from: ByName<From> | undefined, make: (one: From, name: string) => To): ByName<To> {
  return Object.fromEntries(Object.entries(from ?? {}).map(([name, one]) => [name, make(one, name)]));
}
