package dev.pinion.core.kernel;

import dev.pinion.core.graph.ScheduleGraph;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.MemoryAccount;
import dev.pinion.core.kernel.step.event.RunReport;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ParentLink;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes of waits for children that are not recorded yet, oldest first. Their values are counted
 * as on their way, except those of a replay. Kernel thread only.
 */
final class ChildOutcomes {
  private final MemoryAccount memoryAccount;
  private final SequencedMap<ChildWait, CountedOutcome> outcomes = new LinkedHashMap<>();

  /**
   * An outcome.
   *
   * @param carried counted heap bytes of its value
   */
  private record CountedOutcome(CallOutcome outcome, long carried) {}

  /** An outcome to report. */
  record Report(ChildWait waiting, CallOutcome outcome) {}

  ChildOutcomes(MemoryAccount memoryAccount) {
    this.memoryAccount = memoryAccount;
  }

  /** Whether an instance is the run of a schedule. */
  static boolean isRun(@Nullable ParentLink link) {
    return link != null && link.task().pointer().equals(ScheduleGraph.POINTER);
  }

  /** The outcome of a child that has begun, whose end nobody awaits. */
  static CallOutcome ofStart(Instance child) {
    return new CallOutcome.Succeeded(
        isRun(child.parent()) ? RunReport.begun(child.view()) : Payload.NULL);
  }

  /** The outcome of a child that has ended. */
  static CallOutcome ofEnd(Instance child) {
    return isRun(child.parent())
        ? new CallOutcome.Succeeded(RunReport.ended(child.view()))
        : of(child.view());
  }

  /** The outcome of a child that has ended. Its error is that of the task that waits for it. */
  private static CallOutcome of(InstanceView child) {
    return switch (child.state()) {
      case COMPLETED ->
          new CallOutcome.Succeeded(Objects.requireNonNullElse(child.output(), Payload.NULL));
      case FAULTED -> new CallOutcome.Failed(unlocated(Objects.requireNonNull(child.error())));
      default ->
          failed("the workflow " + child.definition() + " (" + child.id() + ") was cancelled");
    };
  }

  /** The outcome of a child that was left out of a recovery: it had begun, and has faulted. */
  static CallOutcome lost(ParentLink link, InstanceId child, String reason) {
    if (isRun(link)) {
      return new CallOutcome.Succeeded(RunReport.lost(child, link.awaited()));
    }
    return link.awaited()
        ? failed("the workflow (" + child + ") could not be recovered: " + reason)
        : new CallOutcome.Succeeded(Payload.NULL);
  }

  /**
   * An outcome that fits into a record: the end of a child with a longer value is a failure.
   *
   * @param most size of the longest value
   */
  static CallOutcome recordable(CallOutcome outcome, int most) {
    Payload value =
        switch (outcome) {
          case CallOutcome.Succeeded succeeded -> succeeded.output();
          case CallOutcome.Failed failed -> failed.error().toPayload();
          case CallOutcome.Aborted _ -> Payload.NULL;
        };
    return value.isWithin(most, Integer.MAX_VALUE, Integer.MAX_VALUE)
        ? outcome
        : failed(
            "expected an output or error of a workflow of at most "
                + most
                + " bytes for a record of the journal (request.maxBodyBytes,"
                + " invoker.maxResponseBytes), found more");
  }

  private static CallOutcome failed(String detail) {
    return new CallOutcome.Failed(WorkflowError.of(ErrorType.RUNTIME, detail));
  }

  private static WorkflowError unlocated(WorkflowError error) {
    return new WorkflowError(error.type(), error.status(), error.title(), error.detail(), null);
  }

  boolean isEmpty() {
    return outcomes.isEmpty();
  }

  boolean contains(ChildWait wait) {
    return outcomes.containsKey(wait);
  }

  void put(ChildWait wait, CallOutcome outcome) {
    remove(wait);
    long carried =
        outcome instanceof CallOutcome.Succeeded succeeded && !memoryAccount.isReplaying()
            ? memoryAccount.heap().beginTransfer(succeeded.output())
            : 0;
    outcomes.put(wait, new CountedOutcome(outcome, carried));
  }

  void remove(ChildWait wait) {
    CountedOutcome before = outcomes.remove(wait);
    if (before != null) {
      memoryAccount.heap().endTransfer(before.carried);
    }
  }

  void removeIf(Predicate<ChildWait> which) {
    List.copyOf(outcomes.keySet()).stream().filter(which).forEach(this::remove);
  }

  /** Removes and returns the oldest one; null when there is none. */
  @Nullable Report poll() {
    Map.Entry<ChildWait, CountedOutcome> next = outcomes.firstEntry();
    if (next == null) {
      return null;
    }
    remove(next.getKey());
    return new Report(next.getKey(), next.getValue().outcome());
  }

  void forEach(BiConsumer<ChildWait, CallOutcome> look) {
    outcomes.forEach((wait, counted) -> look.accept(wait, counted.outcome()));
  }
}
