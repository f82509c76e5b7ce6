/** Why a submission is refused. */
export interface Problem {
  code:
    | "unreadable" // a file is not what it should be
    | "missing" // something that belongs to it is not there
    | "unexpected" // something is there that doesn't belong to it
    | "altered" // a file is not the one that was submitted
    | "limits" // made under other limits than asked for
    | "tasks" // not the tasks that were asked for
    | "score"; // results or totals that the logs contradict
  /** The file or trial. */
  where: string;
  message: string;
}
