package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Definitions of as many tasks as a document may have. */
class LongDefinitionsTest {
  private static final EngineLimits LIMITS = EngineLimits.defaults();

  /** Tasks of each part of {@link #mixed}. */
  private static final int PART = 5;

  private static String sequence(int length) {
    StringBuilder tasks = new StringBuilder();
    for (int i = 0; i < length; i++) {
      tasks.append("  - t").append(i).append(": {set: {n: '${ .n + 1 }'}}\n");
    }
    return tasks.toString();
  }

  /** Tasks of several kinds, some of which lead to others. */
  private static String mixed(int length) {
    StringBuilder tasks = new StringBuilder();
    for (int i = 0; i < length / PART; i++) {
      tasks.append(
          """
            - count#: {set: {n: '${ .n + 1 }', big: '${ .n > 100 }'}}
            - choose#:
                switch:
                  - big: {when: .big, then: call#}
                  - small: {then: continue}
            - guard#:
                try:
                  - check#: {raise: {error: {type: 'urn:small', status: 400}}}
                catch: {errors: {with: {status: 400}}}
            - call#:
                call: http
                with: {method: post, endpoint: 'http://127.0.0.1/svc/s1', body: '${ . }'}
                output: {as: '${ {n: .n} }'}
          """
              .replace("#", Integer.toString(i)));
    }
    return tasks.toString();
  }

  @Test
  void shouldCompileInLinearTime() {
    String few = mixed(500);
    String many = mixed(5_000);

    LinearWork.assertLinear(10, () -> assertTasks(500, few), () -> assertTasks(5_000, many));
  }

  private static void assertTasks(int expected, String text) {
    assertEquals(expected, CompiledTasks.graph(LIMITS, text).tasks());
  }

  @Test
  void shouldRunAsManyTasksAsADocumentMayHave() {
    int most = LIMITS.definition().maxTasks();
    ProcessGraph graph = CompiledTasks.graph(LIMITS, sequence(most));
    Payload output = new BareKernel(Map.of()).run(graph, Values.json("{'n':0}"));

    assertTrue(most >= 10_000, "tasks of a document");
    assertEquals(most, output.integer("n"));
  }
}
