package dev.pinion.oracle;

/** A random process that does too much, or whose outcome depends on a race. */
final class Excessive extends RuntimeException {
  private static final long serialVersionUID = 1;

  Excessive(String why) {
    super(why, null, false, false);
  }
}
