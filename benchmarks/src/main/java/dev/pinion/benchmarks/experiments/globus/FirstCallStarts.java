package dev.pinion.benchmarks.experiments.globus;

import dev.pinion.benchmarks.experiments.globus.FirstRequestVariant.Start;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Starts of engines of {@code experiment first-call}, by the name of the variant.
 *
 * @param quick whether only the most important ones are measured
 * @param warmUp most time of the engines' warm-up, where they have one
 */
record FirstCallStarts(boolean quick, Duration warmUp) {
  static final String BOTH = "cache and warm-up";
  static final String TRAINED = "cache";
  static final String WARMED = "warm-up";
  static final String PLAIN = "neither";
  static final String CONNECTED = "connections";
  static final String ALL = "all three";
  static final String LATER = "compiled at first use";

  /** Starts of engines of which everything is called. */
  Map<String, Start> alone() {
    Map<String, Start> starts = new LinkedHashMap<>();
    starts.put(BOTH, new Start(true, warmUp, false, true));
    if (!quick) {
      starts.put(TRAINED, new Start(true, Duration.ZERO, false, true));
      starts.put(WARMED, new Start(false, warmUp, false, true));
    }
    starts.put(PLAIN, new Start(false, Duration.ZERO, false, true));
    return starts;
  }

  /** The same with a history and a broker: the first table shows the replicas before that. */
  Map<String, Start> accompanied() {
    Map<String, Start> starts = alone();
    starts.keySet().retainAll(quick ? Set.of(PLAIN) : Set.of(BOTH, PLAIN));
    return starts;
  }

  /** Starts of engines whose first request is timed: they know services to connect to. */
  Map<String, Start> requests(FirstRequestProcess process) {
    Map<String, Start> starts = alone();
    starts.put(LATER, new Start(false, Duration.ZERO, false, false));
    starts.put(CONNECTED, new Start(false, Duration.ZERO, true, true));
    if (!quick) {
      starts.put(ALL, new Start(true, warmUp, true, true));
    }
    if (process != FirstRequestProcess.CALL) {
      starts.keySet().retainAll(Set.of(BOTH, PLAIN, ALL)); // the first subject shows the savings
    }
    return starts;
  }

  /** Starts of engines of all processes whose first request is timed. */
  List<Start> allRequests() {
    return Stream.of(FirstRequestProcess.values())
        .flatMap(each -> requests(each).values().stream())
        .toList();
  }

  /** Starts of engines with a history whose first request is timed. */
  int historied() {
    return Stream.of(FirstRequestProcess.values())
        .filter(FirstRequestProcess::history)
        .mapToInt(each -> requests(each).size())
        .sum();
  }
}
