package dev.pinion.benchmarks.bare;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;

/** The calls of the exchange for a workload, their order, and its response. */
public enum CallPattern {
  /** Each call sends the value that the previous one returned. */
  SEQUENTIAL("sequential", true) {
    @Override
    Calls calls(JsonNode input) {
      return new Calls(new int[] {1, 2, 3, 4, 5, 6}, new long[] {value(input), 0, 0, 0, 0, 0});
    }
  },
  /** One service six times; each call sends the previous result and the number of the round. */
  LOOP("loop", true) {
    @Override
    Calls calls(JsonNode input) {
      return new Calls(new int[] {1, 1, 1, 1, 1, 1}, new long[] {value(input) + 1, 2, 3, 4, 5, 6});
    }
  },
  /** Six calls at once with the same value. */
  PARALLEL("parallel", false) {
    @Override
    Calls calls(JsonNode input) {
      long[] values = new long[6];
      Arrays.fill(values, value(input));
      return new Calls(new int[] {1, 2, 3, 4, 5, 6}, values);
    }
  },
  /** A call for each item of the input, all at once. */
  FOR_EACH("for-each", false) {
    @Override
    Calls calls(JsonNode input) {
      JsonNode items = input.path("items");
      if (!items.isArray() || items.isEmpty() || items.size() > MAX_CALLS) {
        throw new IllegalArgumentException(
            "expected 1 to " + MAX_CALLS + " items in the input, found " + items.size());
      }
      int[] services = new int[items.size()];
      long[] values = new long[items.size()];
      for (int i = 0; i < services.length; i++) {
        services[i] = service(items.get(i));
        values[i] = value(items.get(i)) + i;
      }
      return new Calls(services, values);
    }
  };

  /** Most calls of one exchange. */
  static final int MAX_CALLS = 1_000;

  private final String workload;
  private final boolean chained;

  CallPattern(String workload, boolean chained) {
    this.workload = workload;
    this.chained = chained;
  }

  /**
   * The shape of a workload.
   *
   * @throws IllegalArgumentException when the bare exchange does not support that workload
   */
  public static CallPattern named(String workload) {
    return Arrays.stream(values())
        .filter(callPattern -> callPattern.workload.equals(workload))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected a workload that the bare exchange can do, one of "
                        + Arrays.stream(values()).map(CallPattern::workload).toList()
                        + ", found \""
                        + workload
                        + "\""));
  }

  /** Name of the workload. */
  public String workload() {
    return workload;
  }

  /** Whether each call waits for the previous one. */
  boolean chained() {
    return chained;
  }

  /**
   * The calls for an input.
   *
   * @throws IllegalArgumentException when the input does not belong to this workload
   */
  abstract Calls calls(JsonNode input);

  private static long value(JsonNode holder) {
    JsonNode value = holder.path("value");
    if (!value.canConvertToLong() || !value.isIntegralNumber()) {
      throw new IllegalArgumentException(
          "expected an integer as value, found " + (value.isMissingNode() ? "nothing" : value));
    }
    return value.longValue();
  }

  private static int service(JsonNode item) {
    String name = item.path("service").asText();
    if (name.length() == 2 && name.charAt(0) == 's' && "123456".indexOf(name.charAt(1)) >= 0) {
      return name.charAt(1) - '0';
    }
    throw new IllegalArgumentException("expected a service from s1 to s6, found \"" + name + "\"");
  }

  /**
   * Calls to make.
   *
   * @param services number of each call's service, from 1
   * @param values value that each call sends; in a chained shape the previous result is added to it
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one exchange and never compared
  record Calls(int[] services, long[] values) {}
}
