package dev.pinion.handlers.api;

/**
 * Classes of effects of a handler outside of the message, which decide what is allowed when the
 * handler or the message fails. The classes are those of Hagen and Alonso (Exception Handling in
 * Workflow Management Systems, 2000) as the DHArch paper uses them.
 */
public enum EffectClass {
  /** No effect: may be run again at any time. */
  STATELESS,
  /** A failed attempt has no effect: may be run again after a failure. */
  ATOMIC,
  /**
   * The effect can be undone: the handler is {@link Undoable}. It is undone when it fails, before
   * it is run again, and when the message stops after it.
   */
  QUASI_ATOMIC,
  /**
   * The effect is only prepared: a handler later in the chain, its partner, is its {@link
   * CommitPoint}, which commits by running and rolls back when the message stops before that.
   */
  TRANSACTIONAL,
  /** The effect is final: only the last handler of its chain, and never run again. */
  NON_ATOMIC;

  /** Whether a failed attempt may be repeated. */
  public boolean mayRepeat() {
    return this != NON_ATOMIC;
  }
}
