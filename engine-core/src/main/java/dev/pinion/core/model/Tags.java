package dev.pinion.core.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a client calls an instance, to find it again. Means nothing to the engine, but for the label
 * {@value #SERVICE_CLASS}.
 *
 * @param businessKey what the instance is about, or null
 * @param labels values by name
 */
public record Tags(@Nullable String businessKey, SortedMap<String, String> labels) {
  /** Nothing. */
  public static final Tags NONE = new Tags(null, Map.of());

  /** The label that names the service class of an instance. */
  public static final String SERVICE_CLASS = "pinion.class";

  /** Copies the labels. */
  public Tags {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
  }

  /** Tags with labels in any order. */
  public Tags(@Nullable String businessKey, Map<String, String> labels) {
    this(businessKey, (SortedMap<String, String>) new TreeMap<>(labels));
  }

  /** Whether there is nothing. */
  public boolean isEmpty() {
    return businessKey == null && labels.isEmpty();
  }
}
