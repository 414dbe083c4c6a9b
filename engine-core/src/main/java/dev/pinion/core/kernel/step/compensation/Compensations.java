package dev.pinion.core.kernel.step.compensation;

import dev.pinion.core.graph.Node;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.instance.CompensationStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The completed tasks of an instance that can be compensated, in the order of their completion over
 * all branches, and what became of those that were.
 */
public final class Compensations {
  /** Most failed compensations that are kept with their errors. */
  static final int MAX_FAILURES = 16;

  /** Most characters of such an error as JSON. */
  private static final int MAX_ERROR_CHARS = 10_000;

  /** Most tasks named in the error of an instance, and characters of each. */
  private static final int MAX_NAMED = 5;

  private static final int MAX_NAME_CHARS = 200;

  private final CompensationScope whole = new CompensationScope();
  private final SequencedMap<Integer, CompletedTask> tasks = new LinkedHashMap<>();
  private final List<CompensationStatus.Failure> failures = new ArrayList<>(0);
  private int last;
  private int reserved;
  private int rounds;
  private int compensated;
  private int failed;
  private @Nullable PendingEnd pendingEnd;

  /** Counts, as in the state of an instance. */
  public record Counts(int last, int rounds, int compensated, int failed) {}

  /** The scope that is the whole instance. */
  public CompensationScope whole() {
    return whole;
  }

  /** Reserves a place for a task that begins; returns whether there is one within a bound. */
  public boolean reserve(int most) {
    boolean fits = tasks.size() + reserved < most;
    reserved += fits ? 1 : 0;
    return fits;
  }

  /** Frees the place of a task that has ended. */
  public void free() {
    reserved--;
  }

  /**
   * Adds a task that has completed.
   *
   * @param values as {@link CompletedTask#values} returns them
   */
  public CompletedTask add(Node task, CompensationScope scope, List<Payload> values) {
    CompletedTask completed = new CompletedTask(++last, task, scope, values);
    tasks.put(completed.number(), completed);
    return completed;
  }

  /** The tasks, in the order of their completion. */
  public Collection<CompletedTask> tasks() {
    return Collections.unmodifiableCollection(tasks.values());
  }

  /** A task by its number, or null. */
  public @Nullable CompletedTask task(int number) {
    return tasks.get(number);
  }

  /** Whether there is no task to compensate. */
  public boolean isEmpty() {
    return tasks.isEmpty();
  }

  /** The task of a scope that completed last, or null. */
  public @Nullable CompletedTask newest(CompensationScope scope) {
    CompensationScope wanted = scope.current();
    for (CompletedTask task : tasks.sequencedValues().reversed()) {
      if (task.scope().current() == wanted) {
        return task;
      }
    }
    return null;
  }

  /** Begins to compensate a scope. */
  public void beginRound() {
    rounds++;
  }

  /** Number of scopes that were or are compensated. */
  public int rounds() {
    return rounds;
  }

  /** Records that a task was compensated. */
  public void onCompensated(CompletedTask task) {
    tasks.remove(task.number());
    compensated++;
  }

  /** Records that the compensation of a task failed. */
  public void onFailed(CompletedTask task, WorkflowError error) {
    tasks.remove(task.number());
    failed++;
    WorkflowError cut = error.cutTo(MAX_ERROR_CHARS);
    if (failures.size() < MAX_FAILURES && cut != null) {
      failures.add(new CompensationStatus.Failure(task.pointer(), cut));
    }
  }

  /** Forgets the tasks of an instance that has completed. */
  public void completed() {
    tasks.clear();
  }

  /** Whether a compensation has failed. */
  public boolean hasFailed() {
    return failed > 0;
  }

  /** The end that comes when all is compensated, or null. */
  public @Nullable PendingEnd pendingEnd() {
    return pendingEnd;
  }

  /** Sets the end that comes when all is compensated. */
  public void pendingEnd(PendingEnd end) {
    pendingEnd = end;
  }

  /** The error, saying in its detail which tasks were not compensated. */
  public WorkflowError reported(WorkflowError error) {
    List<String> names = new ArrayList<>();
    failures.forEach(failure -> names.add(failure.task()));
    tasks.values().stream().limit(MAX_NAMED).forEach(task -> names.add(task.pointer()));
    int all = failed + tasks.size();
    if (all == 0) {
      return error;
    }
    List<String> named = names.stream().limit(MAX_NAMED).map(Compensations::shortened).toList();
    String others = all > named.size() ? " and " + (all - named.size()) + " more" : "";
    String report = "not compensated: " + String.join(", ", named) + others;
    String detail = error.detail() == null ? report : error.detail() + "; " + report;
    return new WorkflowError(error.type(), error.status(), error.title(), detail, error.instance());
  }

  private static String shortened(String name) {
    return name.length() <= MAX_NAME_CHARS
        ? name
        : "…" + name.substring(name.length() - MAX_NAME_CHARS);
  }

  /**
   * What clients are told; null for nothing.
   *
   * @param running whether tasks are being compensated
   * @param ended whether the instance has ended
   */
  public @Nullable CompensationStatus status(boolean running, boolean ended) {
    boolean told = running || compensated > 0 || failed > 0 || (ended && !tasks.isEmpty());
    return told
        ? new CompensationStatus(running, compensated, tasks.size(), failed, failures)
        : null;
  }

  /** Counts, as in the state of an instance. */
  public Counts counts() {
    return new Counts(last, rounds, compensated, failed);
  }

  /** The failed compensations that are kept, with their errors. */
  public List<CompensationStatus.Failure> failures() {
    return Collections.unmodifiableList(failures);
  }

  /** Restores counts and failures from serialized state. */
  public void restore(Counts counts, List<CompensationStatus.Failure> told) {
    last = counts.last;
    rounds = counts.rounds;
    compensated = counts.compensated;
    failed = counts.failed;
    failures.addAll(told);
  }

  /** Restores a task from serialized state; in the order of their completion. */
  public void restore(CompletedTask task) {
    Map.Entry<Integer, CompletedTask> before = tasks.lastEntry();
    if (task.number() > last || (before != null && before.getKey() >= task.number())) {
      throw new IllegalArgumentException(
          "expected completed tasks in order up to " + last + ", found " + task.number());
    }
    tasks.put(task.number(), task);
  }
}
