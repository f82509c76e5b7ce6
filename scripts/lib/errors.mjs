/** The machine lacks something that we could not add; the message says what, for a person. */
export class SetupError extends Error {
  name = "SetupError";
}
