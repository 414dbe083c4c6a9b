package dev.pinion.handlers.api;

/**
 * Nobody knows whether the handler had its effect: who ran it is gone, or silent. It is not run
 * again if its effect could then be there twice ({@link EffectClass#ATOMIC}).
 */
public final class InDoubtException extends Exception {
  /** A failure that leaves the effect in doubt. */
  public InDoubtException(String message) {
    super(message);
  }
}
