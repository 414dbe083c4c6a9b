package dev.pinion.bootstrap.profile;

/** A stage of the engine, or of the JVM beneath it, that uses time. */
public enum PipelineStage {
  REQUEST("request handler"),
  KERNEL("kernel"),
  INVOKER("invoker"),
  JOURNAL("journal"),
  EVALUATOR("evaluator"),
  HANDLERS("handlers"),
  BROKER("broker"),
  /** I/O and waiting of loops that run several stages, outside of any of them. */
  LOOP("event loop"),
  /** Deployment, history, moves of partitions and everything else outside the path of a request. */
  OTHER("other"),
  /** The garbage collector and other operations of the JVM. */
  GC("garbage collector and VM"),
  /** The compilers of the JVM. */
  JIT("JIT compiler"),
  /** Cost of the profile itself. */
  PROFILER("profiler");

  private final String label;

  PipelineStage(String label) {
    this.label = label;
  }

  /** Name for people. */
  public String label() {
    return label;
  }
}
