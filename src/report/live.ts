import type { Event } from "../events/index.js";
import type { Reporter } from "../interfaces/index.js";
import { describeDetails } from "./details.js";
import { describeEnd } from "./end.js";
import { describeEvent, describeKept } from "./messages.js";
import type { TextOptions } from "./options.js";
import { createProgress, trackEvent } from "./progress.js";
import { drawRegion } from "./region.js";
import { createScreen } from "./screen.js";

const FRAME_MS = 80;
const TICK_MS = 1000;

/** For a terminal: what is running is drawn in place, what is finished scrolls above it. */
export function createLiveReporter(options: TextOptions): Reporter {
  const { output, palette, verbose } = options;
  const progress = createProgress();
  // Some terminals report 0 if they don't know their size.
  const measure = () => ({
    columns: output.columns || options.columns,
    rows: output.rows || 24,
  });
  const screen = createScreen(output, measure);
  let waiting: string[] = [];
  let active = false;
  let frameTimer: NodeJS.Timeout | null = null;
  let tickTimer: NodeJS.Timeout | null = null;
  let drawnAt = 0;
  let failure: { error: unknown } | null = null;

  function draw(): void {
    stopFrame();
    drawnAt = Date.now();
    const permanent = waiting;
    waiting = [];
    screen.show(
      permanent,
      active ? drawRegion(progress, { ...measure(), now: drawnAt, palette }) : [],
    );
  }

  function stopFrame(): void {
    if (frameTimer) clearTimeout(frameTimer);
    frameTimer = null;
  }

  function stop(): void {
    active = false;
    stopFrame();
    if (tickTimer) clearInterval(tickTimer);
    tickTimer = null;
  }

  // A timer has no caller to throw to: the next event throws instead.
  function drawLater(): void {
    try {
      draw();
    } catch (error) {
      stop();
      failure = { error };
    }
  }

  function schedule(): void {
    const wait = Math.max(0, drawnAt + FRAME_MS - Date.now());
    frameTimer ??= setTimeout(drawLater, wait).unref();
  }

  function start(): void {
    active = true;
    tickTimer = setInterval(schedule, TICK_MS).unref();
  }

  function describe(event: Event): string[] {
    return [
      ...describeKept(event, progress),
      ...(isShownInRegion(event) ? [] : describeEvent(event, progress, palette)),
      ...(verbose ? describeDetails(event, progress, palette) : []),
    ];
  }

  return {
    event(event) {
      if (failure) {
        const { error } = failure;
        failure = null;
        throw error;
      }
      waiting.push(...describe(event));
      trackEvent(progress, event, Date.now());
      if (event.type === "run_started") start();
      if (event.type !== "run_finished") return schedule();
      stop();
      waiting.push(...describeEnd(event.summary, progress, measure().columns, palette));
      draw();
    },
    async close() {
      stop();
      draw();
    },
  };
}

// The region shows what is being prepared; only builds that took time or failed leave a line.
function isShownInRegion(event: Event): boolean {
  return (
    event.type === "image_started" || (event.type === "image_finished" && event.ok && event.cached)
  );
}
