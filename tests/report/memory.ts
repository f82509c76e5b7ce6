/** An output that keeps what is written to it. */
export function createMemory() {
  let text = "";
  return {
    write(chunk: string, done?: () => void): boolean {
      text += chunk;
      done?.();
      return true;
    },
    get text(): string {
      return text;
    },
    get lines(): string[] {
      return text.split("\n").slice(0, -1);
    },
  };
}
