package dev.pinion.bootstrap.profile;

import dev.pinion.bootstrap.protocol.ProfiledProcess;

/**
 * Amount at one place.
 *
 * @param place the place
 * @param amount the amount, in the unit of the place's kind
 * @param samples number of samples of the amount; 0 when it was measured in another way
 */
public record ProfileRow(Site place, double amount, long samples) {
  /** Placeholder for no definition, task or class. */
  static final String NONE = "";

  /** Work for no instance, or for an unknown one. */
  static final TaskOrigin NO_WORK = new TaskOrigin(NONE, NONE, NONE);

  /**
   * Task and instance for which work is done.
   *
   * @param definition definition of the instance; empty when unknown
   * @param task JSON pointer of the task, or a description in brackets; empty when unknown
   * @param serviceClass service class of the instance; empty for none or when unknown
   */
  public record TaskOrigin(String definition, String task, String serviceClass) {}

  /**
   * A place of an amount.
   *
   * @param kind kind of the amount
   * @param process the process
   * @param group group of threads
   * @param stage stage of the pipeline
   * @param work its task and instance
   * @param subject class of the allocated object, or of the lock; empty for CPU time
   * @param node the stack, in the profile's tree
   */
  public record Site(
      ProfileKind kind,
      ProfiledProcess process,
      String group,
      PipelineStage stage,
      TaskOrigin work,
      String subject,
      int node) {}
}
