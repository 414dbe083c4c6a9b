package dev.pinion.core.spi;

import dev.pinion.core.model.DefinitionKey;
import org.jspecify.annotations.Nullable;

/**
 * Lets a profiler see which definition, task and service class a thread works for, at the times at
 * which it looks.
 *
 * <p>A look is a number that the profiler counts up every few milliseconds. Who does work for a
 * task reads the number before and tells it after; when it has changed meanwhile, the profiler
 * hears of the work. So work is heard of in proportion to the time that it takes, however short
 * each piece of it is, and by nobody's clock but the profiler's:
 *
 * <pre>
 *   look          |                   |                   |
 *   work    [a][b][c  ][a][b][c][a][b][c][a]  [b][c][a][b][c  ]
 *   heard         c                   c                   c
 * </pre>
 *
 * <p>While nobody profiles this costs two reads of a field that nobody writes, and a comparison.
 * There is one for a JVM, as there is one recording of its threads' stacks.
 */
public final class Looks {
  private static final Listener NOBODY = (stage, definition, task, serviceClass, looks) -> {};

  /** Written by the profiler's thread only. */
  private static volatile int count;

  private static volatile Listener listener = NOBODY;

  private Looks() {}

  /** Which code did the work, for who tells threads that run several stages from each other. */
  public enum Worker {
    /** Reads inputs and writes outputs. */
    REQUEST,
    /** Steps instances. */
    KERNEL,
    /** Makes calls and reads their answers. */
    INVOKER,
    /** Evaluates long expressions. */
    EVALUATOR,
    /** Runs handlers of chains. */
    HANDLERS
  }

  /** Hears of work that a look fell into. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Work ends, or a part of it that is told by itself, on the calling thread. Must be quick.
     *
     * @param worker what code did it
     * @param definition for instances of which definition; empty when for none in particular
     * @param task JSON pointer of the task; what is no task's is in brackets
     * @param serviceClass service class of the instance; empty when it has none
     * @param looks how many looks fell into it, from 1
     */
    void worked(Worker worker, String definition, String task, String serviceClass, int looks);
  }

  /** The number of looks so far, to be given to {@link #worked}. Any thread. */
  public static int count() {
    return count;
  }

  /**
   * Tells of work on the calling thread that has ended.
   *
   * @param since {@link #count} when it began
   * @param serviceClass service class of the instance, or null when it has none
   */
  public static void worked(
      int since,
      Worker worker,
      DefinitionKey definition,
      String task,
      @Nullable String serviceClass) {
    int looks = count - since;
    if (looks != 0) {
      listener.worked(
          worker, definition.toString(), task, serviceClass == null ? "" : serviceClass, looks);
    }
  }

  /**
   * Tells of work of a handler on the calling thread that has ended.
   *
   * @param since {@link #count} when it began
   * @param definition for instances of which definition; empty when for none in particular
   * @param step what its chain calls it
   * @param serviceClass service class of the instance; empty when it has none or it is not known
   */
  public static void handled(int since, String definition, String step, String serviceClass) {
    int looks = count - since;
    if (looks != 0) {
      listener.worked(Worker.HANDLERS, definition, "[handler " + step + "]", serviceClass, looks);
    }
  }

  /** Looks. The profiler's thread only. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread only
  public static void look() {
    count++;
  }

  /** Has somebody hear of work from now on, in place of who did before. */
  public static void hear(Listener next) {
    listener = next;
  }

  /** Nobody hears of work from now on. */
  public static void hearNoMore() {
    listener = NOBODY;
  }
}
