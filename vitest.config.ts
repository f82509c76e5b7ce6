import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/**/*.test.ts", "sdk/typescript/tests/**/*.test.ts"],
    // Real processes and containers on small machines: generous, never asserted on.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A sandbox dies with the thread that started it: processes, not threads.
    pool: "forks",
    // Most of the time is spent waiting for containers.
    maxWorkers: 3,
  },
});
