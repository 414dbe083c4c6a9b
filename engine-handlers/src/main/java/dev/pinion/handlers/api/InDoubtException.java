package dev.pinion.handlers.api;

/**
 * It is unknown whether the handler had its effect: the process that ran it is gone or does not
 * answer. It is not run again if its effect could then happen twice ({@link EffectClass#ATOMIC}).
 */
public final class InDoubtException extends Exception {
  /** A failure that leaves the effect in doubt. */
  public InDoubtException(String message) {
    super(message);
  }
}
