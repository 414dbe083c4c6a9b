package dev.pinion.core.kernel.step.phase;

/**
 * Stage of an activity in the life of a task (DSL, "Data Flow").
 *
 * <pre>
 *   ENTRY ──────────▶ BODY ───────────▶ EXIT ──────▶ (gone)
 *   if, input,        ▲   │ error        output, export
 *   timeout           │   ▼
 *    │ skipped        └ CATCH (try only)
 *    └───────────────────────────────────────────────▶
 * </pre>
 *
 * <p>A workflow that fails, a try that takes an error and a race with a winner pass {@code
 * COMPENSATE} first, if something inside can be compensated.
 *
 * <p>Within a phase everything up to its effects is pure, so a phase that had to wait for an
 * expression is simply run again.
 */
public enum ActivityPhase {
  /** Decides whether to run, checks and transforms the input, sets the timeout. */
  ENTRY,
  /** Runs the task itself. */
  BODY,
  /** Decides how to handle an error. */
  CATCH,
  /** Compensates completed tasks. */
  COMPENSATE,
  /** Transforms and checks the output, exports to the context. */
  EXIT
}
