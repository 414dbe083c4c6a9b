package dev.pinion.core.openapi;

/** Listener for problems of documents. */
@FunctionalInterface
public interface ApiProblems {
  /** Takes a problem of a value. */
  void report(ApiValue at, String message);
}
