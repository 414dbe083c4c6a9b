package dev.pinion.bootstrap.profile;

/**
 * What was spent at one place.
 *
 * @param place where
 * @param amount how much, in the unit of the place's kind
 * @param samples from how many samples that is known; 0 for what was measured otherwise
 */
public record Row(Place place, double amount, long samples) {
  /** Stands for no definition, task or class. */
  static final String NONE = "";

  /**
   * A place where something is spent.
   *
   * @param kind what is spent
   * @param replica index of the replica
   * @param group group of threads
   * @param stage stage of the pipeline
   * @param definition for instances of which definition; empty when it is not known
   * @param task JSON pointer of the task, or what it is in brackets; empty when it is not known
   * @param subject class of what was allocated, or of the lock; empty for CPU time
   * @param node the stack, in the profile's tree
   */
  public record Place(
      Kind kind,
      int replica,
      String group,
      PipelineStage stage,
      String definition,
      String task,
      String subject,
      int node) {}
}
