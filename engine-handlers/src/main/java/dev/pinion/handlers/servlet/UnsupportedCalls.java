package dev.pinion.handlers.servlet;

/** Refusals of calls that filters may not make here. */
final class UnsupportedCalls {
  private UnsupportedCalls() {}

  static UnsupportedOperationException call(String method) {
    return new UnsupportedOperationException(
        "expected a filter that uses what servlet-filter supports (docs/handlers-builtin.md), found"
            + " a call of "
            + method);
  }
}
