package dev.pinion.bootstrap.conformance;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The results of a run.
 *
 * @param results one for each scenario, in order
 * @param taken time of the whole run
 */
public record ConformanceReport(List<ScenarioResult> results, Duration taken) {
  /** Copies the list. */
  public ConformanceReport {
    results = List.copyOf(results);
  }

  /** Number of scenarios that ended so. */
  public long count(ScenarioOutcome outcome) {
    return results.stream().filter(each -> each.outcome() == outcome).count();
  }

  /** The scenarios that ended so. */
  public List<ScenarioResult> with(ScenarioOutcome outcome) {
    return results.stream().filter(each -> each.outcome() == outcome).toList();
  }

  /** Whether the engine does all that was asked of it; what deviates on purpose is told apart. */
  public boolean isConforming() {
    return count(ScenarioOutcome.FAILED) + count(ScenarioOutcome.UNSUPPORTED) == 0;
  }

  /** The results by section of the specification, sorted by it. */
  public Map<String, ConformanceReport> bySection() {
    Map<String, List<ScenarioResult>> sections =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    each -> each.scenario().section(), TreeMap::new, Collectors.toList()));
    Map<String, ConformanceReport> reports = new TreeMap<>();
    sections.forEach(
        (section, each) -> reports.put(section, new ConformanceReport(each, Duration.ZERO)));
    return reports;
  }

  /** One sentence with the numbers. */
  public String summary() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT, "%d scenarios in %.1f s", results.size(), taken.toMillis() / 1_000.0));
    String separator = ": ";
    for (ScenarioOutcome outcome : ScenarioOutcome.values()) {
      if (outcome == ScenarioOutcome.PASSED || count(outcome) > 0) {
        text.append(separator).append(count(outcome)).append(' ').append(outcome.label());
        separator = ", ";
      }
    }
    return text.toString();
  }
}
