/** The public registries: Harbor's, then Terminal-Bench's, which is older. */
export const DEFAULT_REGISTRIES: readonly string[] = [
  "https://raw.githubusercontent.com/laude-institute/harbor/main/registry.json",
  "https://raw.githubusercontent.com/laude-institute/terminal-bench/main/registry.json",
];
