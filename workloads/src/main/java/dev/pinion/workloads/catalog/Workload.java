package dev.pinion.workloads.catalog;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.pinion.workloads.stub.ServiceModel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The benchmark workloads: for each a definition, inputs, and the exact expected output and calls.
 * The trip planner mixes the {@linkplain #patterns() patterns} of the others. Each makes {@value
 * #CALLS} service calls per instance.
 */
public enum Workload {
  /** Six calls, each using the previous result. */
  SEQUENTIAL("sequential") {
    @Override
    public ObjectNode input(int number) {
      return object().put("value", number);
    }

    @Override
    public JsonNode expectedOutput(JsonNode input) {
      long value = input.get("value").longValue();
      for (int service = 1; service <= CALLS; service++) {
        value = ServiceModel.value(service, value);
      }
      return object().put("value", value);
    }

    @Override
    public Map<String, Long> expectedCalls(JsonNode input) {
      return calls(1, 2, 3, 4, 5, 6);
    }
  },

  /** A call per item of the input, all concurrently; the results are collected and added up. */
  FOR_EACH("for-each") {
    @Override
    public ObjectNode input(int number) {
      ObjectNode input = object();
      ArrayNode items = input.putArray("items");
      for (int service = 1; service <= CALLS; service++) {
        items
            .addObject()
            .put("service", ServiceModel.name(service))
            .put("value", number * 10 + service);
      }
      return input;
    }

    @Override
    public JsonNode expectedOutput(JsonNode input) {
      ObjectNode output = object();
      ArrayNode values = output.putArray("values");
      long total = 0;
      for (int i = 0; i < CALLS; i++) {
        long value = input.get("items").get(i).get("value").longValue();
        long answer = ServiceModel.value(i + 1, value + i);
        values.add(answer);
        total += answer;
      }
      return output.put("total", total);
    }

    @Override
    public Map<String, Long> expectedCalls(JsonNode input) {
      return calls(1, 2, 3, 4, 5, 6);
    }
  },

  /** A fork of six independent calls. */
  PARALLEL("parallel") {
    @Override
    public ObjectNode input(int number) {
      return object().put("value", number);
    }

    @Override
    public JsonNode expectedOutput(JsonNode input) {
      long value = input.get("value").longValue();
      ObjectNode output = object();
      ArrayNode values = output.putArray("values");
      IntStream.rangeClosed(1, CALLS)
          .forEach(service -> values.add(ServiceModel.value(service, value)));
      return output;
    }

    @Override
    public Map<String, Long> expectedCalls(JsonNode input) {
      return calls(1, 2, 3, 4, 5, 6);
    }
  },

  /** Six rounds of one call, each starting from the previous result. */
  LOOP("loop") {
    @Override
    public ObjectNode input(int number) {
      return object().put("value", number);
    }

    @Override
    public JsonNode expectedOutput(JsonNode input) {
      long value = input.get("value").longValue();
      for (int round = 1; round <= CALLS; round++) {
        value = ServiceModel.value(1, value + round);
      }
      return object().put("value", value);
    }

    @Override
    public Map<String, Long> expectedCalls(JsonNode input) {
      return calls(1, 1, 1, 1, 1, 1);
    }
  },

  /** A sequence, a fork, a condition and a loop: six calls in either branch of the condition. */
  TRIP_PLANNER("trip-planner") {
    @Override
    public ObjectNode input(int number) {
      return object()
          .put("traveller", "traveller " + number)
          .put("days", number)
          .put("budget", number % 2 == 0 ? MORE_THAN_ANY_PRICE : 0);
    }

    @Override
    public JsonNode expectedOutput(JsonNode input) {
      long price = price(input);
      boolean saver = isSaver(input);
      long value = ServiceModel.value(saver ? 4 : 5, price);
      for (int leg = 0; leg < 2; leg++) {
        value = ServiceModel.value(6, value + leg);
      }
      return object()
          .put("traveller", input.get("traveller").textValue())
          .put("plan", saver ? "saver" : "comfort")
          .put("value", value);
    }

    @Override
    public Map<String, Long> expectedCalls(JsonNode input) {
      return isSaver(input) ? calls(1, 2, 3, 4, 6, 6) : calls(1, 2, 3, 5, 6, 6);
    }

    private long price(JsonNode input) {
      long destination = ServiceModel.value(1, input.get("days").longValue());
      return ServiceModel.value(2, destination) + ServiceModel.value(3, destination);
    }

    private boolean isSaver(JsonNode input) {
      return price(input) > input.get("budget").longValue();
    }
  };

  /** Namespace of all definitions. */
  public static final String NAMESPACE = "benchmark";

  /** Service calls of one instance. */
  public static final int CALLS = 6;

  /** Number of different inputs of {@link #inputs}. */
  private static final int INPUTS = 16;

  private static final long MORE_THAN_ANY_PRICE = 1_000_000;

  /** Setting of every definition: measurements run in memory unless they state otherwise. */
  private static final String IN_MEMORY = "durability: none";

  private static final String STUB = "@STUB@";

  private final String id;

  Workload(String id) {
    this.id = id;
  }

  /**
   * The workload with a name of a definition.
   *
   * @throws IllegalArgumentException when the name is unknown
   */
  public static Workload named(String id) {
    return Arrays.stream(values())
        .filter(workload -> workload.id.equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected one of " + names() + ", found \"" + id + "\""));
  }

  /** The patterns that the SOSOA evaluation measures. */
  public static List<Workload> patterns() {
    return List.of(SEQUENTIAL, FOR_EACH, PARALLEL, LOOP);
  }

  /** The names of all workloads, separated by commas. */
  public static String names() {
    return Arrays.stream(values()).map(Workload::id).collect(Collectors.joining(", "));
  }

  /** Name of the definition, such as {@code for-each}. */
  public String id() {
    return id;
  }

  /**
   * The definition as YAML, with calls to a stub with at least six services.
   *
   * @param stub address of the stub, such as {@code http://127.0.0.1:8080}
   */
  public String definition(URI stub) {
    String resource = "/definitions/" + id + ".yaml";
    try (InputStream in = Workload.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("expected resource " + resource + ", found none");
      }
      return new String(in.readAllBytes(), UTF_8).replace(STUB, stub.toString());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * The definition with a level of durability for its instances.
   *
   * @param durability {@code none}, {@code async} or {@code sync}
   */
  public String definition(URI stub, String durability) {
    String definition = definition(stub);
    if (!definition.contains(IN_MEMORY)) {
      throw new IllegalStateException(
          "expected the definition of " + id + " to say '" + IN_MEMORY + "', found it does not");
    }
    return definition.replace(IN_MEMORY, "durability: " + durability);
  }

  /** A few different inputs, so that a response to another instance is detected. */
  public List<ObjectNode> inputs() {
    return IntStream.rangeClosed(1, INPUTS).mapToObj(this::input).toList();
  }

  /**
   * An input.
   *
   * @param number 1 to 1,000; different numbers give different inputs and outputs
   */
  public abstract ObjectNode input(int number);

  /** The required output of an instance with this input, with its fields in order. */
  public abstract JsonNode expectedOutput(JsonNode input);

  /** The required calls of such an instance: their number for each service, by name. */
  public abstract Map<String, Long> expectedCalls(JsonNode input);

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static Map<String, Long> calls(int... services) {
    return Arrays.stream(services)
        .mapToObj(ServiceModel::name)
        .collect(Collectors.groupingBy(name -> name, TreeMap::new, Collectors.counting()));
  }
}
