package dev.pinion.broker.binding;

import dev.pinion.broker.model.AbstractTask;
import dev.pinion.broker.model.Implementation;
import dev.pinion.broker.model.Share;
import dev.pinion.broker.optimise.ClassLevel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table that every invocation of an abstract service is bound by: for each class and task, who
 * is called in which pattern, with which share. Immutable but for the counters; published by one
 * write of a reference. {@link #choose} and {@link #serves} may be called by any thread; they do
 * not wait, lock or allocate.
 */
public final class BindingPlan {
  private final long version;
  private final Map<String, AbstractTask> tasks;
  private final Map<String, ClassLevel> levels;
  private final Counters counters;
  private final Set<String> down;
  private final Map<String, Map<String, Deal>> deals = new HashMap<>();
  private final Map<String, Front> fronts = new HashMap<>();

  /** Who of a class is let in. */
  private record Front(KroneckerCounter counter, double served, long threshold) {
    boolean admits() {
      return served >= 1 || Long.compareUnsigned(counter.next(), threshold) < 0;
    }
  }

  private BindingPlan(
      long version,
      Map<String, AbstractTask> tasks,
      Map<String, ClassLevel> levels,
      Counters counters,
      Set<String> down) {
    this.version = version;
    this.tasks = Map.copyOf(tasks);
    this.levels = Map.copyOf(levels);
    this.counters = counters;
    this.down = Set.copyOf(down);
    this.levels.values().forEach(this::add);
  }

  /**
   * A plan of an optimum.
   *
   * @param version more than that of any plan before
   * @param tasks the tasks of the problem, whose services stand in where all that a plan calls are
   *     gone
   * @param levels the classes of the optimum
   * @param counters those of the plans before
   */
  public static BindingPlan of(
      long version, List<AbstractTask> tasks, List<ClassLevel> levels, Counters counters) {
    Map<String, AbstractTask> byTask = new HashMap<>();
    tasks.forEach(each -> byTask.put(each.id(), each));
    Map<String, ClassLevel> byClass = new HashMap<>();
    levels.forEach(each -> byClass.put(each.id(), each));
    return new BindingPlan(version, byTask, byClass, counters, Set.of());
  }

  private void add(ClassLevel level) {
    Map<String, Deal> ofClass = new HashMap<>();
    level
        .shares()
        .forEach(
            (task, shares) -> {
              List<Share> alive = Repair.of(shares, tasks.get(task), down);
              if (!alive.isEmpty()) {
                ofClass.put(task, new Deal(counters.of(level.id(), task), alive));
              }
            });
    deals.put(level.id(), ofClass);
    double served = level.served();
    fronts.put(level.id(), new Front(counters.ofFront(level.id()), served, Deal.unsigned(served)));
  }

  /** Grows with every plan published. */
  public long version() {
    return version;
  }

  /** The services that this plan does without. */
  public Set<String> down() {
    return down;
  }

  /**
   * The shares of a task for a class as they are dealt out; empty when it is not bound.
   *
   * @return the greatest first, unless repaired
   */
  public List<Share> shares(String serviceClass, String task) {
    Deal deal = deal(serviceClass, task);
    return deal == null ? List.of() : deal.shares();
  }

  /** Whether the next request of a class is served; one that is not is refused with 429. */
  public boolean serves(String serviceClass) {
    Front front = fronts.get(serviceClass);
    return front != null && front.admits();
  }

  /**
   * Who does the next invocation of a task for a class.
   *
   * @return null when the class or the task is not in this plan, or no service of it is left
   */
  public @Nullable Implementation choose(String serviceClass, String task) {
    Deal deal = deal(serviceClass, task);
    return deal == null ? null : deal.next();
  }

  private @Nullable Deal deal(String serviceClass, String task) {
    Map<String, Deal> ofClass = deals.get(serviceClass);
    return ofClass == null ? null : ofClass.get(task);
  }

  /**
   * The same plan without some services: at once, before a new optimum is there. Shares that do not
   * need them keep their proportions; a task that has none left goes to its best single service.
   *
   * @param version more than that of any plan before
   * @param dead the services that are down now; those that this plan did without before and that
   *     are not among them are back
   */
  public BindingPlan repaired(long version, Set<String> dead) {
    return new BindingPlan(version, tasks, levels, counters, dead);
  }
}
