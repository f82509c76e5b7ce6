import { InvalidArgumentError } from "commander";

export function collect(value: string, previous: string[] | undefined): string[] {
  return [...(previous ?? []), value];
}

export function wholeNumber(minimum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < minimum)
      throw new InvalidArgumentError(`It must be a whole number of at least ${minimum}.`);
    return value;
  };
}

export function positive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0)
    throw new InvalidArgumentError("It must be a number above 0.");
  return value;
}

/** `0.8` or `80%`. */
export function share(text: string): number {
  const value = text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (!(value >= 0 && value <= 1) || text.trim() === "")
    throw new InvalidArgumentError("It must be a share between 0 and 1, or a percentage.");
  return value;
}

export function probability(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < 1))
    throw new InvalidArgumentError("It must be a number between 0 and 1.");
  return value;
}
