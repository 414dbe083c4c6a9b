package dev.pinion.workloads.stub;

/** Shared state of a stub's connections. */
final class StubState {
  private final int services;
  private final StubResponses answers;
  private final StubCounters counters;
  private volatile StubBehaviour script;

  StubState(StubSettings settings) {
    services = settings.services();
    answers = new StubResponses(services);
    counters = new StubCounters(services);
    script = StubBehaviour.answering(settings.delay());
  }

  int services() {
    return services;
  }

  StubResponses answers() {
    return answers;
  }

  StubCounters counters() {
    return counters;
  }

  StubBehaviour script() {
    return script;
  }

  void script(StubBehaviour script) {
    this.script = script;
  }
}
