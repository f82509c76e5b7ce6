import type { CheckProgress } from "./types.js";

export interface Progress {
  begin(name: string): void;
  end(name: string): void;
  /** Counts the work as done, whatever comes of it. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Keeps count of what is under way, and tells each change. */
export function trackProgress(onProgress: (progress: CheckProgress) => void, of: number): Progress {
  const now = new Set<string>();
  let done = 0;
  const tell = () => onProgress({ done, of, now: [...now] });
  const begin = (name: string) => {
    now.add(name);
    tell();
  };
  const end = (name: string) => {
    now.delete(name);
    tell();
  };
  return {
    begin,
    end,
    async during(name, work) {
      begin(name);
      try {
        return await work();
      } finally {
        done += 1;
        end(name);
      }
    },
  };
}
