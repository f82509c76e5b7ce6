export { type DriveOptions, drive, driveScript, type Trial } from "./drive.js";
export { LocalShell, type LocalShellOptions, localShell } from "./local-shell.js";
export { type Reply, scripted } from "./scripted.js";
export type { CommandOutcome, Shell } from "./shell.js";
