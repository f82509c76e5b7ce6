interface ObjectSchema {
  required?: unknown;
  properties?: Record<string, { type?: unknown } | boolean>;
}

/**
 * What is wrong with a call's arguments, or null. Checks only what models get wrong:
 * required members and top-level types. The tool itself checks the rest.
 */
export function checkArguments(schema: object, args: Record<string, unknown>): string | null {
  const { required, properties = {} } = schema as ObjectSchema;
  for (const name of Array.isArray(required) ? required : []) {
    if (args[name] === undefined) return `"${name}" is missing`;
  }
  for (const [name, member] of Object.entries(properties)) {
    const value = args[name];
    if (value === undefined || typeof member !== "object" || member.type === undefined) continue;
    const types = Array.isArray(member.type) ? member.type : [member.type];
    if (!types.some((type) => isOfType(value, type))) {
      return `"${name}" must be ${types.join(" or ")}, not ${JSON.stringify(value)}`;
    }
  }
  return null;
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
