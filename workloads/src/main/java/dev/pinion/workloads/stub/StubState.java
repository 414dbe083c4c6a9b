package dev.pinion.workloads.stub;

/** Shared state of a stub's connections. */
final class StubState {
  private final int services;
  private final StubResponses answers;
  private final StubCounters counters;
  private volatile FaultScript script;

  StubState(StubSettings settings) {
    services = settings.services();
    answers = new StubResponses(services);
    counters = new StubCounters(services);
    script = FaultScript.answering(settings.delay());
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

  FaultScript script() {
    return script;
  }

  void script(FaultScript script) {
    this.script = script;
  }
}
