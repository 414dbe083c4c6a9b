package dev.pinion.handlers.api;

/**
 * What a handler leaves behind outside of the message, and so what may be done when it or the
 * message fails. The classes are those of Hagen and Alonso (Exception Handling in Workflow
 * Management Systems, 2000) as the DHArch paper uses them.
 */
public enum EffectClass {
  /** Leaves nothing behind: may be run again at any time. */
  STATELESS,
  /** A failed attempt has left nothing behind: may be run again after it failed. */
  ATOMIC,
  /**
   * What it left behind can be taken back: the handler is {@link Undoable}. It is undone when it
   * fails, before it is run again, and when the message stops after it.
   */
  QUASI_ATOMIC,
  /**
   * What it left behind is only prepared: a handler later in the chain, its partner, is its {@link
   * CommitPoint}, which commits by running and rolls back when the message stops before that.
   */
  TRANSACTIONAL,
  /** What it left behind stays: only last in its chain, and never run again. */
  NON_ATOMIC;

  /** Whether an attempt that failed may be repeated. */
  public boolean mayRepeat() {
    return this != NON_ATOMIC;
  }
}
