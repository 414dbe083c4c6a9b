package dev.pinion.core.kernel;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.language.CompilationResult;
import dev.pinion.core.language.WorkflowCompiler;
import dev.pinion.core.limits.EngineLimits;

/**
 * Definitions that events start, in the namespace of posted events. Unless hinted otherwise, runs
 * get the data of their events.
 */
public final class EventScheduleDefinitions {
  /** Its output is its input. */
  private static final String QUICK = "  - n: {set: '${ . }'}\n";

  /** A call that the test answers. */
  private static final String SLOW =
      "  - ask: {call: http, with: {method: post, endpoint: 'http://x/ask', body: '${ . }'}}\n";

  private EventScheduleDefinitions() {}

  /** A definition whose runs end at once. */
  public static ProcessGraph quick(String events) {
    return quick("1.0.0", events);
  }

  /** A version of the definition whose runs end at once. */
  public static ProcessGraph quick(String version, String events) {
    return definition(version, events, "{read: data}", QUICK);
  }

  /** A definition whose runs end when the test answers their call. */
  public static ProcessGraph slow(String overlap, String events) {
    return slow("1.0.0", overlap, events);
  }

  /** A version of the definition whose runs end when the test answers their call. */
  public static ProcessGraph slow(String version, String overlap, String events) {
    return definition(version, events, "{read: data, overlap: " + overlap + "}", SLOW);
  }

  /** A definition whose runs end at once, with hints to its schedule. */
  public static ProcessGraph hinted(String hints, String events) {
    return definition("1.0.0", events, hints, QUICK);
  }

  private static ProcessGraph definition(
      String version, String events, String hints, String tasks) {
    String yaml =
        """
        document:
          dsl: 1.0.3
          namespace: test
          name: job
          version: %s
          metadata: {pinion: {schedule: %s}}
        schedule: {on: %s}
        do:
        %s"""
            .formatted(version, hints, events, tasks);
    CompilationResult result =
        new WorkflowCompiler(EngineLimits.defaults()).compile(yaml, "application/yaml");
    if (result instanceof CompilationResult.Compiled compiled) {
      return compiled.graph();
    }
    throw new AssertionError(result.toString());
  }
}
