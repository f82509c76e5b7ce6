import type { Variables } from "./interpolate.js";
import type { Resources } from "./resources.js";

/** What the parts of a compose file are read with. */
export interface Scope extends Resources {
  /** The folder that paths are relative to. */
  dir: string;
  variables: Variables;
  refused: string[];
}
