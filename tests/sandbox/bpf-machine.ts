/** What a filter looks at. */
interface Call {
  architecture: number;
  call: number;
  args: number[];
}

const ANSWERS: Record<number, string> = { 2147418112: "allow", 327681: "EPERM", 327718: "ENOSYS" };

/** Runs a classic BPF program as the kernel does, and says what it answers. */
export function decide(program: Buffer, { architecture, call, args }: Call): string {
  const words = [call, architecture, 0, 0, ...args.flatMap((arg) => [arg, 0])];
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; ) {
    const code = program.readUInt16LE(at * 8);
    const [yes, no] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)];
    const value = program.readUInt32LE(at * 8 + 4);
    at++;
    if (code === 0x20) accumulator = (words[value / 4] ?? 0) >>> 0;
    else if (code === 0x54) accumulator = (accumulator & value) >>> 0;
    else if (code === 0x15) at += accumulator === value ? yes : no;
    else if (code === 0x35) at += accumulator >= value ? yes : no;
    else if (code === 0x06) return ANSWERS[value] ?? `answer ${value.toString(16)}`;
    else throw new Error(`no such instruction: ${code.toString(16)}`);
  }
  throw new Error("the program has no end");
}
