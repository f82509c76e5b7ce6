import type { Event } from "../events/index.js";

export interface Reporter {
  event(event: Event): void;
  /** Called once, after the last event. */
  close?(): Promise<void>;
}
