package dev.pinion.benchmarks.testbed;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.workloads.load.CompletionCheck;
import dev.pinion.workloads.load.LoadRequest;
import java.net.URI;
import java.util.List;
import java.util.stream.IntStream;

/** A process of one task that calls nothing: it exercises the engine's own path only. */
public final class OneTaskWorkload {
  private static final String DEFINITION =
      """
      document:
        dsl: '1.0.3'
        namespace: experiments
        name: one-task
        version: '1.0.0'
        metadata: { pinion: { durability: none } }
      do:
        - double: { set: { value: '${ .value * 2 }' } }
      """;
  private static final int INPUTS = 16;

  private OneTaskWorkload() {}

  /** Deploys the definition to an engine. */
  public static void deploy(Testbed testbed, ServerProcess engine)
      throws MeasurementException, InterruptedException {
    testbed.deploy(engine, "one-task", DEFINITION);
  }

  /** Starts with different inputs, each with its expected output. */
  public static List<LoadRequest> starts(URI engine) {
    URI uri = engine.resolve("/v1/namespaces/experiments/definitions/one-task/instances");
    return IntStream.rangeClosed(1, INPUTS)
        .mapToObj(
            n ->
                LoadRequest.post(
                    uri, LoadRequest.startBody(value(n)), new CompletionCheck(value(2 * n))))
        .toList();
  }

  private static ObjectNode value(int value) {
    return JsonNodeFactory.instance.objectNode().put("value", value);
  }
}
