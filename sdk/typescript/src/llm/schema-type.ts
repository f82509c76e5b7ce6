/** The JSON Schema keywords that types are derived from; others are allowed. */
export interface Schema {
  readonly type?: TypeName | readonly TypeName[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

type TypeName = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** The type of the values that a schema allows; `unknown` where it can't be derived. */
export type FromSchema<S> = S extends { const: infer Value }
  ? Value
  : S extends { enum: readonly (infer Value)[] }
    ? Value
    : S extends { anyOf: readonly (infer Option)[] } | { oneOf: readonly (infer Option)[] }
      ? FromEach<Option>
      : S extends { type: readonly (infer Name)[] }
        ? FromName<Name, S>
        : S extends { type: infer Name }
          ? FromName<Name, S>
          : S extends { properties: unknown }
            ? FromObject<S>
            : unknown;

type FromEach<Option> = Option extends unknown ? FromSchema<Option> : never;

type FromName<Name, S> = Name extends "string"
  ? string
  : Name extends "number" | "integer"
    ? number
    : Name extends "boolean"
      ? boolean
      : Name extends "null"
        ? null
        : Name extends "array"
          ? FromArray<S>
          : Name extends "object"
            ? FromObject<S>
            : unknown;

type FromArray<S> = S extends { items: infer Item } ? FromSchema<Item>[] : unknown[];

type FromObject<S> = S extends { properties: infer Properties }
  ? Flat<
      { -readonly [Name in keyof Properties & RequiredOf<S>]: FromSchema<Properties[Name]> } & {
        -readonly [Name in Exclude<keyof Properties, RequiredOf<S>>]?: FromSchema<Properties[Name]>;
      }
    >
  : S extends { additionalProperties: infer Other extends Schema }
    ? Record<string, FromSchema<Other>>
    : Record<string, unknown>;

type RequiredOf<S> = S extends { required: readonly (infer Name)[] } ? Name : never;

/** Flattens an intersection into one object type, for readable editor hints. */
type Flat<T> = { [Name in keyof T]: T[Name] };
