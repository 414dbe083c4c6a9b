package dev.pinion.benchmarks.experiments.moses;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.CompletionCheck;
import dev.pinion.workloads.load.LoadRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * The sequential workload in the form that brokers of the paper's first form required: before each
 * call, the process asks a binding service over HTTP for the endpoint.
 */
final class LookupWorkload {
  /** Name of the definition. */
  static final String NAME = "asking";

  private static final Workload WORKLOAD = Workload.SEQUENTIAL;
  private static final String HEAD =
      """
      document:
        dsl: '1.0.3'
        namespace: experiments
        name: asking
        version: '1.0.0'
        metadata: { pinion: { durability: none } }
      do:
      """;
  private static final String CALL =
      """
        - ask@TASK@:
            call: http
            with:
              method: get
              endpoint: '${ "@BINDINGS@/bind/" + $workflow.input.class + "/s@TASK@" }'
            output:
              as: '${ {value: $input.value, endpoint: .endpoint} }'
        - call@TASK@:
            call: http
            with:
              method: post
              endpoint: '${ .endpoint }'
              body: { value: '${ .value }' }
      """;
  private static final String END =
      """
      output:
        as: { value: '${ .value }' }
      """;

  private LookupWorkload() {}

  static String definition(URI bindings) {
    StringBuilder text = new StringBuilder(HEAD);
    for (int task = 1; task <= Workload.CALLS; task++) {
      text.append(
          CALL.replace("@TASK@", Integer.toString(task))
              .replace("@BINDINGS@", bindings.toString()));
    }
    return text.append(END).toString();
  }

  /** Starts of both classes, in equal parts. */
  static List<LoadRequest> starts(URI engine) {
    URI uri = engine.resolve("/v1/namespaces/experiments/definitions/" + NAME + "/instances");
    List<LoadRequest> starts = new ArrayList<>();
    for (ObjectNode input : WORKLOAD.inputs()) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      body.putObject("input")
          .put("value", input.get("value").longValue())
          .put("class", BrokerScenario.classOf(starts.size()));
      starts.add(
          LoadRequest.post(
              uri, body.toString(), new CompletionCheck(WORKLOAD.expectedOutput(input))));
    }
    return starts;
  }
}
