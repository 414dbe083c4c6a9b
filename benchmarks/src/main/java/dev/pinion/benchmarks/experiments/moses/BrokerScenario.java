package dev.pinion.benchmarks.experiments.moses;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.benchmarks.experiment.MeasurementException;
import dev.pinion.workloads.catalog.Workload;
import dev.pinion.workloads.load.CompletionCheck;
import dev.pinion.workloads.load.LoadRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A broker's knowledge of a workload: two concrete services for each abstract one, the cheap one
 * too scarce for all calls, so that every call is distributed by shares; two classes of users and
 * their contracts. All services are the testbed's stub. Stateless.
 */
final class BrokerScenario {
  /** The classes; the last one is that of callers that name none. */
  static final List<String> CLASSES = List.of("gold", "silver");

  private static final URI ANYWHERE = URI.create("http://services");

  /** Contracted rate of a class, in instances/s: more than any measurement offers. */
  private static final int RATE = 20_000;

  /** Capacity of a cheap service in calls/s: less than each task needs. */
  private static final int SCARCE = 12_000;

  private static final String TRIP_PLANNER =
      """
      {"type": "seq", "children": [
        {"type": "task", "task": "s1"},
        {"type": "flow", "id": "offers", "children": [
          {"type": "task", "task": "s2"}, {"type": "task", "task": "s3"}]},
        {"type": "choice", "id": "price", "probabilities": [0.5, 0.5], "children": [
          {"type": "task", "task": "s4"}, {"type": "task", "task": "s5"}]},
        {"type": "loop", "id": "legs", "iterations": 2, "child": {"type": "task", "task": "s6"}}]}\
      """;

  private static final String SEQUENTIAL =
      """
      {"type": "seq", "children": [
        {"type": "task", "task": "s1"}, {"type": "task", "task": "s2"},
        {"type": "task", "task": "s3"}, {"type": "task", "task": "s4"},
        {"type": "task", "task": "s5"}, {"type": "task", "task": "s6"}]}\
      """;

  private BrokerScenario() {}

  /** The definition of a workload with abstract services in place of the stub's. */
  static String definition(Workload workload) {
    return workload.definition(ANYWHERE).replace(ANYWHERE + "/svc/", "svc://");
  }

  /** Documents for the broker by path below {@code /v1/broker}, in this order. */
  static Map<String, String> documents(Workload workload, URI stub) throws MeasurementException {
    Map<String, String> documents = new LinkedHashMap<>();
    for (int task = 1; task <= Workload.CALLS; task++) {
      documents.put("services/cheap" + task, cheap(task, stub, 1));
      documents.put("services/dear" + task, service(task, stub, 3, ""));
    }
    documents.put(
        "model",
        """
        {"process": %s, "options": {"max_alt": 1, "max_par": 1}, "defaultClass": "%s"}\
        """
            .formatted(process(workload), CLASSES.getLast()));
    for (String name : CLASSES) {
      int price = name.equals(CLASSES.getFirst()) ? 60 : 40;
      documents.put(
          "classes/" + name,
          String.format(Locale.ROOT, "{\"r_max\": 60, \"d_min\": 0.5, \"price\": %d}", price));
      documents.put(
          "slas/" + name,
          String.format(
              Locale.ROOT,
              "{\"class\": \"%s\", \"user\": \"users of %s\", \"rate\": %d}",
              name,
              name,
              RATE));
    }
    return documents;
  }

  /** A cheap service at a price: the change that a storm repeats. */
  static String cheap(int task, URI stub, double cost) {
    return service(task, stub, cost, ", \"load\": " + SCARCE);
  }

  private static String service(int task, URI stub, double cost, String further) {
    return String.format(
        Locale.ROOT,
        ("{\"serves\": [\"s%d\"], \"endpoint\": \"%s/svc/s%d\", \"idempotent\": true,"
            + " \"r\": 0.01, \"d\": 0.999, \"c\": %s%s}"),
        task,
        stub,
        task,
        cost,
        further);
  }

  private static String process(Workload workload) throws MeasurementException {
    return switch (workload) {
      case TRIP_PLANNER -> TRIP_PLANNER;
      case SEQUENTIAL -> SEQUENTIAL;
      default ->
          throw new MeasurementException(
              "expected a workload that the broker has a model of, found " + workload.id());
    };
  }

  /** Starts of a workload by users of both classes, in equal parts. */
  static List<LoadRequest> starts(URI engine, Workload workload) {
    URI uri = LoadRequest.instances(engine, workload);
    List<LoadRequest> starts = new ArrayList<>();
    for (ObjectNode input : workload.inputs()) {
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      body.set("input", input);
      body.putObject("labels").put("pinion.class", classOf(starts.size()));
      starts.add(
          LoadRequest.post(
              uri, body.toString(), new CompletionCheck(workload.expectedOutput(input))));
    }
    return starts;
  }

  /** By pairs: the behaviour of inputs differs between odd and even ones. */
  static String classOf(int number) {
    return CLASSES.get(number / 2 % CLASSES.size());
  }
}
