/** Something is missing on this machine and could not be set up; the message says what. */
export class SetupError extends Error {
  name = "SetupError";
}
