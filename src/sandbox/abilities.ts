import type { Abilities } from "../interfaces/index.js";

/** What tasks may ask of each kind. The first network is the one that a task gets if it names none. */

export const DOCKER_ABILITIES: Abilities = {
  images: true,
  services: true,
  users: true,
  separateVerifier: true,
  networks: ["public", "none", "allowlist"],
  networkSwitch: true,
  limits: true,
  ownRoot: true,
};

export const BUBBLEWRAP_ABILITIES: Abilities = {
  images: false,
  services: false,
  users: false,
  separateVerifier: false,
  networks: ["none"],
  networkSwitch: false,
  // Unless no cgroup can be made.
  limits: true,
  ownRoot: true,
};

export const LOCAL_ABILITIES: Abilities = {
  ...BUBBLEWRAP_ABILITIES,
  limits: false,
  networks: ["public"],
  ownRoot: false,
};
