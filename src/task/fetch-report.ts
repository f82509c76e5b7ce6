/** Who is told what fetching does; this room prints nothing itself. */
export interface FetchReport {
  /** What is done now, and how far it is: the latter is soon outdated. */
  progress(text: string, detail?: string): void;
  /** Something that the user should know about the result. */
  warning(text: string): void;
}
