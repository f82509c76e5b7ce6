const HEADER_BYTES = 8;
const STDERR = 2;

type Sink = (bytes: Buffer) => void;

/**
 * Splits a Docker stream without a TTY into stdout and stderr, wherever its chunks are cut.
 * docker-modem's own demuxStream overflows the stack on 64 KiB of one-byte frames, copies the rest
 * of the buffer for every frame, and ignores back-pressure.
 */
export function demux(stdout: Sink, stderr: Sink): Sink {
  let header: Buffer = Buffer.alloc(0);
  let sink = stdout;
  let left = 0;
  return (chunk) => {
    while (chunk.length > 0) {
      if (left > 0) {
        const part = chunk.subarray(0, left);
        left -= part.length;
        chunk = chunk.subarray(part.length);
        sink(part);
        continue;
      }
      const need = HEADER_BYTES - header.length;
      const part = chunk.subarray(0, need);
      header = header.length === 0 ? part : Buffer.concat([header, part]);
      chunk = chunk.subarray(need);
      if (header.length === HEADER_BYTES) {
        sink = header[0] === STDERR ? stderr : stdout;
        left = header.readUInt32BE(4);
        header = header.subarray(0, 0);
      }
    }
  };
}
