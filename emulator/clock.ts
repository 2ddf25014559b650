import type { Store } from "./store";

/** The clock for commands and timestamps. It is kept in the store's settings, so a restart does not turn it back. */
export class Clock {
  constructor(private readonly store: Store) {}

  get mode(): "real" | "manual" {
    return this.store.settings.clock.mode;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    const { mode, at } = this.store.settings.clock;
    return mode === "manual" ? at : Date.now() + at;
  }

  timestamp(): string {
    return timestamp(this.now());
  }

  set(mode: "real" | "manual", at?: number): void {
    const now = at ?? this.now();
    this.store.setSettings({ clock: { mode, at: mode === "manual" ? now : at === undefined ? 0 : at - Date.now() } });
  }

  advance(seconds: number): void {
    const { mode, at } = this.store.settings.clock;
    this.store.setSettings({ clock: { mode, at: at + seconds * 1000 } });
  }
}

/** The specification's time format: `YYYY-MM-DDTHH:MM:SSZ`. */
export function timestamp(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
