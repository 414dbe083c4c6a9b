package dev.pinion.bootstrap.profile;

import dev.pinion.bootstrap.protocol.ProfiledProcess;
import java.util.List;

/** Builds profiles of given stacks. */
final class Stacks {
  private final Profile.Builder builder = new Profile.Builder(new CallTree());
  private ProfiledProcess process = ProfiledProcess.replica(0);
  private String group = "fused";
  private PipelineStage stage = PipelineStage.KERNEL;
  private ProfileRow.TaskOrigin taskOrigin = ProfileRow.NO_WORK;

  /** The following rows are of this process. */
  Stacks in(ProfiledProcess other) {
    process = other;
    return this;
  }

  /** The following rows are of these threads and this stage. */
  Stacks on(String threads, PipelineStage inStage) {
    group = threads;
    stage = inStage;
    return this;
  }

  /** The following rows are for this task. */
  Stacks of(String definitionName, String pointer) {
    return of(definitionName, pointer, ProfileRow.NONE);
  }

  /** The following rows are for this task of instances of this service class. */
  Stacks of(String definition, String pointer, String serviceClass) {
    taskOrigin = new ProfileRow.TaskOrigin(definition, pointer, serviceClass);
    return this;
  }

  /** CPU time of a stack, the outermost method first. */
  Stacks cpu(double amount, String... frames) {
    return add(ProfileKind.CPU, ProfileRow.NONE, amount, frames);
  }

  Stacks add(ProfileKind profileKind, String subject, double amount, String... frames) {
    builder.add(
        new ProfileRow.Site(
            profileKind,
            process,
            group,
            stage,
            taskOrigin,
            subject,
            builder.tree().node(List.of(frames))),
        amount,
        1);
    return this;
  }

  Profile profile(String label) {
    return builder.build(
        new Profile.Header(label, "2026-01-01T00:00:00Z", 10, "jdk.CPUTimeSample", List.of()));
  }
}
