import type { Duplex } from "node:stream";
import type { DriverProcess } from "../shell/resident-shell.js";
import { demux } from "./demux.js";

/** A process in a container, by the stream of its exec. */
export function driverOf(stream: Duplex): DriverProcess {
  let ended = false;
  const listeners: (() => void)[] = [];
  const end = () => {
    if (ended) return;
    ended = true;
    for (const listener of listeners) listener();
  };
  stream.on("end", end).on("close", end).on("error", end);
  return {
    write: (text) => void stream.write(text),
    onData: (listener) => void stream.on("data", demux(listener)),
    onEnd: (listener) => {
      if (ended) return listener();
      listeners.push(listener);
      stream.resume();
    },
    kill: () => void stream.destroy(),
  };
}
