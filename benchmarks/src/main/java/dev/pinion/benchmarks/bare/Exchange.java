package dev.pinion.benchmarks.bare;

/**
 * One client request under way: makes its calls and passes the responses to the client's
 * connection. Confined to the event loop.
 */
final class Exchange {
  private final ClientHandler client;
  private final ServicePool services;
  private final Shape shape;
  private final Shape.Calls calls;
  private final long[] answers;
  private int answered;
  private boolean failed;

  Exchange(ClientHandler client, ServicePool services, Shape shape, Shape.Calls calls) {
    this.client = client;
    this.services = services;
    this.shape = shape;
    this.calls = calls;
    this.answers = new long[calls.services().length];
  }

  /** Makes the first call, or all of them. */
  void start() {
    int first = shape.chained() ? 1 : answers.length;
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
    } else if (shape.chained()) {
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
