package dev.pinion.bootstrap.profile;

import dev.pinion.bootstrap.process.ProfiledProcess;

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

  /** What is known to be for no instance, or not known to be for one. */
  static final Work NO_WORK = new Work(NONE, NONE, NONE);

  /**
   * For whom something is done.
   *
   * @param definition for instances of which definition; empty when it is not known
   * @param task JSON pointer of the task, or what it is in brackets; empty when it is not known
   * @param serviceClass service class of the instance; empty when it has none or it is not known
   */
  public record Work(String definition, String task, String serviceClass) {}

  /**
   * A place where something is spent.
   *
   * @param kind what is spent
   * @param process in which process
   * @param group group of threads
   * @param stage stage of the pipeline
   * @param work for whom
   * @param subject class of what was allocated, or of the lock; empty for CPU time
   * @param node the stack, in the profile's tree
   */
  public record Place(
      Kind kind,
      ProfiledProcess process,
      String group,
      PipelineStage stage,
      Work work,
      String subject,
      int node) {}
}
