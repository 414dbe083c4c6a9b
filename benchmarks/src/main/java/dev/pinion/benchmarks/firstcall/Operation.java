package dev.pinion.benchmarks.firstcall;

import dev.pinion.benchmarks.firstcall.PlainClient.Answer;
import dev.pinion.benchmarks.firstcall.PlainClient.Ask;
import java.io.IOException;
import java.util.function.IntPredicate;

/**
 * Something that an engine is asked again and again.
 *
 * @param name what it is called in tables
 * @param preparation what comes before each request and does not count
 * @param right statuses that are right
 */
record Operation(String name, Preparation preparation, IntPredicate right) {
  /** Makes the n-th request, n from 1. */
  @FunctionalInterface
  interface Preparation {
    Ask ask(PlainClient client, int n) throws IOException;
  }

  /** A request that needs no preparation. */
  static Operation of(String name, Ask ask, int status) {
    return new Operation(name, (client, n) -> ask, found -> found == status);
  }

  /** A start that is awaited and must complete. */
  static Operation start(String name, String definition, String input) {
    return of(name, Definitions.start(definition, input), 200);
  }

  /** Whether an answer is right. */
  boolean accepts(Answer answer) {
    return right.test(answer.status());
  }
}
