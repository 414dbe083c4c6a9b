package dev.pinion.oracle;

/** Occurrences in the run of a process; counted to notice a generator of too little variety. */
public enum Occurrence {
  /** A schedule began the process. */
  SCHEDULED,
  /** The process completed. */
  COMPLETED,
  /** The process faulted. */
  FAULTED,
  /** A service was called. */
  CALLED,
  /** A service was called with a token. */
  AUTHENTICATED,
  /** A service was called by a program or over another protocol than plain HTTP. */
  CALLED_OTHERWISE,
  /** A call failed. */
  CALL_FAILED,
  /** A task raised an error. */
  RAISED,
  /** An expression failed. */
  EXPRESSION_FAILED,
  /** A task took longer than its timeout. */
  TIMED_OUT,
  /** An error was caught. */
  CAUGHT,
  /** Tasks were tried again. */
  RETRIED,
  /** Tasks were tried again and then succeeded. */
  RECOVERED,
  /** Branches ran side by side. */
  FORKED,
  /** A branch ended the others. */
  BRANCHES_CANCELLED,
  /** Branches competed. */
  RACED,
  /** Tasks ran for several items at the same time. */
  PARALLEL,
  /** A loop had a second round. */
  LOOPED,
  /** A loop ended before its last item. */
  LOOP_CUT,
  /** Time passed. */
  SLEPT,
  /** A case of a switch was taken. */
  CHOSE,
  /** A task was skipped. */
  SKIPPED,
  /** The flow went to a task that is not the next. */
  JUMPED,
  /** A list of tasks was left before its end. */
  EXITED,
  /** A task ended the workflow. */
  ENDED_EARLY,
  /** A process was run and completed. */
  CHILD_COMPLETED,
  /** A process was run and faulted. */
  CHILD_FAULTED,
  /** A process was run that took too long. */
  CHILD_TIMED_OUT,
  /** A process was run for which nobody waits. */
  CHILD_DETACHED,
  /** The context was changed. */
  EXPORTED,
  /** An event was emitted. */
  EMITTED,
  /** Events were emitted and consumed. */
  CONVERSED,
  /** Another process emitted them. */
  CONVERSED_WITH_CHILD,
  /** Tasks were run for each event. */
  RAN_FOR_EVENTS,
  /** An event did not come in time. */
  UNHEARD,
  /** A task was undone. */
  COMPENSATED,
  /** A task could not be undone. */
  NOT_COMPENSATED
}
