package dev.pinion.handlers.servlet;

/** Refusals of what filters may not ask for here. */
final class Unsupported {
  private Unsupported() {}

  static UnsupportedOperationException call(String method) {
    return new UnsupportedOperationException(
        "expected a filter that uses what servlet-filter supports (docs/handlers-builtin.md), found"
            + " a call of "
            + method);
  }
}
