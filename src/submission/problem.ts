/** Why a submission is refused. */
export interface Problem {
  code:
    | "unreadable" // a file can't be parsed
    | "missing" // something that belongs to it is missing
    | "unexpected" // something is there that doesn't belong to it
    | "altered" // a file is not the one that was submitted
    | "limits" // made under other limits than required
    | "tasks" // not the tasks that are required
    | "score"; // results or totals that the logs contradict
  /** The file or trial. */
  where: string;
  message: string;
}
