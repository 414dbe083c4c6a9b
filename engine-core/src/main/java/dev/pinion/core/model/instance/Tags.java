package dev.pinion.core.model.instance;

import dev.pinion.core.model.cost.HeapCost;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tags that a client gives an instance, to find it again. Without meaning for the engine, except
 * for the labels {@value #SERVICE_CLASS}, {@value #ORDERING_KEY} and {@value #START_AT}.
 *
 * @param businessKey subject of the instance, or null
 * @param labels values by name
 */
public record Tags(@Nullable String businessKey, SortedMap<String, String> labels) {
  /** No tags. */
  public static final Tags NONE = new Tags(null, Map.of());

  /** Label of the service class of an instance. */
  public static final String SERVICE_CLASS = "pinion.class";

  /** Label of the ordering key of an instance. */
  public static final String ORDERING_KEY = "pinion.orderingKey";

  /** Label of the time at which an instance begins, if that is not at once. */
  public static final String START_AT = "pinion.startAt";

  /** Label of the time at which a run of a schedule was due. */
  public static final String DUE = "pinion.due";

  /** Bytes of the object with its empty map. */
  private static final int FIXED_BYTES = 104;

  /** Bytes of an entry of the map. */
  private static final int BYTES_OF_LABEL = 40;

  /** Copies the labels. */
  public Tags {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** Tags with labels in any order. */
  public Tags(@Nullable String businessKey, Map<String, String> labels) {
    this(businessKey, (SortedMap<String, String>) new TreeMap<>(labels));
  }

  /** The ordering key of the instance's start, or null. */
  public @Nullable String orderingKey() {
    return labels.isEmpty() ? null : labels.get(ORDERING_KEY);
  }

  /** The service class given by the client, or null. */
  public @Nullable String serviceClass() {
    return labels.isEmpty() ? null : labels.get(SERVICE_CLASS);
  }

  /** When the instance begins, in milliseconds since the epoch; 0 when no time was given. */
  public long startAtEpochMillis() {
    String time = labels.isEmpty() ? null : labels.get(START_AT);
    if (time == null) {
      return 0;
    }
    try {
      return Instant.parse(time).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      return 0; // a label of a client, from before the label had a meaning
    }
  }

  /** A copy with one more label, or another value of it. */
  public Tags with(String label, String value) {
    SortedMap<String, String> more = new TreeMap<>(labels);
    more.put(label, value);
    return new Tags(businessKey, more);
  }

  /** A copy without a label. */
  public Tags without(String label) {
    if (!labels.containsKey(label)) {
      return this;
    }
    SortedMap<String, String> fewer = new TreeMap<>(labels);
    fewer.remove(label);
    return fewer.isEmpty() && businessKey == null ? NONE : new Tags(businessKey, fewer);
  }

  /** Approximate heap bytes; 0 without tags. */
  public long heapBytes() {
    if (isEmpty()) {
      return 0;
    }
    long bytes = FIXED_BYTES + (businessKey == null ? 0 : HeapCost.text(businessKey.length()));
    for (Map.Entry<String, String> label : labels.entrySet()) {
      bytes +=
          BYTES_OF_LABEL
              + HeapCost.text(label.getKey().length())
              + HeapCost.text(label.getValue().length());
    }
    return bytes;
  }

  /** Whether there are no tags. */
  public boolean isEmpty() {
    return businessKey == null && labels.isEmpty();
  }
}
