import { Writable } from "node:stream";

/** Ctrl-D: the only end of input that a terminal has. */
const END_OF_INPUT = "\x04";

/** The input of a process that has a terminal. */
export function terminalInput(write: (bytes: Buffer | string) => void): Writable {
  return new Writable({
    write: (bytes, _encoding, done) => {
      write(bytes);
      done();
    },
    final: (done) => {
      write(END_OF_INPUT);
      done();
    },
  });
}
