package dev.pinion.benchmarks.experiments.hostile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Responses to hostile requests. A request may have several responses, or none. Safe for use by
 * several threads.
 */
public final class HostileStatistics {
  private static final int MAX_FAULTS = 5;

  /** Responses above 499 that refuse: no room, and an unknown version of HTTP (RFC 9110). */
  private static final Set<Integer> REFUSALS = Set.of(503, 505);

  private final Map<Integer, Integer> byStatus = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();
  private int requests;
  private int unanswered;
  private int abandoned;

  /**
   * Counts a request and its responses.
   *
   * @param statuses the final statuses, none when the connection ended without a response
   */
  synchronized void add(HostileRequest request, List<Integer> statuses) {
    requests++;
    if (request.abandoned()) {
      abandoned++;
    } else if (statuses.isEmpty()) {
      unanswered++;
    }
    for (int status : statuses) {
      byStatus.merge(status, 1, Integer::sum);
      if (status >= 500 && !REFUSALS.contains(status)) {
        fault("status " + status + " to " + request.kind());
      }
    }
  }

  /** Records an event that must not happen, such as a refused connection. */
  synchronized void fault(String what) {
    if (faults.size() < MAX_FAULTS) {
      faults.add(what);
    }
  }

  /** Requests sent. */
  public synchronized int requests() {
    return requests;
  }

  /** Responses with a status within a range, ends included. */
  public synchronized int answers(int from, int to) {
    return byStatus.entrySet().stream()
        .filter(entry -> entry.getKey() >= from && entry.getKey() <= to)
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** Requests that waited in vain for a response. */
  public synchronized int unanswered() {
    return unanswered;
  }

  /** Requests abandoned on purpose. */
  public synchronized int abandoned() {
    return abandoned;
  }

  /** The first few events that must not happen; empty if there were none. */
  public synchronized List<String> faults() {
    return Collections.unmodifiableList(new ArrayList<>(faults));
  }
}
