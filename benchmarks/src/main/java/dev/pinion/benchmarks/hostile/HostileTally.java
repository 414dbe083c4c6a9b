package dev.pinion.benchmarks.hostile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How hostile requests were answered. A request may have several answers, or none. Safe for use by
 * several threads.
 */
public final class HostileTally {
  private static final int MAX_FAULTS = 5;

  private final Map<Integer, Integer> byStatus = new TreeMap<>();
  private final List<String> faults = new ArrayList<>();
  private int requests;
  private int unanswered;
  private int abandoned;

  /**
   * Counts a request and its answers.
   *
   * @param statuses the final statuses, none when the connection ended without
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
      if (status >= 500 && status != 503) {
        fault("status " + status + " to " + request.kind());
      }
    }
  }

  /** Notes what must not happen, such as a connection that was refused. */
  synchronized void fault(String what) {
    if (faults.size() < MAX_FAULTS) {
      faults.add(what);
    }
  }

  /** Requests sent. */
  public synchronized int requests() {
    return requests;
  }

  /** Answers with a status within a range, ends included. */
  public synchronized int answers(int from, int to) {
    return byStatus.entrySet().stream()
        .filter(entry -> entry.getKey() >= from && entry.getKey() <= to)
        .mapToInt(Map.Entry::getValue)
        .sum();
  }

  /** Requests that waited for an answer and had none. */
  public synchronized int unanswered() {
    return unanswered;
  }

  /** Requests given up on purpose. */
  public synchronized int abandoned() {
    return abandoned;
  }

  /** The first few things that must not happen; empty when none did. */
  public synchronized List<String> faults() {
    return Collections.unmodifiableList(new ArrayList<>(faults));
  }
}
