package dev.pinion.core.spi;

import dev.pinion.core.model.DefinitionKey;
import org.jspecify.annotations.Nullable;

/**
 * Sampling hook: shows a profiler for which definition, task and service class a thread works at
 * the time of a sample.
 *
 * <p>A look is a sample: a number that the profiler increments every few milliseconds. Code that
 * works for a task reads the number before and compares it after; when it has changed meanwhile,
 * the work is reported to the profiler. So work is reported in proportion to its time, even if each
 * piece of it is short, and only the profiler reads a clock:
 *
 * <pre>
 *   look          |                   |                   |
 *   work    [a][b][c  ][a][b][c][a][b][c][a]  [b][c][a][b][c  ]
 *   report        c                   c                   c
 * </pre>
 *
 * <p>Without a profiler this costs two reads of a field that no thread writes, and a comparison.
 * There is one hook for a JVM, as there is one recording of its threads' stacks.
 */
public final class ProfilingHook {
  private static final SampleListener NOBODY = (stage, definition, task, serviceClass, looks) -> {};

  /** Written by the profiler's thread only. */
  private static volatile int count;

  private static volatile SampleListener sampleListener = NOBODY;

  private ProfilingHook() {}

  /** Kind of code that did the work; distinguishes the stages of one thread. */
  public enum Component {
    /** Reads inputs and writes outputs. */
    REQUEST,
    /** Steps instances. */
    KERNEL,
    /** Makes calls and reads their responses. */
    INVOKER,
    /** Evaluates long expressions. */
    EVALUATOR,
    /** Runs handlers of chains. */
    HANDLERS
  }

  /** Listener for work that a sample fell into. */
  @FunctionalInterface
  public interface SampleListener {
    /**
     * Reports the end of work, or of a separately reported part of it, on the calling thread. Must
     * be quick.
     *
     * @param component kind of the code
     * @param definition definition of the instances; empty for none in particular
     * @param task JSON pointer of the task; other work has a name in brackets
     * @param serviceClass service class of the instance; empty when it has none
     * @param looks number of samples in it, from 1
     */
    void worked(
        Component component, String definition, String task, String serviceClass, int looks);
  }

  /** Number of samples so far, for {@link #record}. Any thread. */
  public static int samples() {
    return count;
  }

  /**
   * Reports work on the calling thread that has ended.
   *
   * @param since {@link #count} when it began
   * @param serviceClass service class of the instance, or null when it has none
   */
  public static void record(
      int since,
      Component component,
      DefinitionKey definition,
      String task,
      @Nullable String serviceClass) {
    int looks = count - since;
    if (looks != 0) {
      sampleListener.worked(
          component, definition.toString(), task, serviceClass == null ? "" : serviceClass, looks);
    }
  }

  /**
   * Reports work of a handler on the calling thread that has ended.
   *
   * @param since {@link #count} when it began
   * @param definition definition of the instances; empty for none in particular
   * @param step its name in the chain
   * @param serviceClass service class of the instance; empty when it has none or it is not known
   */
  public static void recordHandler(int since, String definition, String step, String serviceClass) {
    int looks = count - since;
    if (looks != 0) {
      sampleListener.worked(
          Component.HANDLERS, definition, "[handler " + step + "]", serviceClass, looks);
    }
  }

  /** Takes a sample. The profiler's thread only. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // written by one thread only
  public static void tick() {
    count++;
  }

  /** Sets the listener, replacing the last one. */
  public static void attach(SampleListener next) {
    sampleListener = next;
  }

  /** Removes the listener. */
  public static void detach() {
    sampleListener = NOBODY;
  }
}
