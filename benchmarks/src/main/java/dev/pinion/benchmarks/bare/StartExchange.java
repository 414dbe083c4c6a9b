package dev.pinion.benchmarks.bare;

/**
 * One client request under way: makes its calls and passes the responses to the client's
 * connection. Confined to the event loop.
 */
final class StartExchange {
  private final ClientHandler client;
  private final StubConnectionPool services;
  private final CallPattern callPattern;
  private final CallPattern.Calls calls;
  private final long[] answers;
  private int answered;
  private boolean failed;

  StartExchange(
      ClientHandler client,
      StubConnectionPool services,
      CallPattern callPattern,
      CallPattern.Calls calls) {
    this.client = client;
    this.services = services;
    this.callPattern = callPattern;
    this.calls = calls;
    this.answers = new long[calls.services().length];
  }

  /** Makes the first call, or all of them. */
  void start() {
    int first = callPattern.chained() ? 1 : answers.length;
    for (int call = 0; call < first; call++) {
      services.call(this, call, calls.services()[call], calls.values()[call]);
    }
  }

  /** Handles the value that a call returned. */
  void onAnswer(int call, long value) {
    if (failed) {
      return;
    }
    answers[call] = value;
    answered++;
    if (answered == answers.length) {
      client.onEnd(answers);
    } else if (callPattern.chained()) {
      services.call(this, answered, calls.services()[answered], calls.values()[answered] + value);
    }
  }

  /** Handles a call without a valid response; later responses are ignored. */
  void onFailure(String reason) {
    if (!failed) {
      failed = true;
      client.onFailure(reason);
    }
  }
}
